import { type ClarificationRecord, noteWaiting } from '../protocol/clarification.js';
import { parseClarificationId } from '../protocol/ids.js';
import { parseOrigin } from '../protocol/origin.js';
import type { Question } from '../protocol/question.js';
import { isBefore, toEpochMs } from '../protocol/timestamp.js';
import { type HubResult, requireRecord } from './change-record.js';
import type { BasePorts } from './ports.js';

/*
 * A target that waits for humans leaves a note beside its record: the questions that it asked them, and the
 * clarifications below it that wait for one. The next process that routes the record goes on from there.
 */

/** What a target waited for when its record was left. */
interface LeftState {
  /** The clarifications that it asked and that waited for a human. */
  readonly below: readonly string[];
  /** How many turns the target has taken in this round. */
  readonly turns: number;
}

export async function whatWasLeft(
  { store }: Pick<BasePorts, 'store'>,
  record: ClarificationRecord,
): Promise<LeftState> {
  const { awaits = [] } = record;
  const { clarifications } = await store.ledgers.read(parseClarificationId(record.id).issueNumber);
  const recordsBelow = clarifications.filter(({ id }) => awaits.includes(id));
  const ownQuestions = await questionsOf({ store }, record);
  const causes = [
    ...recordsBelow,
    ...recordsBelow.flatMap(({ thread }) => thread),
    ...ownQuestions,
    ...ownQuestions.flatMap(({ attached = [] }) => attached),
  ];
  const turns = causes.flatMap(({ origin }) => {
    const cause = parseOrigin(origin);
    if (cause.by !== 'target' || cause.clarificationId !== record.id || cause.round !== record.round) return [];
    return cause.depth === undefined ? [] : [cause.depth + 1];
  });
  return { below: recordsBelow.map(({ id }) => id), turns: Math.max(0, ...turns) };
}

/** The questions of a target that humans have still to answer. */
export async function awaitedQuestions(
  ports: Pick<BasePorts, 'store'>,
  record: ClarificationRecord,
): Promise<readonly string[]> {
  return (await questionsOf(ports, record)).filter(isAwaited).map(({ id }) => id);
}

/** When the target last heard something that it waited for, from humans or from those below it that waited for humans. */
export async function lastHeard(
  ports: Pick<BasePorts, 'store'>,
  { id: ownId }: ClarificationRecord,
): Promise<string | undefined> {
  const { clarifications } = await ports.store.ledgers.read(parseClarificationId(ownId).issueNumber);
  const records = new Map(clarifications.map((record) => [record.id, record]));
  const ids = new Set([ownId]);
  // What is added meanwhile is looked at, too, and each once.
  for (const id of ids) for (const below of records.get(id)?.awaits ?? []) ids.add(below);
  const chain = [...ids].flatMap((id) => records.get(id) ?? []);
  const questions = await Promise.all(chain.map((record) => questionsOf(ports, record)));
  const times = [
    ...questions.flat().map(({ resolvedAt }) => resolvedAt),
    ...chain.map(({ id, thread }) => (id === ownId ? undefined : thread.at(-1)?.timestamp)),
  ];
  return times
    .flatMap((time) => time ?? [])
    .toSorted((left, right) => toEpochMs(left) - toEpochMs(right))
    .at(-1);
}

/** Notes with the record which of these clarifications wait for humans, and for what. */
export async function noteAwaited(
  ports: Pick<BasePorts, 'store'>,
  record: ClarificationRecord,
  results: readonly HubResult[],
) {
  const waitingResults = results.filter(({ waitingOn }) => waitingOn !== undefined);
  if (waitingResults.length > 0) {
    const ids = waitingResults.map(({ clarificationId }) => clarificationId);
    await note(ports, record.id, (current) => noteWaiting(current, 'awaits', ids));
  }
  return {
    waitingOn: waitingResults.flatMap((result) => result.waitingOn ?? []),
    heard: results.map(({ clarificationId }) => clarificationId),
  };
}

const UNDER_WAY: readonly ClarificationRecord['status'][] = ['pending', 'stale', 'escalated'];

/**
 * The record of a target that called tools to ask, and ended its turn before it was answered, with the note of what it
 * waits for; undefined if it waits for nothing.
 */
export async function leftByTool(
  ports: Pick<BasePorts, 'store'>,
  { id }: ClarificationRecord,
  since: string,
): Promise<ClarificationRecord | undefined> {
  const ledger = await ports.store.ledgers.read(parseClarificationId(id).issueNumber);
  const presentRecord = requireRecord(ledger, id);
  const recordsBelow = ledger.clarifications.filter(
    ({ within, blocking, status, created }) =>
      within === id && blocking && UNDER_WAY.includes(status) && !isBefore(created, since),
  );
  if (recordsBelow.length === 0 && (await awaitedQuestions(ports, presentRecord)).length === 0) return undefined;
  const ids = recordsBelow.map((record) => record.id);
  return ids.length === 0 ? presentRecord : note(ports, id, (current) => noteWaiting(current, 'awaits', ids));
}

/** Writes a note beside a record; nothing follows from it. */
export async function note(
  { store }: Pick<BasePorts, 'store'>,
  id: string,
  change: (record: ClarificationRecord) => ClarificationRecord,
): Promise<ClarificationRecord> {
  return store.ledgers.update(parseClarificationId(id).issueNumber, (ledger) => {
    const current = requireRecord(ledger, id);
    const next = change(current);
    if (next === current) return { next: ledger, result: next };
    const clarifications = ledger.clarifications.map((other) => (other === current ? next : other));
    return { next: { ...ledger, clarifications }, result: next };
  });
}

export async function questionsOf(
  { store }: Pick<BasePorts, 'store'>,
  { questions = [] }: ClarificationRecord,
): Promise<readonly Question[]> {
  if (questions.length === 0) return [];
  const storedQuestions = await Promise.all(questions.map((id) => store.questions.read(id)));
  return storedQuestions.filter((question) => question !== undefined);
}

export function isAwaited({ status, blocking }: Question): boolean {
  return status === 'open' && blocking;
}
