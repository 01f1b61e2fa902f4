import { expect } from 'vitest';

export type Reached = 'killed' | 'the end';

interface EveryCallOptions {
  /** More calls than there can be; reaching it means that no process got to its end. */
  readonly most: number;
  /** Only every so many calls, beginning with another one in each run. */
  readonly stride?: number;
}

/** Each has a folder of its own, and waits for its process most of the time. */
const AT_ONCE = 4;

/**
 * Kills one process at its first call, another one at the next, until one gets to its end. Returns how many were
 * killed.
 */
export async function killAtEveryCall(
  killAt: (call: number) => Promise<Reached>,
  { most, stride = 1 }: EveryCallOptions,
): Promise<number> {
  let killed = 0;
  let next = 1 + Math.floor(Math.random() * stride);
  let isOver = false;
  const killOneAfterAnother = async () => {
    while (!isOver) {
      expect(next).toBeLessThan(most);
      const at = next;
      next += stride;
      if ((await killAt(at)) === 'killed') killed += 1;
      else isOver = true;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, killOneAfterAnother));
  return killed;
}
