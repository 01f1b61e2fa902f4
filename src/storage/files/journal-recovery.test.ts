import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { encodeRecord, LEDGER, putJournal, SECOND } from '../../../test/faults/support/journal-files.js';
import { aLockOfOurs, deadProcess, putLock } from '../../../test/faults/support/lock-files.js';
import { realFileSystem } from './file-system.js';
import { recoverJournals } from './journal-recovery.js';
import { layoutOf } from './layout.js';
import { machineOf, type ProcessIdentity, thisProcess } from './process-identity.js';

const machine = machineOf(thisProcess().host);
const BEFORE_THE_CUT: ProcessIdentity = { host: `${machine}/an-earlier-boot/ns`, pid: 4, start: 2 };
const KILLED: ProcessIdentity = { ...thisProcess(), pid: deadProcess(), start: 1 };
const ELSEWHERE: ProcessIdentity = { host: 'elsewhere/its-boot/ns', pid: 4, start: 2 };

function aRoot(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agentx-recovery-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, '.agentx');
}

function put(root: string, content: string, mtimeMs: number): void {
  const path = join(root, LEDGER);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
}

const recover = (root: string) => recoverJournals({ fs: realFileSystem, layout: layoutOf(root), agent: 'reader' });
const ledger = (root: string): string | undefined =>
  existsSync(join(root, LEDGER)) ? readFileSync(join(root, LEDGER), 'utf8') : undefined;
const journals = (root: string): string[] => readdirSync(layoutOf(root).journal);

describe('after a power cut', () => {
  it.each([
    ['is missing', undefined],
    ['is older', { content: '{"old":1}', mtimeMs: SECOND - 1 }],
    ['has a name and no content', { content: '', mtimeMs: SECOND }],
    ['was cut off', { content: '{"ne', mtimeMs: SECOND + 50 }],
    ['is full of zeros', { content: '\0\0\0\0', mtimeMs: SECOND }],
  ])('a document that %s becomes what its last record says', (_what, there) => {
    const root = aRoot();
    putJournal(root, BEFORE_THE_CUT, [{ content: '{"first":1}', mtimeMs: SECOND - 9 }, { content: '{"new":1}' }]);
    if (there) put(root, there.content, there.mtimeMs);
    expect(recover(root)).toEqual([]);
    expect(ledger(root)).toBe('{"new":1}');
    const { mtimeMs, mode } = statSync(join(root, LEDGER));
    expect(mtimeMs - SECOND).toBeGreaterThanOrEqual(0);
    expect(mtimeMs - SECOND).toBeLessThan(0.01);
    expect(mode & 0o777).toBe(0o600);
    expect(journals(root)).toEqual([]);
    expect(readdirSync(join(root, 'state/clarifications'))).toEqual(['issue-1.json']);
  });

  it.each([
    ['issues/1.json', 0o755],
    ['state/clarifications/issue-1.json', 0o700],
  ])('a folder that is gone is made as the store makes it (%s)', (path, mode) => {
    const root = aRoot();
    putJournal(root, BEFORE_THE_CUT, [{ path, content: '{"new":1}' }]);
    const mask = process.umask(0o022);
    onTestFinished(() => void process.umask(mask));
    expect(recover(root)).toEqual([]);
    expect(readFileSync(join(root, path), 'utf8')).toBe('{"new":1}');
    expect(statSync(dirname(join(root, path))).mode & 0o777).toBe(mode);
  });

  it('what somebody wrote later stays', () => {
    const root = aRoot();
    putJournal(root, BEFORE_THE_CUT, [{ content: '{"new":1}' }]);
    put(root, '{"newer":1}', SECOND + 1);
    expect(recover(root)).toEqual([]);
    expect(ledger(root)).toBe('{"newer":1}');
    expect(journals(root)).toEqual([]);
  });

  it('records that are void, torn or of a path outside do nothing', () => {
    const root = aRoot();
    const torn = encodeRecord({ path: LEDGER, mtimeMs: SECOND, mode: 0o600, content: Buffer.from('{"torn":1}') });
    const outside = ['../outside.json', '/outside.json', 'state/../../outside.json', 'settings.toml', ''];
    const strange = outside.map((path) => ({ path, content: '{}' }));
    putJournal(root, BEFORE_THE_CUT, [...strange, { content: '{"void":1}', isVoid: true }], torn.subarray(0, -1));
    expect(recover(root)).toEqual([]);
    expect(readdirSync(dirname(root))).toEqual(['.agentx']);
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(['state', 'state/journal']);
  });

  it('locks of that boot keep nobody waiting, also those that lost their content', () => {
    for (const body of [aLockOfOurs(BEFORE_THE_CUT), '']) {
      const root = aRoot();
      putJournal(root, BEFORE_THE_CUT, [{ content: '{"new":1}' }]);
      putLock(join(root, LEDGER), body, new Date(SECOND));
      expect(recover(root)).toEqual([]);
      expect(ledger(root)).toBe('{"new":1}');
    }
  });

  it('a document that cannot be written is told, and its journal stays for another time', () => {
    const root = aRoot();
    const file = putJournal(root, BEFORE_THE_CUT, [{ content: '{"new":1}' }]);
    writeFileSync(join(root, 'state/clarifications'), 'a file where a folder has to be');
    expect(recover(root)).toMatchObject([{ path: file }]);
    expect(existsSync(file)).toBe(true);
  });
});

