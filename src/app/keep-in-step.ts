import type { Change } from '../ports/changes.js';
import type { Log } from '../ports/log.js';
import { messageOf } from '../protocol/errors.js';
import type { SyncReport } from '../protocol/github.js';

/** Of a process that lives for a while. */
export interface InStep {
  /** Exchanges changes without waiting for the next time. */
  now(): void;
  /** Resolves when nothing is under way any more. */
  end(): Promise<void>;
}

export interface InStepOptions {
  readonly sync: (signal: AbortSignal) => Promise<SyncReport>;
  readonly watch: (listener: (change: Change) => void) => () => void;
  readonly log: Log;
  readonly onAnswered: (questionId: string) => void;
  readonly everyMs?: number;
  readonly restMs?: number;
}

/** Asking whether something changed costs nothing of GitHub's limits if nothing did. */
const EVERY_MS = 10_000;
/** Changes come in groups, and a sync makes some itself. */
const REST_MS = 500;

/** Exchanges changes with GitHub now, soon after each change here, and now and then. */
export function keepInStep({
  sync,
  watch,
  log,
  onAnswered,
  everyMs = EVERY_MS,
  restMs = REST_MS,
}: InStepOptions): InStep {
  const stop = new AbortController();
  let wake = () => {};
  let isWanted = false;
  const now = () => {
    isWanted = true;
    wake();
  };
  const endWatch = watch(now);
  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const work = async () => {
    while (!stop.signal.aborted) {
      isWanted = false;
      try {
        const { answered } = await sync(stop.signal);
        for (const id of answered) onAnswered(id);
      } catch (error) {
        if (!stop.signal.aborted) log.warn('GitHub was not asked', { error: messageOf(error) });
      }
      if (!isWanted && !stop.signal.aborted) await pause(everyMs);
      if (!stop.signal.aborted) await pause(restMs);
    }
  };
  const currentWork = work();
  return {
    now,
    end: async () => {
      stop.abort();
      endWatch();
      wake();
      await currentWork;
    },
  };
}
