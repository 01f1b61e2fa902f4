import { setTimeout as sleep } from 'node:timers/promises';

/** Generous, because no test is about how soon something happens, only about whether it does. */
const PATIENCE_MS = 180_000;

/** Looks again and again until it sees something true, and returns that. */
export async function until<T>(
  look: () => T | Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<Exclude<T, undefined | false>> {
  const start = performance.now();
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs = performance.now() - start) {
    const result = await look();
    if (isThere(result)) return result;
    // Many a look takes work that slows down what is waited for: the longer the wait, the fewer.
    await sleep(Math.min(10 + waitedMs / 20, 100));
  }
  throw new Error(`Not so after ${patienceMs / 1000} s: ${look}`);
}

function isThere<T>(value: T): value is Exclude<T, undefined | false> {
  return value !== undefined && value !== false;
}
