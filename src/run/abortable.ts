import type { RouteClaim } from '../ports/store.js';
import type { RunPorts } from './ports.js';

/** Longer than it takes to end a program that does not want to. */
const GRACE_MS = 3000;

/** What comes after the end: nothing ever goes on from here, so nothing is recorded that nobody waits for. */
const never = new Promise<never>(() => {});

export interface AbortablePorts {
  readonly ports: RunPorts;
  /** Resolves when no agent that was started is at work any more. */
  readonly rest: () => Promise<void>;
}

/**
 * The same ports, for work that may be broken off: whoever waits for an agent or for time then waits for ever, and
 * neither a failure of the agent that was ended nor anything that would follow from it is recorded.
 */
export function abortable(ports: RunPorts, signal: AbortSignal): AbortablePorts {
  const atWork = new Set<Promise<unknown>>();
  const unlessAborted = async <T>(work: Promise<T>): Promise<T> => {
    atWork.add(work);
    try {
      const result = await work;
      return signal.aborted ? never : result;
    } catch (error) {
      if (signal.aborted) return never;
      throw error;
    } finally {
      atWork.delete(work);
    }
  };
  const claims = new Set<RouteClaim>();
  const claim = async (clarificationId: string): Promise<RouteClaim | undefined> => {
    const taken = await ports.store.ledgers.claim(clarificationId);
    if (taken === undefined) return undefined;
    const release = () => {
      claims.delete(taken);
      taken.release();
    };
    claims.add(taken);
    if (!signal.aborted) return { release };
    release();
    return never;
  };
  return {
    ports: {
      ...ports,
      store: { ...ports.store, ledgers: { ...ports.store.ledgers, claim } },
      clock: {
        now: () => ports.clock.now(),
        sleep: (milliseconds) => unlessAborted(ports.clock.sleep(milliseconds, signal)),
      },
      runnerFor: (agent) => {
        const runner = ports.runnerFor(agent);
        return {
          ...runner,
          run: (brief, turn) => (signal.aborted ? never : unlessAborted(runner.run(brief, { ...turn, signal }))),
        };
      },
    },
    rest: async () => {
      const enough = new AbortController();
      // A runner that does not listen must not keep everybody waiting.
      const patience = ports.clock.sleep(atWork.size > 0 ? GRACE_MS : 0, enough.signal).catch(() => {});
      await Promise.race([Promise.allSettled(atWork), patience]);
      enough.abort();
      // Whoever held them waits for ever, and would keep everybody else from asking.
      for (const taken of claims) taken.release();
    },
  };
}
