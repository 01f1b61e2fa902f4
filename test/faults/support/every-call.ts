import { expect } from 'vitest';

export type Reached = 'killed' | 'the end';

interface EveryCallOptions {
  /** More calls than there can be; reaching it means that no process got to its end. */
  readonly most: number;
  readonly first?: number;
  readonly stride?: number;
}

/** Each has a folder of its own, and waits for its process most of the time. */
const AT_ONCE = 6;

/**
 * Kills one process at its first call, another one at the next, until one gets to its end. Returns how many were
 * killed.
 */
export async function killAtEveryCall(
  killAt: (call: number) => Promise<Reached>,
  { most, first = 1, stride = 1 }: EveryCallOptions,
): Promise<number> {
  let killed = 0;
  for (let at = first; ; at += AT_ONCE * stride) {
    expect(at).toBeLessThan(most);
    const calls = Array.from({ length: AT_ONCE }, (_, index) => at + index * stride);
    const reached = await Promise.all(calls.map(killAt));
    killed += reached.filter((end) => end === 'killed').length;
    if (reached.includes('the end')) return killed;
  }
}
