import { describe, expect, it } from 'vitest';
import { TaskScheduler, type Timers } from './task-scheduler.js';

/** Timers that go off when the test says so. */
function handTimers() {
  const waiting = new Map<number, () => void>();
  const waits: number[] = [];
  let last = 0;
  const timers: Timers = {
    set: (work, milliseconds) => {
      waiting.set(++last, work);
      waits.push(milliseconds);
      return last;
    },
    clear: (timer) => waiting.delete(Number(timer)),
  };
  const ring = async () => {
    const [first] = waiting;
    if (first === undefined) return false;
    waiting.delete(first[0]);
    first[1]();
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    return true;
  };
  return { timers, ring, waits };
}

describe('the scheduler', () => {
  it('does its work at once and then again and again, one at a time, past failures, until it is cancelled [US-5.4/6]', async () => {
    const { timers, ring, waits } = handTimers();
    const scheduler = new TaskScheduler(timers);
    const done: string[] = [];
    const failures: unknown[] = [];
    let release = () => {};
    const work = () => {
      done.push('begun');
      if (done.length === 1) throw new Error('no luck');
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    };
    scheduler.schedule('sweep', { everyMs: 1000, work: async () => work(), failed: (error) => failures.push(error) });
    expect(await ring()).toBe(true);
    expect(failures).toMatchObject([{ message: 'no luck' }]);
    expect(await ring()).toBe(true);
    expect(await ring(), 'a second one while the first is at work').toBe(false);
    release();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await ring()).toBe(true);
    scheduler.dispose();
    release();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await ring()).toBe(false);
    expect(done).toHaveLength(3);
    expect(scheduler.names).toEqual([]);
    expect(waits).toEqual([0, 1000, 1000]);
  });
});
