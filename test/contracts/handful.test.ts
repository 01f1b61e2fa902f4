import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ClarificationRecord } from '../../src/protocol/clarification.js';
import { makeClarificationId } from '../../src/protocol/ids.js';
import { CLOCK_STEP_MS } from '../../src/storage/files/file-system.js';
import { acquireLockNow } from '../../src/storage/files/lock.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { aClarification } from '../builders/clarification.js';
import { anIssue } from '../builders/issue.js';
import { aQuestion } from '../builders/question.js';
import { aLockOfOurs, deadProcess, putLock } from '../faults/support/lock-files.js';
import { countedFileSystem } from '../support/counted-file-system.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/*
 * How long something takes differs from machine to machine; the number of calls to the file system does not. A tenth of
 * a second is some thousand calls: an operation of a few dozen calls without waiting is far below it.
 */

/** More threads than issues usually have, each with all its rounds. */
function manyRecords(): readonly ClarificationRecord[] {
  const entry = { from: 'engineer', body: 'x'.repeat(500), timestamp: '2026-02-26T10:00:00.000Z' };
  const thread = Array.from({ length: 5 }, (_, round) => [
    { ...entry, round: round + 1, type: 'question' as const },
    { ...entry, round: round + 1, type: 'answer' as const },
  ]).flat();
  return Array.from({ length: 100 }, (_, index) =>
    aClarification({ id: makeClarificationId(1, index + 1), round: 5, status: 'answered', thread }),
  );
}

async function aFullLedger(root: string): Promise<void> {
  const clarifications = manyRecords();
  await openFileStore({ root }).ledgers.update(1, (ledger) => ({
    next: { ...ledger, clarifications },
    result: undefined,
  }));
}

describe('a ledger of a hundred threads', () => {
  it('is read with a handful of calls, whatever else is there', async () => {
    const root = join(temporaryFolder(), '.agentx');
    await aFullLedger(root);
    const { fs, calls } = countedFileSystem();
    const store = openFileStore({ root, fs });
    calls.length = 0;
    expect((await store.ledgers.read(1)).clarifications).toHaveLength(100);
    expect(calls.length).toBeLessThanOrEqual(6);
  });

  it('is written with a few dozen calls and a handful of syncs', async () => {
    const root = join(temporaryFolder(), '.agentx');
    await aFullLedger(root);
    const { fs, calls } = countedFileSystem();
    const store = openFileStore({ root, fs });
    calls.length = 0;
    await store.ledgers.update(1, (ledger) => ({
      next: { ...ledger, clarifications: [...ledger.clarifications, aClarification({ id: 'CLR-1-101' })] },
      result: undefined,
    }));
    expect((await store.ledgers.read(1)).clarifications).toHaveLength(101);
    expect(calls.length).toBeLessThanOrEqual(52);
    expect(calls.filter((call) => /^f(data)?sync(Sync)?$/.test(call)).length).toBeLessThanOrEqual(6);
  });
});

describe('a page of a long list', () => {
  it('opens only the documents that it shows', async () => {
    const root = join(temporaryFolder(), '.agentx');
    const openStore = openFileStore({ root, sync: false });
    for (let index = 0; index < 60; index++) {
      await openStore.issues.create(anIssue());
      await openStore.questions.create(aQuestion({ id: `oq-${index}`, status: 'resolved', outcome: 'answered' }));
    }
    await openStore.close();
    await sleep(2 * CLOCK_STEP_MS);
    const settled = openFileStore({ root });
    await settled.questions.list({ limit: 0 });
    const { fs, calls } = countedFileSystem();
    const store = openFileStore({ root, fs });
    const opened = async (list: () => Promise<unknown>) => {
      calls.length = 0;
      await list();
      return calls.filter((call) => call === 'openSync' || call === 'readFileSync').length;
    };
    const { next: after } = await settled.questions.list({ limit: 20 });
    expect(await opened(() => store.issues.list({ limit: 3 }))).toBe(3);
    // Beside them the index, which other processes left.
    expect(await opened(() => store.questions.list({ limit: 3, after }))).toBeLessThan(3 + 4);
    expect(await opened(() => store.questions.list({ limit: 0 }))).toBeLessThan(4);
  });
});

describe('the lock of a process that died', () => {
  it('is judged and taken over at once, with a handful of calls', () => {
    const file = join(temporaryFolder(), 'ledger.json');
    putLock(file, aLockOfOurs({ pid: deadProcess() }));
    const { fs, calls } = countedFileSystem();
    const lock = acquireLockNow(file, { agent: 'engineer', fs });
    expect(lock.isMine()).toBe(true);
    expect(calls.length).toBeLessThanOrEqual(48);
    lock.release();
  });
});
