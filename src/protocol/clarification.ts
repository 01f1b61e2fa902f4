import * as z from 'zod/mini';
import { AgentName, ClarificationId, IssueNumber, makeClarificationId, QuestionId } from './ids.js';
import { MAX_STALE_RETRIES } from './limits.js';
import { QuestionOutcome } from './question.js';
import type { Shape } from './shape.js';
import { isBefore, Timestamp } from './timestamp.js';

export const ClarificationStatus = z.enum(['pending', 'answered', 'resolved', 'stale', 'escalated', 'abandoned']);
export type ClarificationStatus = z.infer<typeof ClarificationStatus>;

const Round = z.int().check(z.gte(1));

/** What a human may decide: `target` and `requester` take a side, `retry` asks again, `assume` goes on without. */
export const EscalationOption = z.looseObject({
  id: z.string(),
  action: z.enum(['target', 'requester', 'retry', 'assume']),
  label: z.string(),
});
export type EscalationOption = Shape<typeof EscalationOption>;

/** Each side's last word; the target has none before its first answer. */
export const EscalationPositions = z.looseObject({ requester: z.string(), target: z.exactOptional(z.string()) });
export type EscalationPositions = Shape<typeof EscalationPositions>;

/** The section of an artifact that an answer rests on, as it was. */
const RestsOn = z.looseObject({ path: z.string(), heading: z.string(), hash: z.string() });
export type RestsOn = Shape<typeof RestsOn>;

/** `source` cites the source of an answer from memory; `reason`, `positions` and `options` belong to escalations. */
export const ThreadEntry = z.looseObject({
  round: Round,
  from: z.string().check(z.minLength(1)),
  type: z.enum(['question', 'answer', 'resolution', 'escalation']),
  body: z.string(),
  timestamp: Timestamp,
  source: z.exactOptional(z.string()),
  restsOn: z.exactOptional(z.array(RestsOn)),
  origin: z.exactOptional(z.string()),
  /** The person's name, if a human wrote it. */
  principal: z.exactOptional(z.string()),
  /** In the resolution of a human who decided nothing: the target is asked again, or the requester assumes. */
  undecided: z.exactOptional(z.enum(['retry', 'assume'])),
  reason: z.exactOptional(z.string()),
  positions: z.exactOptional(EscalationPositions),
  options: z.exactOptional(z.array(EscalationOption)),
});
export type ThreadEntry = Shape<typeof ThreadEntry>;

/** All fields after the thread are ours; a record in the form of the seeds has none of them. */
export const ClarificationRecord = z.looseObject({
  id: ClarificationId,
  from: AgentName,
  to: AgentName,
  topic: z.string(),
  blocking: z.boolean(),
  status: ClarificationStatus,
  round: Round,
  maxRounds: Round,
  created: Timestamp,
  staleAfter: Timestamp,
  resolvedAt: z.exactOptional(z.nullable(Timestamp)),
  thread: z.array(ThreadEntry),
  slaMinutes: z.exactOptional(z.number().check(z.gt(0))),
  retries: z.exactOptional(z.int().check(z.gte(0))),
  outcome: z.exactOptional(QuestionOutcome),
  abandonedAt: z.exactOptional(Timestamp),
  /** Its cause, so that the same cause does not ask twice. */
  origin: z.exactOptional(z.string()),
  /** Each time its target was late. */
  expiredAt: z.exactOptional(z.array(Timestamp)),
  /** The clarification that its requester was answering when it asked: the chain of agents follows from it. */
  within: z.exactOptional(ClarificationId),
  /** What its target asked humans before it could answer. */
  questions: z.exactOptional(z.array(QuestionId)),
  /** What its target asked other agents, which wait for humans in their turn. */
  awaits: z.exactOptional(z.array(ClarificationId)),
  /** Turns in which the requester asked it and went on without the answer: the answer is news to it. */
  unheard: z.exactOptional(z.array(z.string())),
  /** It is resolved, and what was decided is not remembered yet. */
  unsettled: z.exactOptional(z.boolean()),
});
export type ClarificationRecord = Shape<typeof ClarificationRecord>;