describe('the journal of a process that was killed', () => {
  it('is removed, and what was not renamed is forgotten', () => {
    const root = aRoot();
    putJournal(root, KILLED, [{ content: '{"not acknowledged":1}' }]);
    put(root, '{"old":1}', SECOND - 1);
    expect(recover(root)).toEqual([]);
    expect(ledger(root)).toBe('{"old":1}');
    expect(journals(root)).toEqual([]);
  });
});

describe('what a process that was killed may have failed to sync', () => {
  it('is written anew as it is, whoever edited it since', () => {
    for (const content of ['{"new":1}', '{"edited":1}']) {
      const root = aRoot();
      putJournal(root, KILLED, [{ content: '{"new":1}' }]);
      put(root, content, SECOND);
      const { ino } = statSync(join(root, LEDGER));
      expect(recover(root)).toEqual([]);
      expect(ledger(root)).toBe(content);
      expect(statSync(join(root, LEDGER)).ino).not.toBe(ino);
      expect(journals(root)).toEqual([]);
    }
  });

  it('is put back where its content is gone', () => {
    const root = aRoot();
    putJournal(root, KILLED, [{ content: '{"new":1}' }]);
    put(root, '\0\0\0\0', SECOND);
    expect(recover(root)).toEqual([]);
    expect(ledger(root)).toBe('{"new":1}');
  });

  it('is left alone if somebody has replaced it since', () => {
    const root = aRoot();
    putJournal(root, KILLED, [{ content: '{"new":1}' }]);
    put(root, '{"newer":1}', SECOND + 1);
    const { ino } = statSync(join(root, LEDGER));
    expect(recover(root)).toEqual([]);
    expect(ledger(root)).toBe('{"newer":1}');
    expect(statSync(join(root, LEDGER)).ino).toBe(ino);
  });
});

describe('the journal of a process that may be alive', () => {
  it('is left alone on this host', () => {
    const root = aRoot();
    const file = putJournal(root, thisProcess(), [{ content: '{"new":1}' }]);
    expect(recover(root)).toEqual([]);
    expect(existsSync(file)).toBe(true);
    expect(ledger(root)).toBeUndefined();
  });

  it('is left alone on another host, until it was not touched for a minute', () => {
    const root = aRoot();
    const file = putJournal(root, ELSEWHERE, [{ content: '{"new":1}' }]);
    recover(root);
    expect(existsSync(file)).toBe(true);
    utimesSync(file, SECOND / 1000, SECOND / 1000);
    recover(root);
    expect(ledger(root)).toBe('{"new":1}');
    expect(journals(root)).toEqual([]);
  });
});
