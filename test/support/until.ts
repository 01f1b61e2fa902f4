import { setTimeout as sleep } from 'node:timers/promises';

/** Generous, because no test is about how soon something happens, only about whether it does. */
const PATIENCE_MS = 60_000;

/** Looks again and again until it sees something true, and returns that. */
export async function until<T>(look: () => T | Promise<T>): Promise<Exclude<T, undefined | false>> {
  const end = performance.now() + PATIENCE_MS;
  do {
    const seen = await look();
    if (isThere(seen)) return seen;
    await sleep(10);
  } while (performance.now() < end);
  throw new Error(`Not so after ${PATIENCE_MS / 1000} s: ${look}`);
}

function isThere<T>(seen: T): seen is Exclude<T, undefined | false> {
  return seen !== undefined && seen !== false;
}
