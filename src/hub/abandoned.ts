import type { ListedClarification } from '../ports/store.js';
import { type AgentStatusEntry, type AgentStatusFile, statusForIssue } from '../protocol/agent-status.js';
import { type ClarificationRecord, lastQuestion } from '../protocol/clarification.js';
import { AgentXError } from '../protocol/errors.js';
import { HUMAN, parseClarificationId } from '../protocol/ids.js';
import { parseOrigin } from '../protocol/origin.js';
import { isFinished, type Run } from '../protocol/run.js';
import { isBefore, type Timestamp } from '../protocol/timestamp.js';
import type { BasePorts } from './ports.js';

export interface Whereabouts {
  readonly statuses: AgentStatusFile;
  /** The latest runs of the issues that have pending records. */
  readonly runs: readonly Run[];
}

/** What a target asks before it answers is over once a person has answered for it, or its requester waits no more. */
function isLeftByTarget({ within }: ClarificationRecord, active: ReadonlyMap<string, ClarificationRecord>): boolean {
  return within !== undefined && (active.get(within)?.status ?? 'resolved') === 'resolved';
}

/** Pending records whose requester has gone: it is done or idle on that issue, or the run that asked has ended. */
export function findAbandoned(
  active: readonly ListedClarification[],
  { statuses, runs }: Whereabouts,
): readonly ListedClarification[] {
  const runOf = new Map(runs.map((run) => [run.issueNumber, run]));
  const records = new Map(active.map(({ record }) => [record.id, record]));
  return active.filter(({ issueNumber, record }) => {
    if (record.status !== 'pending') return false;
    if (record.blocking && lastQuestion(record).from !== HUMAN && isLeftByTarget(record, records)) return true;
    const askedAt = lastQuestion(record).timestamp;
    const run = runOf.get(issueNumber);
    if (hasEnded(run, askedAt) && !isAskedOutside(record)) return true;
    return !isAwaitedBy(run, record) && hasLeft(record, statuses[record.from], { issueNumber, askedAt });
  });
}

/**
 * Whether no requester will use an answer to the record: the same judgement, for the process that brings the answer. If
 * it cannot be judged, the answer is wanted.
 */
export async function isAbandoned(
  { store, log }: Pick<BasePorts, 'store' | 'log'>,
  record: ClarificationRecord,
): Promise<boolean> {
  const { id, to } = record;
  const { issueNumber } = parseClarificationId(id);
  try {
    const [statuses, run] = await Promise.all([store.statuses.read(), store.runs.read(issueNumber)]);
    const active = [{ issueNumber, record }];
    return findAbandoned(active, { statuses, runs: run === undefined ? [] : [run] }).length > 0;
  } catch (error) {
    if (!(error instanceof AgentXError)) throw error;
    log.warn(`whether the answer of ${to} is wanted is unknown`, { clarificationId: id, error: error.message });
    return false;
  }
}

/**
 * A run takes up every answer before it ends, even one that comes after the step that did not wait for it is done: a
 * later attempt at the step gets it.
 */
function isAwaitedBy(run: Run | undefined, { from, blocking }: ClarificationRecord): boolean {
  if (run === undefined || isFinished(run) || blocking) return false;
  return run.definition?.steps.some(({ agent }) => agent === from) ?? false;
}

/**
 * Only what happened after the question counts: a person may well ask on behalf of an agent that was idle or done
 * before. If the time of that is not recorded, the time of the agent's latest activity bounds it.
 */
function hasLeft(
  record: ClarificationRecord,
  entry: AgentStatusEntry | undefined,
  { issueNumber, askedAt }: { readonly issueNumber: number; readonly askedAt: Timestamp },
): boolean {
  if (entry === undefined || isBefore(entry.lastActivity, askedAt)) return false;
  const { status, since } = statusForIssue(entry, issueNumber);
  // Never seen at work on the issue, or idle before and after it waited: it cannot have left.
  if (entry.issue !== issueNumber && status === 'idle' && since === undefined) return false;
  if (isBefore(since ?? entry.lastActivity, askedAt)) return false;
  // An agent that waits is blocked, so an idle one was set to idle. An agent that does not wait may have been idle all
  // along: its work may not be tracked, and it returns to idle whenever it has answered a question.
  return status === 'done' || (status === 'idle' && record.blocking);
}

/** No run asks what a person asks, or a program that no agent of a run has started: its end says nothing about it. */
function isAskedOutside(record: ClarificationRecord): boolean {
  const { from, round, origin } = lastQuestion(record);
  const cause = parseOrigin(round === 1 ? record.origin : origin);
  return from === HUMAN || (record.within === undefined && cause.by === 'outside');
}

function hasEnded(run: Run | undefined, askedAt: Timestamp): boolean {
  return run !== undefined && isFinished(run) && !isBefore(run.updatedAt, askedAt);
}
