import {
  type ClarificationLedger,
  type ClarificationRecord,
  type ClarificationStatus,
  noteUnsettled,
} from '../protocol/clarification.js';
import {
  type ClarificationEffect,
  type ClarificationEvent,
  type ClarificationResult,
  transition,
} from '../protocol/clarification-transition.js';
import { AgentXError, messageOf } from '../protocol/errors.js';
import { parseClarificationId } from '../protocol/ids.js';
import { openEscalationQuestion } from './escalation-question.js';
import { isDecisionToKeep, keepDecision } from './keep-decision.js';
import type { BasePorts, RecordPorts } from './ports.js';
import { send } from './send.js';
import { mayInterrupt, refreshStatuses } from './statuses.js';

/** What became of one record: its state before, unless it is new, and now. */
export interface Change extends Omit<ClarificationResult, 'error'> {
  readonly before?: ClarificationRecord;
  readonly error?: AgentXError | undefined;
}

interface Decided<Result> {
  readonly changes: readonly Change[];
  readonly result: Result;
}

/**
 * The one way to change clarifications: a single update of their ledger, which may change some and open others, then
 * everything that follows from each except the statuses. A decision is marked until it is kept.
 */
export async function changeRecords<Result>(
  ports: RecordPorts,
  issueNumber: number,
  decide: (ledger: ClarificationLedger) => Decided<Result>,
): Promise<Result> {
  const { changes, result } = await ports.store.ledgers.update<Decided<Result>>(issueNumber, (ledger) => {
    const decision = decide(ledger);
    const changes = decision.changes.map((change) => marked(ports, change));
    const clarifications = withChanges(ledger.clarifications, changes);
    const next = clarifications === ledger.clarifications ? ledger : { ...ledger, clarifications };
    return { next, result: { ...decision, changes } };
  });
  for (const change of changes) await tell(ports, change);
  return result;
}

function marked(ports: RecordPorts, change: Change): Change {
  const { before, record } = change;
  const isNewlyResolved = record.status === 'resolved' && before?.status !== 'resolved';
  return isNewlyResolved && isDecisionToKeep(ports, record) ? { ...change, record: noteUnsettled(record) } : change;
}

function withChanges(
  records: readonly ClarificationRecord[],
  changes: readonly Change[],
): readonly ClarificationRecord[] {
  const realChanges = changes.filter(({ before, record }) => before !== record);
  if (realChanges.length === 0) return records;
  const presentRecords = records.map((record) => realChanges.find(({ before }) => before === record)?.record ?? record);
  return [...presentRecords, ...realChanges.flatMap(({ before, record }) => (before === undefined ? [record] : []))];
}

/**
 * One event on one record, or several that follow from each other. `decide` sees the record at that moment and may
 * decide that nothing is to happen; then only missing effects are completed.
 */
export async function changeRecord(
  ports: RecordPorts,
  clarificationId: string,
  decide: (record: ClarificationRecord) => Events,
): Promise<Change & { readonly before: ClarificationRecord }> {
  const { issueNumber } = parseClarificationId(clarificationId);
  const result = await logged(ports, { clarificationId, issueNumber }, () =>
    changeRecords(ports, issueNumber, (ledger) => {
      const before = requireRecord(ledger, clarificationId);
      const change = { before, ...transitions(before, [decide(before) ?? []].flat()) };
      return { changes: [change], result: change };
    }),
  );
  const { before, record } = result;
  if (before === record || mayInterrupt(before) || mayInterrupt(record)) await showStatuses(ports, record);
  return result;
}

type Events = Readonly<ClarificationEvent> | readonly Readonly<ClarificationEvent>[] | undefined;

/** One event after the other; an event with an error is the last. */
export function transitions(before: ClarificationRecord, events: readonly Readonly<ClarificationEvent>[]): Change {
  let record = before;
  const effects: ClarificationEffect[] = [];
  for (const event of events) {
    const result = transition(record, event);
    record = result.record;
    effects.push(...result.effects);
    if (result.error !== undefined) return { record, effects, error: result.error };
  }
  return { record, effects };
}

export function requireRecord(ledger: ClarificationLedger, clarificationId: string): ClarificationRecord {
  const record = ledger.clarifications.find(({ id }) => id === clarificationId);
  if (record !== undefined) return record;
  const { issueNumber } = ledger;
  throw new AgentXError(
    'NOT_FOUND',
    `Clarification ${clarificationId} is not in the ledger of issue #${issueNumber}.`,
    { clarificationId, issueNumber },
  );
}

/** Everything that follows from a change except the statuses. */
async function tell(ports: RecordPorts, { record, effects }: Change): Promise<void> {
  if (effects.length > 0) logOperation(ports, record, effects);
  send(ports, effects);
  if (record.unsettled === true) await leftToTheSweep(ports, record, 'memory', () => keepDecision(ports, record));
  if (record.status === 'escalated') {
    await leftToTheSweep(ports, record, 'question', () => openEscalationQuestion(ports, record));
  }
}

export async function showStatuses(ports: BasePorts, record: ClarificationRecord): Promise<void> {
  const { issueNumber } = parseClarificationId(record.id);
  await leftToTheSweep(ports, record, 'statuses', () => refreshStatuses(ports, issueNumber));
}

/** Runs a change of a ledger; a refusal or a lock timeout is logged before the caller gets it. */
export async function logged<T>(
  ports: Pick<BasePorts, 'log'>,
  fields: Readonly<Record<string, unknown>>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof AgentXError ? error.code : undefined;
    ports.log.warn('clarification refused', { ...fields, code, error: messageOf(error) });
    throw error;
  }
}

function logOperation(
  ports: Pick<BasePorts, 'log'>,
  record: ClarificationRecord,
  effects: readonly ClarificationEffect[],
): void {
  const { id: clarificationId, from: fromAgent, to: toAgent, round, status } = record;
  const { issueNumber } = parseClarificationId(clarificationId);
  const fields = { clarificationId, issueNumber, fromAgent, toAgent, round, status };
  const eventNames = effects.flatMap((effect) => (effect.type === 'emit' ? [effect.name] : []));
  // The retry is the only event without a message on the bus.
  for (const name of eventNames.length > 0 ? eventNames : ['clarification-retried']) {
    if (name !== 'clarification-escalated') ports.log.info(name, fields);
    else
      ports.log.warn(name, { ...fields, summary: record.thread.findLast(({ type }) => type === 'escalation')?.body });
  }
}

/** A part that fails is logged and left to the next sweep, because the caller's verb has happened. */
export async function leftToTheSweep<T>(
  ports: Pick<BasePorts, 'log'>,
  record: ClarificationRecord,
  what: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    ports.log.error(`${what} left to the next sweep`, { clarificationId: record.id, error: messageOf(error) });
    return undefined;
  }
}

/** The result of every verb of the hub: the present state of the clarification. */
export interface HubResult {
  readonly clarificationId: string;
  readonly issueNumber: number;
  readonly status: ClarificationStatus;
  readonly round: number;
  /** The answer to the present round, once there is one. */
  readonly answer?: string;
  /** For a pending one: the questions that humans have to answer before its target can. */
  readonly waitingOn?: readonly string[];
  readonly record: ClarificationRecord;
}

export function resultOf(record: ClarificationRecord): HubResult {
  const { id, status, round } = record;
  const answer = record.thread.findLast((entry) => entry.type === 'answer' && entry.round === round)?.body;
  const result = { clarificationId: id, issueNumber: parseClarificationId(id).issueNumber, status, round, record };
  return answer === undefined ? result : { ...result, answer };
}
