import type { Journal } from '../ports/journal.js';
import type { Claim, Store } from '../ports/store.js';
import { AgentXError } from '../protocol/errors.js';
import { transition } from '../protocol/run.js';

/** The journal in the store's document of the issue's latest run. */
export function storeJournal({ runs }: Pick<Store, 'runs'>, issueNumber: number): Journal {
  return {
    read: () => runs.read(issueNumber),
    begin: (run) => runs.update(issueNumber, () => ({ next: run, result: undefined })),
    append: (events) =>
      runs.update(issueNumber, (run) => {
        if (run === undefined) {
          throw new AgentXError('NOT_FOUND', `The run of issue #${issueNumber} is gone.`, { issueNumber });
        }
        const next = events.reduce(transition, run);
        return { next, result: next };
      }),
  };
}

/**
 * The store of a process that carries a run: its writes to the run carry its claim. A process that was wrongly taken
 * for dead is refused with CONFLICT: another process has the run.
 */
export function underClaim(store: Store, claim: Claim): Store {
  const { runs, sessions, transcripts } = store;
  return {
    ...store,
    runs: { ...runs, update: (issueNumber, update) => runs.update(issueNumber, update, claim) },
    sessions: { ...sessions, update: (id, update) => sessions.update(id, update, claim) },
    transcripts: { ...transcripts, update: (id, update) => transcripts.update(id, update, claim) },
  };
}
