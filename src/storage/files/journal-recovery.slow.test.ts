import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AT, aClarification, aLedger } from '../../../test/builders/clarification.js';
import { putJournal, SECOND } from '../../../test/faults/support/journal-files.js';
import { aLockOfOurs, deadProcess, putLock } from '../../../test/faults/support/lock-files.js';
import { refusingAny } from '../../../test/faults/support/strange-file-systems.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import type { Store } from '../../ports/store.js';
import { examineFiles } from './doctor/doctor.js';
import { type FileSystem, realFileSystem } from './file-system.js';
import { lockPath } from './lock-names.js';
import { machineOf, type ProcessIdentity, thisProcess } from './process-identity.js';
import { openFileStore } from './store.js';

const LEDGER = 'state/clarifications/issue-1.json';
const CUT: ProcessIdentity = { host: `${machineOf(thisProcess().host)}/an-earlier-boot/ns`, pid: 4, start: 2 };
const RENAMED: ProcessIdentity = { host: 'the-name-it-had/its-boot/ns', pid: 4, start: 2 };

const withTopics = (...topics: readonly string[]): string =>
  JSON.stringify(
    aLedger({
      issueNumber: 1,
      clarifications: topics.map((topic, index) => aClarification({ id: `CLR-1-00${index + 1}`, topic })),
    }),
  );

/** The acknowledged content is in the journal, and the document is older. */
function afterTheCut(owner: ProcessIdentity, there = withTopics('old')) {
  const root = join(temporaryFolder(), '.agentx');
  const file = join(root, LEDGER);
  const journal = putJournal(root, owner, [{ path: LEDGER, content: withTopics('old', 'acknowledged') }]);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, there);
  utimesSync(file, SECOND / 1000 - 9, SECOND / 1000 - 9);
  return { root, file, journal };
}

/** The lock of a running process: no other process can have it. */
const heldByTheLiving = () => aLockOfOurs({ ...thisProcess() });

const change = (store: Store, issueNumber = 1): Promise<unknown> =>
  store.ledgers.update(issueNumber, (ledger) => ({
    next: { ...ledger, lastSequence: 7 },
    result: ledger.clarifications.map(({ topic }) => topic),
  }));

describe('a journal that could not be recovered', () => {
  it('because somebody holds the lock is not buried: its document is written when it is settled', async () => {
    const { root, file, journal } = afterTheCut(CUT);
    putLock(file, heldByTheLiving());
    const store = openFileStore({ root, lockWaitMs: 50 });
    await expect(change(store)).rejects.toMatchObject({ code: 'LOCK_TIMEOUT' });
    rmSync(lockPath(file));
    // Tried again a second later at the earliest; until then it is refused.
    await expect.poll(() => change(store).catch(({ message }) => message)).toEqual(['old', 'acknowledged']);
    expect(existsSync(journal)).toBe(false);
  });

  it('because its machine may have another name keeps its documents from being written, and no others', async () => {
    const { root, file, journal } = afterTheCut(RENAMED);
    const store = openFileStore({ root });
    const refusal = await change(store).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'STORE_ERROR', details: { path: file, journal } });
    expect(refusal).toHaveProperty('message', expect.stringContaining('may still be at work on another machine'));
    expect(readFileSync(file, 'utf8')).toBe(withTopics('old'));
    expect(await change(store, 2)).toEqual([]);
    utimesSync(journal, SECOND / 1000, SECOND / 1000);
    expect(await change(openFileStore({ root }))).toEqual(['old', 'acknowledged']);
  });

  it('because the disk refused a sync is tried again before its document is written', async () => {
    const { root, journal } = afterTheCut(CUT);
    let refusals = 1;
    const fdatasyncSync: FileSystem['fdatasyncSync'] = (fd) => {
      if (refusals-- > 0) throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
      realFileSystem.fdatasyncSync(fd);
    };
    const store = openFileStore({ root, fs: { ...realFileSystem, fdatasyncSync } });
    expect(existsSync(journal)).toBe(true);
    const refusal = await change(store).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'STORE_ERROR', message: expect.stringContaining('EIO') });
    await expect.poll(() => change(store).catch(({ message }) => message)).toEqual(['old', 'acknowledged']);
    expect(existsSync(journal)).toBe(false);
  });

  it.each(['EIO', 'EMFILE', 'EACCES'])(
    'because its folder cannot be read (%s) keeps every document from being written until it can',
    async (code) => {
      const { root, file, journal } = afterTheCut(CUT);
      let isRefused = true;
      const fs = refusingAny((_, on) => (isRefused && on === dirname(journal) ? code : undefined));
      const store = openFileStore({ root, fs });
      const refusal = await change(store).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: 'STORE_ERROR', details: { path: file, journal: dirname(journal) } });
      await expect(change(store, 2)).rejects.toThrow('agentx doctor --repair');
      expect((await store.ledgers.read(1)).clarifications).toHaveLength(1);
      isRefused = false;
      await expect.poll(() => change(store).catch(({ message }) => message)).toEqual(['old', 'acknowledged']);
      expect(existsSync(journal)).toBe(false);
    },
  );

  it.each([CUT, { ...CUT, host: thisProcess().host, pid: deadProcess() }])(
    'because the disk refused to sync a folder is written anew: the next sync says nothing of the name before ($host)',
    async (owner) => {
      const { root, file, journal } = afterTheCut(owner, withTopics('old', 'acknowledged'));
      utimesSync(file, SECOND / 1000, SECOND / 1000);
      let isRefused = true;
      const fs = refusingAny((name) => (isRefused && name === 'fsyncSync' ? 'EIO' : undefined));
      const store = openFileStore({ root, fs });
      expect(existsSync(journal)).toBe(true);
      const refused = statSync(file).ino;
      isRefused = false;
      await expect.poll(() => change(store, 2).then(() => existsSync(journal))).toBe(false);
      expect(statSync(file).ino).not.toBe(refused);
      expect(readFileSync(file, 'utf8')).toBe(withTopics('old', 'acknowledged'));
    },
  );

  it('is not buried by a repair of the document that it would put right', async () => {
    const { root, file, journal } = afterTheCut(CUT, '{"issueNumber":1,"clarif');
    putLock(file, heldByTheLiving());
    const repair = () => examineFiles({ root, repair: true, at: AT, lockWaitMs: 50 });
    expect((await repair()).problems.map(({ file: name }) => name)).toContain(`.agentx/${LEDGER}`);
    expect(readFileSync(file, 'utf8')).toBe('{"issueNumber":1,"clarif');
    expect(existsSync(journal)).toBe(true);
    rmSync(lockPath(file));
    expect((await repair()).problems).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(withTopics('old', 'acknowledged'));
  });
});
