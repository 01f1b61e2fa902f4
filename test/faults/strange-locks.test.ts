import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { JsonFileLock } from '../../src/storage/files/json-file-lock.js';
import { claimPath, heirPath, lockPath, scratchPath, waitingPath } from '../../src/storage/files/lock-names.js';
import { thisProcess } from '../../src/storage/files/process-identity.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startChild } from './support/children.js';
import type { HolderConfig, HolderReport } from './support/holder.js';
import { kinds } from './support/kinds.js';
import { litterIn } from './support/litter.js';
import { aLiteralLock, aLockOfOurs, deadProcess, putHeir, putLock, secondsFromNow } from './support/lock-files.js';
import { ledgerPath } from './support/paths.js';

const { pid, start, host } = thisProcess();
const ELSEWHERE = 'other-machine/boot/pid:[1]';

describe('the lock of a process on this machine', () => {
  it('is taken over at once if the process is gone', async () => {
    expect(await isTaken((file) => putLock(file, aLockOfOurs({ pid: deadProcess() })))).toBe(true);
  });

  it('is taken over at once if its number now belongs to a process that started later [US-1.2/28]', async () => {
    expect(await isTaken((file) => putLock(file, aLockOfOurs({ pid, start: start - 1 })))).toBe(true);
  });

  it('is never taken while that very process runs, however old the lock is', async () => {
    const alive = aLockOfOurs({ pid, start, timestamp: '2020-01-01T00:00:00.000Z' });
    const put = (file: string): void => putLock(file, alive, secondsFromNow(-86_400));
    expect(await isTaken(put, { waitMs: 800, staleAfterMs: 50 })).toBe(false);
  });
});

describe('a lock that says nothing about its holder', () => {
  it.each([
    ['is empty', ''],
    ['is garbage', '\u0000\ufffdnot json'],
    ['is half written', '{"pid": 12, "times'],
    ['is JSON of another kind', '[1, 2, 3]'],
    ['has a wrong pid', '{"pid":"1","timestamp":"never","agent":7}'],
    [
      'has hostile fields',
      `{"pid":1e300,"token":"../../etc/passwd","host":"${host}","start":-1,"__proto__":{"pid":1}}`,
    ],
  ])('because it %s is held until it is old, and then taken over [US-1.2/28]', async (_, body) => {
    expect(await isTaken((file) => putLock(file, body), { waitMs: 300 })).toBe(false);
    expect(await isTaken((file) => putLock(file, body, secondsFromNow(-31)))).toBe(true);
    expect(await isTaken((file) => putLock(file, body), { staleAfterMs: 200 })).toBe(true);
  });

  it('because it is dated in the future is taken over after it was watched for the whole lease [US-1.2/28]', async () => {
    const dated = aLiteralLock({ pid: deadProcess(), timestamp: '2099-01-01T00:00:00.000Z' });
    const put = (file: string): void => putLock(file, dated, secondsFromNow(86_400 * 365));
    expect(await isTaken(put, { waitMs: 300 })).toBe(false);
    expect(await isTaken(put, { staleAfterMs: 400 })).toBe(true);
  });

  it('because it is dated in the future does not block programs for ever that each wait for less than the lease', async () => {
    const file = join(temporaryFolder(), 'shared.json');
    putLock(file, aLiteralLock({ pid: deadProcess(), timestamp: '2099-01-01T00:00:00.000Z' }), secondsFromNow(86_400));
    const config: HolderConfig = { file, name: 'impatient', stayMs: 0, turns: 1, waitMs: 700, staleAfterMs: 1_200 };
    const isHeld = async () => (await startChild<HolderReport>('holder', config).ended).code === 0;
    // Two of them together wait for longer than the lease.
    for (let tries = 1; !(await isHeld()); tries++) expect(tries).toBeLessThan(20);
  });
});

describe('the lock of a literal participant', () => {
  it('is taken over when it is older than thirty seconds [US-1.2/3]', async () => {
    const old = aLiteralLock({ pid: deadProcess(), timestamp: secondsFromNow(-31).toISOString() });
    expect(await isTaken((file) => putLock(file, old, secondsFromNow(-31)))).toBe(true);
  });

  it('is respected while it is younger, even if its process is not found here: it may run on another machine', async () => {
    const young = aLiteralLock({ pid: deadProcess() });
    expect(await isTaken((file) => putLock(file, young), { waitMs: 600 })).toBe(false);
  });
});

describe('the lock of another machine', () => {
  const foreign = aLockOfOurs({ pid: deadProcess(), host: ELSEWHERE });

  it('is respected while it is refreshed', async () => {
    expect(await isTaken((file) => putLock(file, foreign), { waitMs: 600 })).toBe(false);
  });

  it('is taken over when it was not refreshed for thirty seconds', async () => {
    expect(await isTaken((file) => putLock(file, foreign, secondsFromNow(-31)))).toBe(true);
  });
});

describe('what dead processes left beside a file', () => {
  it('is inherited and swept by the next update, and what live ones need stays', async () => {
    const root = temporaryFolder();
    const file = ledgerPath(root);
    const [orphan, deadHeir, passerBy] = [1, 2, 3].map(() => aLockOfOurs({ pid: deadProcess() }));
    const alive = aLockOfOurs({ pid, start });
    if (!orphan || !deadHeir || !passerBy) throw new Error('Three locks were asked for.');
    putLock(file, orphan);
    putHeir(file, orphan, deadHeir);
    putHeir(file, passerBy, deadHeir);
    writeFileSync(scratchPath(file, orphan.token), '{');
    writeFileSync(claimPath(file, passerBy.token), JSON.stringify(passerBy));
    writeFileSync(waitingPath(file), JSON.stringify(passerBy));
    writeFileSync(claimPath(file, alive.token), JSON.stringify(alive));
    await kinds.clarification.add(openFileStore({ root }), 'successor');
    await expect.poll(() => litterIn(root)).toEqual([`state/clarifications/issue-42.json.${alive.token}.claim.tmp`]);
  });

  it('is inherited through two heirs that died one after the other', async () => {
    const taken = await isTaken((file) => {
      const [orphan, first, second] = [1, 2, 3].map(() => aLockOfOurs({ pid: deadProcess() }));
      if (!orphan || !first || !second) throw new Error('Three locks were asked for.');
      putLock(file, orphan);
      putHeir(file, orphan, first);
      putHeir(file, first, second);
    });
    expect(taken).toBe(true);
  });

  it('is not touched while a living heir is at it', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'shared.json');
    const orphan = aLockOfOurs({ pid: deadProcess() });
    putLock(file, orphan);
    putHeir(file, orphan, aLockOfOurs({ pid, start }));
    expect(await new JsonFileLock({ waitMs: 300 }).acquire(file, 'waiter')).toBe(false);
    expect(JSON.parse(readFileSync(lockPath(file), 'utf8'))).toEqual(orphan);
    expect(existsSync(heirPath(file, orphan.token))).toBe(true);
  });
});

/** Whether a waiter gets the lock; if it does, it must leave nothing behind. */
async function isTaken(prepare: (file: string) => void, options: { waitMs?: number; staleAfterMs?: number } = {}) {
  const folder = temporaryFolder();
  const file = join(folder, 'shared.json');
  prepare(file);
  const lock = new JsonFileLock(options);
  const taken = await lock.acquire(file, 'waiter');
  if (taken) {
    expect(JSON.parse(readFileSync(lockPath(file), 'utf8'))).toMatchObject({ pid, agent: 'waiter' });
    lock.release(file);
    await expect.poll(() => litterIn(folder)).toEqual([]);
  }
  return taken;
}