/** `lastSequence` outlives records that a repair could not save, so that an id is never given twice. */
export const LedgerFields = z.looseObject({
  issueNumber: IssueNumber,
  clarifications: z.array(ClarificationRecord),
  lastSequence: z.exactOptional(z.int().check(z.gte(0))),
});

/** No id is used twice, and each belongs to this issue. */
export const ClarificationLedger = LedgerFields.check(({ value: { issueNumber, clarifications }, issues }) => {
  const usedIds = new Set<string>();
  clarifications.forEach(({ id }, index) => {
    const isWrong = usedIds.has(id) || !isOfIssue(id, issueNumber);
    const message = usedIds.has(id) ? `repeats ${id}` : `is ${id}, which is not of issue ${issueNumber}`;
    usedIds.add(id);
    if (isWrong) issues.push({ code: 'custom', message, input: id, path: ['clarifications', index, 'id'] });
  });
});
export type ClarificationLedger = Shape<typeof ClarificationLedger>;

/** Notes what the target waits for, beside the thread. It changes no status. */
export function noteWaiting(
  record: ClarificationRecord,
  key: 'questions' | 'awaits',
  ids: readonly string[],
): ClarificationRecord {
  const knownIds = record[key] ?? [];
  const more = ids.filter((id) => !knownIds.includes(id));
  return more.length === 0 ? record : { ...record, [key]: [...knownIds, ...more] };
}

/** Notes whether the requester, in this turn, has the answer to the present round. It changes no status. */
export function noteHeard(
  record: ClarificationRecord,
  { turn, isHeard }: { readonly turn: string; readonly isHeard: boolean },
): ClarificationRecord {
  const { unheard = [], ...rest } = record;
  if (unheard.includes(turn) !== isHeard) return record;
  const turns = isHeard ? unheard.filter((other) => other !== turn) : [...unheard, turn];
  return turns.length === 0 ? rest : { ...rest, unheard: turns };
}

/** Something follows from its end, and is not done yet. It changes no status. */
export function noteUnsettled(record: ClarificationRecord): ClarificationRecord {
  return { ...record, unsettled: true };
}

/** Everything that follows from it is done. */
export function noteSettled(record: ClarificationRecord): ClarificationRecord {
  const { unsettled, ...settledRecord } = record;
  return unsettled === undefined ? record : settledRecord;
}

/** Whether a stale record's target is asked once more; if not, it is escalated. */
export function mayRetry(record: ClarificationRecord): boolean {
  return (record.retries ?? 0) < MAX_STALE_RETRIES;
}

/** Its target's time is over. */
export function hasExpired(record: Pick<ClarificationRecord, 'status' | 'staleAfter'>, now: Timestamp): boolean {
  return record.status === 'pending' && !isBefore(now, record.staleAfter);
}

export function isActive(record: Pick<ClarificationRecord, 'status'>): boolean {
  return record.status !== 'resolved' && record.status !== 'abandoned';
}

/** It waits for an answer, or what follows from its end is not done yet. */
export function isUnfinished(record: Pick<ClarificationRecord, 'status' | 'unsettled'>): boolean {
  return isActive(record) || record.unsettled === true;
}

/** The question of the present round. A record of another program may have none: then its topic is the question. */
export function lastQuestion({ thread, from, topic, created }: ClarificationRecord): ThreadEntry {
  const question = thread.findLast(({ type }) => type === 'question');
  return question ?? { round: 1, from, type: 'question', body: topic, timestamp: created };
}

export function emptyLedger(issueNumber: number): ClarificationLedger {
  return { issueNumber, clarifications: [] };
}

export function nextClarificationId(ledger: ClarificationLedger): string {
  const highest = ledger.clarifications.reduce(
    // A ledger's ids are already checked; parsing each again would be slow for long ledgers.
    (sequence, { id }) => Math.max(sequence, Number(id.slice(id.lastIndexOf('-') + 1))),
    ledger.lastSequence ?? 0,
  );
  return makeClarificationId(ledger.issueNumber, highest + 1);
}

export function isOfIssue(id: string, issueNumber: number): boolean {
  return id.startsWith(`CLR-${issueNumber}-`);
}
