import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AsyncMutex } from './async-mutex.js';

describe('AsyncMutex', () => {
  it('lets those who ask for one key through one at a time, in the order in which they came [US-1.2/7]', async () => {
    const mutex = new AsyncMutex();
    const log: string[] = [];
    const work = (name: string, ms: number) =>
      mutex.withLock('ledger', async () => {
        log.push(`${name} in`);
        await sleep(ms);
        log.push(`${name} out`);
      });
    await Promise.all([work('a', 15), work('b', 1), work('c', 5)]);
    expect(log).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
  });

  it('does not make those wait who ask for another key', async () => {
    const mutex = new AsyncMutex();
    const release = await mutex.acquire('one');
    expect(await mutex.withLock('other', () => 'through')).toBe('through');
    release();
  });

  it('lets the next one in when the work throws', async () => {
    const mutex = new AsyncMutex();
    const failing = mutex.withLock('ledger', () => {
      throw new Error('no');
    });
    const next = mutex.withLock('ledger', () => 'through');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('through');
  });

  it('ignores a second release', async () => {
    const mutex = new AsyncMutex();
    const release = await mutex.acquire('ledger');
    const second = mutex.acquire('ledger');
    release();
    const releaseSecond = await second;
    release();
    let third = false;
    const waiting = mutex.acquire('ledger').then((releaseThird) => {
      third = true;
      releaseThird();
    });
    await sleep(5);
    expect(third).toBe(false);
    releaseSecond();
    await waiting;
  });
});
