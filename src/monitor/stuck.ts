import type { ListedClarification } from '../ports/store.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { saysTheSame } from '../protocol/similarity.js';
import { isBefore } from '../protocol/timestamp.js';

export interface StuckClarification extends ListedClarification {
  /** For the human who gets it: what goes round in circles. */
  readonly reason: string;
}

/**
 * A thread is stuck when it waits for an answer to a question that says the same as the one before: the answer between
 * them did not help. If that is answered too, its requester judges the answer. While the target works on it (`atWork`)
 * the answer is waited for, so that the moment of the check does not decide how it ends. Of two threads in which two
 * agents ask each other about one topic of one issue, the later is stuck; the earlier can still be answered.
 */
export function findStuck(
  active: readonly ListedClarification[],
  atWork: ReadonlySet<string> = new Set(),
): readonly StuckClarification[] {
  const ofIssue = groupByIssue(active);
  return active.flatMap((clarification) => {
    const isAtWork = atWork.has(clarification.record.id);
    const reason = reasonFor(clarification, ofIssue.get(clarification.issueNumber) ?? [], isAtWork);
    return reason === undefined ? [] : [{ ...clarification, reason }];
  });
}

function groupByIssue(active: readonly ListedClarification[]): ReadonlyMap<number, readonly ClarificationRecord[]> {
  const groups = new Map<number, ClarificationRecord[]>();
  for (const { issueNumber, record } of active) {
    const group = groups.get(issueNumber);
    if (group === undefined) groups.set(issueNumber, [record]);
    else group.push(record);
  }
  return groups;
}

function reasonFor(
  { record }: ListedClarification,
  ofIssue: readonly ClarificationRecord[],
  isAtWork: boolean,
): string | undefined {
  if (!isAtWork && repeatsItself(record)) return `${record.from} asked the same twice in a row`;
  const mirror = ofIssue.find((other) => isMirrorOf(other, record) && isEarlier(other, record));
  if (mirror === undefined) return undefined;
  return `${record.from} asks ${record.to} what ${record.to} asks ${record.from} in ${mirror.id}`;
}

export function repeatsItself(record: ClarificationRecord): boolean {
  if (!waitsForTarget(record)) return false;
  const [before, last] = record.thread.filter(({ type }) => type === 'question').slice(-2);
  return before !== undefined && last !== undefined && saysTheSame(before.body, last.body);
}

function isMirrorOf(other: ClarificationRecord, record: ClarificationRecord): boolean {
  return (
    other.from === record.to &&
    other.to === record.from &&
    waitsForTarget(other) &&
    waitsForTarget(record) &&
    saysTheSame(other.topic, record.topic)
  );
}

function waitsForTarget({ status }: ClarificationRecord): boolean {
  return status === 'pending' || status === 'stale';
}

/** Ids of one issue grow with time; they decide between records of the same instant. */
function isEarlier(left: ClarificationRecord, right: ClarificationRecord): boolean {
  if (isBefore(left.created, right.created)) return true;
  if (isBefore(right.created, left.created)) return false;
  return left.id.length === right.id.length ? left.id < right.id : left.id.length < right.id.length;
}
