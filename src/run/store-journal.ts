import type { Journal } from '../ports/journal.js';
import type { RunClaim, Store } from '../ports/store.js';
import { AgentXError } from '../protocol/errors.js';
import { type Run, type RunEvent, runClaimed, transition } from '../protocol/run.js';

/** The journal that stands in the store's document of the issue's latest run. */
export function storeJournal({ runs }: Pick<Store, 'runs'>, issueNumber: number, claim: RunClaim): Journal {
  return {
    read: () => runs.read(issueNumber),
    async begin(run) {
      requireClaim(claim, issueNumber);
      await runs.update(issueNumber, () => ({ next: run, result: undefined }));
    },
    async append(events) {
      requireClaim(claim, issueNumber);
      return runs.update(issueNumber, (run) => {
        const next = continued(issueNumber, run, events);
        return { next, result: next };
      });
    },
  };
}

/** A process that was taken for dead, and is not, stops where it is: the run is another's. */
export function requireClaim(claim: RunClaim, issueNumber: number): void {
  if (!claim.isHeld()) throw runClaimed({ issueNumber });
}

function continued(issueNumber: number, run: Run | undefined, events: readonly RunEvent[]): Run {
  if (run !== undefined) return events.reduce(transition, run);
  throw new AgentXError('NOT_FOUND', `The run of issue #${issueNumber} is gone.`, { issueNumber });
}
