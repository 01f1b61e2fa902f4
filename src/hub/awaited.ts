import { type ClarificationRecord, noteWaiting } from '../protocol/clarification.js';
import { parseClarificationId } from '../protocol/ids.js';
import { parseOrigin } from '../protocol/origin.js';
import type { Question } from '../protocol/question.js';
import { isBefore } from '../protocol/timestamp.js';
import { requireRecord } from './change-record.js';
import type { HubPorts, HubResult } from './ports.js';

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

export async function whatWasLeft({ store }: Pick<HubPorts, 'store'>, record: ClarificationRecord): Promise<LeftState> {
  const { awaits = [] } = record;
  const { clarifications } = await store.ledgers.read(parseClarificationId(record.id).issueNumber);
  const below = clarifications.filter(({ id }) => awaits.includes(id));
  const own = await questionsOf({ store }, record);
  const causes = [
    ...below,
    ...below.flatMap(({ thread }) => thread),
    ...own,
    ...own.flatMap(({ attached = [] }) => attached),
  ];
  const turns = causes.flatMap(({ origin }) => {
    const cause = parseOrigin(origin);
    if (cause.by !== 'target' || cause.clarificationId !== record.id || cause.round !== record.round) return [];
    return cause.depth === undefined ? [] : [cause.depth + 1];
  });
  return { below: below.map(({ id }) => id), turns: Math.max(0, ...turns) };
}

/** The questions of a target that humans have still to answer. */
export async function awaitedQuestions(
  ports: Pick<HubPorts, 'store'>,
  record: ClarificationRecord,
): Promise<readonly string[]> {
  return (await questionsOf(ports, record)).filter(isAwaited).map(({ id }) => id);
}

/** Notes with the record which of these clarifications wait for humans, and for what. */
export async function noteAwaited(
  ports: Pick<HubPorts, 'store'>,
  record: ClarificationRecord,
  routed: readonly HubResult[],
) {
  const waiting = routed.filter(({ waitingOn }) => waitingOn !== undefined);
  if (waiting.length > 0) {
    const ids = waiting.map(({ clarificationId }) => clarificationId);
    await note(ports, record.id, (current) => noteWaiting(current, 'awaits', ids));
  }
  return {
    waitingOn: waiting.flatMap((result) => result.waitingOn ?? []),
    heard: routed.map(({ clarificationId }) => clarificationId),
  };
}

const UNDER_WAY: readonly ClarificationRecord['status'][] = ['pending', 'stale', 'escalated'];

/**
 * The record of a target that called tools to ask, and ended its turn before it was answered, with the note of what it
 * waits for; undefined if it waits for nothing.
 */
export async function leftByTool(
  ports: Pick<HubPorts, 'store'>,
  { id }: ClarificationRecord,
  since: string,
): Promise<ClarificationRecord | undefined> {
  const ledger = await ports.store.ledgers.read(parseClarificationId(id).issueNumber);
  const present = requireRecord(ledger, id);
  const below = ledger.clarifications.filter(
    ({ within, blocking, status, created }) =>
      within === id && blocking && UNDER_WAY.includes(status) && !isBefore(created, since),
  );
  if (below.length === 0 && (await awaitedQuestions(ports, present)).length === 0) return undefined;
  const ids = below.map((record) => record.id);
  return ids.length === 0 ? present : note(ports, id, (current) => noteWaiting(current, 'awaits', ids));
}

/** Writes a note beside a record; nothing follows from it. */
export async function note(
  { store }: Pick<HubPorts, 'store'>,
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
  { store }: Pick<HubPorts, 'store'>,
  { questions = [] }: ClarificationRecord,
): Promise<readonly Question[]> {
  if (questions.length === 0) return [];
  const storedQuestions = await Promise.all(questions.map((id) => store.questions.read(id)));
  return storedQuestions.filter((question) => question !== undefined);
}

export function isAwaited({ status, blocking }: Question): boolean {
  return status === 'open' && blocking;
}
