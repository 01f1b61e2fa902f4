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
    const form = [whole, compacted].find((candidate) => tokensOf(candidate(record)) <= left);
    const fitting = form?.(record);
    if (fitting === undefined) continue;
    left -= tokensOf(fitting);
    told.push(fitting);
  }
  return told.toReversed();
}

function whole(record: ClarificationRecord): BriefedClarification {
  if (record.status === 'resolved') return compacted(record);
  const answer = record.thread.findLast(({ type }) => type === 'answer')?.body;
  return answer === undefined ? headOf(record) : { ...headOf(record), answer };
}

function compacted(record: ClarificationRecord): BriefedClarification {
  return { ...headOf(record), summary: summaryOf(record) };
}

/** Records never change, and finding what a thread decided takes long. */
const summaries = new WeakMap<ClarificationRecord, string>();

function summaryOf(record: ClarificationRecord): string {
  const known = summaries.get(record);
  if (known !== undefined) return known;
  const summary = summarise(record);
  summaries.set(record, summary);
  return summary;
}

function headOf({ id, from, to, topic, status }: ClarificationRecord): BriefedClarification {
  return { id, from, to, topic, status };
}

function tokensOf(told: BriefedClarification): number {
  return estimateTokens(JSON.stringify(told));
}
