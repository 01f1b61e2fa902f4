import type { ListedClarification, Store } from '../../src/ports/store.js';
import type { ClarificationRecord } from '../../src/protocol/clarification.js';
import { parseClarificationId } from '../../src/protocol/ids.js';
import { openInMemoryStore } from '../../src/storage/in-memory/store.js';
import { aHub, type FixedClock, fixedClock, type TestHub, type TestHubOptions } from './hub.js';

const MS_PER_MINUTE = 60_000;

export function active(...records: readonly ClarificationRecord[]): readonly ListedClarification[] {
  return records.map((record) => ({ issueNumber: parseClarificationId(record.id).issueNumber, record }));
}

export interface FilledHub extends TestHub {
  readonly clock: FixedClock;
  /** How many documents were written since the hub was filled. */
  readonly writes: () => number;
  readonly advance: (minutes: number) => void;
  readonly record: (id: string) => Promise<ClarificationRecord | undefined>;
}

/** A hub at ten o'clock whose ledgers hold these records. */
export async function aHubWith(
  records: readonly ClarificationRecord[],
  options: Omit<TestHubOptions, 'clock'> = {},
): Promise<FilledHub> {
  const { store, writes } = counting(options.store ?? openInMemoryStore());
  const issues = Math.max(0, ...active(...records).map(({ issueNumber }) => issueNumber));
  const clock = fixedClock();
  const hub = await aHub({ issues, ...options, store, clock });
  for (const { issueNumber, record } of active(...records)) {
    await store.ledgers.update(issueNumber, (ledger) => ({
      next: { ...ledger, clarifications: [...ledger.clarifications, record] },
      result: undefined,
    }));
  }
  const writesBefore = writes();
  return {
    ...hub,
    clock,
    writes: () => writes() - writesBefore,
    advance: (minutes) => clock.advance(minutes * MS_PER_MINUTE),
    record: async (id) => {
      const ledger = await store.ledgers.read(parseClarificationId(id).issueNumber);
      return ledger.clarifications.find((candidate) => candidate.id === id);
    },
  };
}

/** Counts updates that change something, as every store writes only then. */
function counting(store: Store): { store: Store; writes: () => number } {
  let writes = 0;
  const noting = <T, R>(update: (current: T) => { readonly next: T; readonly result: R }) => {
    return (current: T) => {
      const outcome = update(current);
      if (outcome.next !== current) writes++;
      return outcome;
    };
  };
  return {
    writes: () => writes,
    store: {
      ...store,
      ledgers: { ...store.ledgers, update: (number, update) => store.ledgers.update(number, noting(update)) },
      statuses: { ...store.statuses, update: (agents, update) => store.statuses.update(agents, noting(update)) },
      questions: {
        ...store.questions,
        create: (question) => {
          writes++;
          return store.questions.create(question);
        },
        update: (id, update) => store.questions.update(id, noting(update)),
      },
      issues: { ...store.issues, update: (number, update) => store.issues.update(number, noting(update)) },
    },
  };
}
