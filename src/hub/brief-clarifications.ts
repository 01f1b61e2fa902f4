import { summarise } from '../memory/weigh.js';
import type { Brief } from '../protocol/brief.js';
import { type ClarificationRecord, isActive, type ThreadEntry } from '../protocol/clarification.js';
import { onceFor } from '../protocol/once-for.js';
import { estimateTokens } from '../protocol/tokens.js';

const BUDGET_TOKENS = 2000;

type BriefedClarification = Brief['clarifications'][number] & { readonly from: string };

/**
 * The clarifications of an issue in which an agent takes part, for its brief. An open one is given in full, with every
 * round: the agent has to go on from there. One that is over is given as its summary, within a budget: the oldest that
 * do not fit stay in the ledger.
 */
export function clarificationsFor(
  agent: string,
  records: readonly ClarificationRecord[],
  budgetTokens: number = BUDGET_TOKENS,
): readonly BriefedClarification[] {
  const ownRecords = records.filter(({ from, to }) => from === agent || to === agent);
  const summaries = new Map<string, BriefedClarification>();
  let tokensLeft = budgetTokens;
  for (const record of ownRecords.filter((one) => !isActive(one)).toReversed()) {
    const { form, tokens } = compacted(record);
    tokensLeft -= tokens;
    if (tokensLeft < 0) break;
    summaries.set(record.id, form);
  }
  return ownRecords.flatMap((record) => (isActive(record) ? inFull(record) : (summaries.get(record.id) ?? [])));
}

/** One clarification as a prompt shows it. */
export const toldClarification = onceFor((clarification: Brief['clarifications'][number]): string => {
  const { id, from, to, topic, status, thread, summary = 'no answer' } = clarification;
  const head = `- ${id} ${from === undefined ? '' : `from ${from} `}to ${to}: ${topic} (${status})`;
  if (thread === undefined) return `${head}: ${summary}`;
  return [`${head}:`, ...thread.map((entry) => spoken(entry).replaceAll(/^/gm, '  '))].join('\n');
});

export function spoken({ round, from, type, body }: ThreadEntry): string {
  return `${from} (${type}, round ${round}): ${body}`;
}

/*
 * What becomes of a record is remembered: many that ask at once are told the same of each other, and finding what a thread
 * decided takes long.
 */

const inFull = onceFor((record: ClarificationRecord): BriefedClarification => {
  const { round, maxRounds, thread } = record;
  const answer = thread.findLast(({ type }) => type === 'answer')?.body;
  return { ...headOf(record), round, maxRounds, ...(answer === undefined ? {} : { answer }), thread };
});

const compacted = onceFor((record: ClarificationRecord) => {
  const form = { ...headOf(record), summary: summarise(record) };
  return { form, tokens: estimateTokens(JSON.stringify(form)) };
});

function headOf({ id, from, to, topic, status }: ClarificationRecord): BriefedClarification {
  return { id, from, to, topic, status };
}
