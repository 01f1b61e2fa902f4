import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { acquireLock, type LockContention } from './lock.js';

/** A lock of another program, which is judged by its age alone. */
function heldByAnother(file: string): void {
  writeFileSync(`${file}.lock`, JSON.stringify({ pid: 1, timestamp: new Date().toISOString(), agent: 'other' }));
}

function heard() {
  const contentions: LockContention[] = [];
  return { contentions, onContention: (contention: LockContention) => void contentions.push(contention) };
}

/** Waits for the lock of another process, holds it for a while and releases it. */
async function holdAfterWait(file: string, onContention: (contention: LockContention) => void): Promise<void> {
  heldByAnother(file);
  const asked = acquireLock(file, { agent: 'engineer', onContention });
  await sleep(100);
  rmSync(`${file}.lock`);
  const lock = await asked;
  await sleep(60);
  lock.release();
}

describe('a lock that is fought over', () => {
  it('tells who waited how long for it, and how long it was held then [CL-7/2]', async () => {
    const file = join(temporaryFolder(), 'issue-1.json');
    const { contentions, onContention } = heard();
    await holdAfterWait(file, onContention);
    expect(contentions).toEqual([
      { step: 'taken', filePath: file, agent: 'engineer', durationMs: expect.any(Number) },
      { step: 'released', filePath: file, agent: 'engineer', durationMs: expect.any(Number) },
    ]);
  });

  it('tells of a wait that was in vain', async () => {
    const file = join(temporaryFolder(), 'issue-1.json');
    const { contentions, onContention } = heard();
    heldByAnother(file);
    await expect(acquireLock(file, { agent: 'engineer', onContention, waitMs: 60 })).rejects.toMatchObject({
      code: 'LOCK_TIMEOUT',
    });
    expect(contentions).toMatchObject([{ step: 'refused', filePath: file, agent: 'engineer' }]);
  });

  it('tells nothing of a lock that is free and let go of at once', async () => {
    const file = join(temporaryFolder(), 'issue-1.json');
    const { contentions, onContention } = heard();
    for (let turn = 0; turn < 20; turn++) (await acquireLock(file, { agent: 'engineer', onContention })).release();
    // A machine that stood still in between may have made one of them long.
    expect(contentions.length).toBeLessThan(20);
  });

  it('is held and released all the same if the listener fails', async () => {
    const file = join(temporaryFolder(), 'issue-1.json');
    const onContention = () => {
      throw new Error('The listener failed.');
    };
    await holdAfterWait(file, onContention);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});
