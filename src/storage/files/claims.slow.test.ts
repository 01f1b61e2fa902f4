import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aRun } from '../../../test/builders/run.js';
import { aLockOfOurs, putLock, secondsFromNow } from '../../../test/faults/support/lock-files.js';
import { refusingAny } from '../../../test/faults/support/strange-file-systems.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import type { ClaimOn } from '../../protocol/claim.js';
import { openFileStore } from './store.js';

const newRoot = () => join(temporaryFolder(), '.agentx');

describe('a claim that a process had when its machine was restarted', () => {
  it.each<[string, ClaimOn]>([
    ['state/runs/issue-7.claim.json', { run: 7 }],
    ['state/clarifications/CLR-7-001.route.json', { route: 'CLR-7-001' }],
    ['state/clarifications/issue-7.writing.json', { writing: 7 }],
    ['state/questions/issue-7.asking.json', { asking: 7 }],
    ['memory/issue-7.archiving.json', { archiving: 7 }],
    ['state/notify.claim.json', { notify: 'people' }],
  ])('is free for the next command when its lease is over: %s', async (name, on) => {
    const root = newRoot();
    putLock(join(root, name), aLockOfOurs({ pid: 1, host: 'this-machine/last-boot/pid:[1]' }), secondsFromNow(-31));
    const store = openFileStore({ root, sync: false });
    expect(await store.heldBy(on)).toBe('dead');
    await (await store.claim(on)).release();
    expect(await store.heldBy(on)).toBe('none');
  });
});

describe('a claim whose lock cannot be examined', () => {
  it('is not lost for that, and nothing is written with it', async () => {
    let isRefusing = false;
    const fs = refusingAny((_, on) => (isRefusing && String(on).endsWith('.claim.json.lock') ? 'EIO' : undefined));
    const { claim: claimOn, runs } = openFileStore({ root: newRoot(), sync: false, fs });
    const claim = await claimOn({ run: 42 });
    const start = () => runs.update(42, () => ({ next: aRun({ issueNumber: 42 }), result: 'written' }), claim);
    isRefusing = true;
    expect(claim.lost.aborted).toBe(false);
    await expect(start()).rejects.toMatchObject({ code: 'STORE_ERROR' });
    isRefusing = false;
    expect(await start()).toBe('written');
    await claim.release();
  });
});
