import { toEpochMs } from '../protocol/timestamp.js';
import type { Call } from './call.js';

const LOOK_EVERY_MS = 1_000;
const PROGRESS_EVERY_MS = 10_000;

/** When a call that began now, and may wait for so many seconds, must answer at the latest. */
export function deadlineIn({ app, maxSeconds }: Call, seconds = maxSeconds): number {
  return toEpochMs(app.clock.now()) + Math.max(0, Math.min(seconds, maxSeconds)) * 1000;
}

/** What `result` resolves to, or undefined if the deadline or the client's patience ends before. */
export async function until<T>(call: Call, deadline: number, result: Promise<T>): Promise<T | undefined> {
  const { stop, end } = stopping(call);
  try {
    return await Promise.race([result, reportUntil(call, deadline, stop)]);
  } finally {
    end();
  }
}

/**
 * Aborts with the call, or when the waiting is over. Every call waits, so it is made to be quick: a signal made of two,
 * and a reason with a stack, would take a third longer.
 */
function stopping({ signal }: Call): { readonly stop: AbortSignal; readonly end: () => void } {
  const over = new AbortController();
  const end = () => {
    signal.removeEventListener('abort', end);
    over.abort(OVER);
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end);
  return { stop: over.signal, end };
}

const OVER = 'over';

/** Looks again whenever something has changed, until there is something or time is over. */
export async function lookUntil<T>(
  call: Call,
  deadline: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { stop, end: endWaiting } = stopping(call);
  let ring = () => {};
  const end = call.app.watch(() => ring());
  const looking = async (): Promise<T | undefined> => {
    for (;;) {
      const change = new Promise<void>((resolve) => {
        ring = resolve;
      });
      const result = await look();
      if (result !== undefined || stop.aborted) return result;
      const rest = new AbortController();
      await Promise.race([change, pause(call, LOOK_EVERY_MS, AbortSignal.any([stop, rest.signal]))]);
      rest.abort();
    }
  };
  try {
    return await Promise.race([looking(), reportUntil(call, deadline, stop)]);
  } finally {
    endWaiting();
    end();
  }
}

/** Reports progress until the deadline. */
async function reportUntil(call: Call, deadline: number, stop: AbortSignal): Promise<undefined> {
  for (;;) {
    const remainingMs = deadline - toEpochMs(call.app.clock.now());
    if (remainingMs <= 0 || stop.aborted) return undefined;
    await pause(call, Math.min(remainingMs, PROGRESS_EVERY_MS), stop);
    if (!stop.aborted) call.report();
  }
}

async function pause({ app }: Call, milliseconds: number, stop: AbortSignal): Promise<void> {
  try {
    await app.clock.sleep(milliseconds, stop);
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}
