import type { Brief } from '../protocol/brief.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { estimateTokens } from '../protocol/tokens.js';
import { summarise } from './compact.js';

const BUDGET_TOKENS = 2000;

type BriefedClarification = Brief['clarifications'][number] & { readonly from: string };

/**
 * The clarifications of an issue in which an agent takes part, for its brief. A resolved one is its summary; of the
 * others the answer is told whole as long as the budget lasts, the latest first, and compacted after that. What does
 * not even fit as a summary is left to the ledger, the oldest first.
 */
export function clarificationsFor(
  agent: string,
  records: readonly ClarificationRecord[],
  budgetTokens: number = BUDGET_TOKENS,
): readonly BriefedClarification[] {
  let left = budgetTokens;
  const told: BriefedClarification[] = [];
  for (const record of records.filter(({ from, to }) => from === agent || to === agent).toReversed()) {
    const best = record.status === 'resolved' ? compacted(record) : whole(record);
    const fitting = best.tokens <= left ? best : compacted(record);
    if (fitting.tokens > left) break;
    left -= fitting.tokens;
    told.push(fitting.form);
  }
  return told.toReversed();
}

interface Priced {
  readonly form: BriefedClarification;
  readonly tokens: number;
}

function whole(record: ClarificationRecord): Priced {
  const answer = record.thread.findLast(({ type }) => type === 'answer')?.body;
  return priced(answer === undefined ? headOf(record) : { ...headOf(record), answer });
}

/** Records never change, and finding what a thread decided takes long. */
const known = new WeakMap<ClarificationRecord, Priced>();

function compacted(record: ClarificationRecord): Priced {
  const found = known.get(record);
  if (found !== undefined) return found;
  const made = priced({ ...headOf(record), summary: summarise(record) });
  known.set(record, made);
  return made;
}

function headOf({ id, from, to, topic, status }: ClarificationRecord): BriefedClarification {
  return { id, from, to, topic, status };
}

function priced(form: BriefedClarification): Priced {
  return { form, tokens: estimateTokens(JSON.stringify(form)) };
}
