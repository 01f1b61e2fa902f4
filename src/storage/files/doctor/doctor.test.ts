import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AT, aClarification, aLedger } from '../../../../test/builders/clarification.js';
import { anIssue } from '../../../../test/builders/issue.js';
import { documents } from '../../../../test/faults/support/documents.js';
import { putJournal } from '../../../../test/faults/support/journal-files.js';
import {
  aLiteralLock,
  aLockOfOurs,
  deadProcess,
  putLock,
  secondsFromNow,
} from '../../../../test/faults/support/lock-files.js';
import { refusingAny, withoutLinks } from '../../../../test/faults/support/strange-file-systems.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import { nextClarificationId } from '../../../protocol/clarification.js';
import { makeClarificationId } from '../../../protocol/ids.js';
import { type FileSystem, realFileSystem } from '../file-system.js';
import { lockPath, makeToken, scratchPath } from '../lock-names.js';
import { machineOf, thisProcess } from '../process-identity.js';
import { openFileStore } from '../store.js';
import { type DoctorOptions, examineFiles } from './doctor.js';

const LEDGER = 'state/clarifications/issue-42.json';
const STAMP = '2026-02-26T10-00-00-000Z';

describe('an examination', () => {
  it('finds nothing wrong with what the store writes, and changes nothing', async () => {
    const root = await aFolder();
    for (const { write, read } of documents) {
      await write(openFileStore({ root, sync: false }));
      await read(openFileStore({ root, sync: false }));
    }
    const before = snapshot(root);
    const { examined, ...found } = await examine(root);
    expect(found).toEqual({ problems: [], repaired: [], locks: [] });
    expect(examined).toBeGreaterThan(5);
    expect(snapshot(root)).toEqual(before);
  });

  it('goes on past a folder in the place of .gitignore, and names it', async () => {
    const root = await aFolder({ [LEDGER]: '{"half' });
    rmSync(join(root, '.gitignore'));
    mkdirSync(join(root, '.gitignore'));
    const { problems } = await examine(root);
    expect(problems.map(({ file }) => file)).toEqual([`.agentx/${LEDGER}`, '.agentx/.gitignore']);
  });

  it.each([
    ['written', '.gitignore', 'openSync', /gitignore.*tmp$/, 'EROFS'],
    ['examined', 'state/agent-status.json', 'statSync', /agent-status.json$/, 'EACCES'],
  ])('goes on past a file that cannot be %s, and names it', async (_, file, call, path, code) => {
    const root = await aFolder({ [LEDGER]: '{"half' });
    rmSync(join(root, '.gitignore'));
    const fs = refusingAny((name, on) => (name === call && path.test(String(on)) ? code : undefined));
    const { problems, repaired } = await examine(root, { fs, repair: true });
    expect(problems.map((problem) => problem.file)).toEqual([`.agentx/${file}`]);
    expect(repaired.map((repair) => repair.file)).toContain(`.agentx/${LEDGER}`);
  });

  it('goes on if a folder is removed meanwhile', async () => {
    const root = await aFolder({ 'state/scratch/run-1/plan.md': '' });
    const folder = join(root, 'state/scratch/run-1');
    const fs = refusingAny((name) => {
      if (name === 'readFileSync') rmSync(folder, { recursive: true, force: true });
      return undefined;
    });
    expect((await examine(root, { fs })).problems).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  it('leaves the files of work trees alone', async () => {
    const file = 'state/worktrees/run-7-0a1b2c3d/src/main.ts';
    const root = await aFolder({ [file]: 'export {};' });
    chmodSync(join(root, file), 0o644);
    expect(await examine(root, { repair: true })).toMatchObject({ problems: [], repaired: [] });
    expect(statSync(join(root, file)).mode & 0o777).toBe(0o644);
  });

  it('goes on past a link that leads in a circle, and past folders and locks that it may not look into', async () => {
    const root = await aFolder({ [LEDGER]: '{"half' });
    symlinkSync('9.json', join(root, '9.json'));
    const [folder, lock] = [join(root, 'state/questions'), lockPath(join(root, 'state/agent-status.json'))];
    mkdirSync(folder, { recursive: true });
    writeFileSync(lock, '');
    const fs = refusingAny((_, on) => (on === folder || on === lock ? 'EACCES' : undefined));
    const { problems } = await examine(root, { fs });
    expect(problems).toMatchObject([
      { file: '.agentx/state/questions', reason: expect.stringContaining('permission denied') },
      { file: '.agentx/9.json', reason: 'it is a link that leads nowhere: not looked into' },
      { file: `.agentx/${LEDGER}`, reason: expect.stringMatching(/JSON/) },
      { file: '.agentx/state/agent-status.json.lock', reason: expect.stringContaining('permission denied') },
    ]);
  });

  it.each(documents)('names the file, the reason and what to do for $name that is damaged', async ({ file }) => {
    const root = await aFolder({ [file]: '{"half' });
    const { problems } = await examine(root);
    expect(problems).toEqual([
      { file: `.agentx/${file}`, reason: expect.stringMatching(/JSON/), todo: 'Run: agentx doctor --repair' },
    ]);
    expect(readFileSync(join(root, file), 'utf8')).toBe('{"half');
  });

  it('does not follow links out of the folder, and does not wait for what is no file', async () => {
    const outside = join(temporaryFolder(), 'secret.json');
    writeFileSync(outside, '{"half');
    const root = await aFolder({ [LEDGER]: JSON.stringify(aLedger()) });
    symlinkSync(outside, join(root, 'state/clarifications/issue-7.json'));
    symlinkSync(dirname(outside), join(root, 'state/questions'));
    symlinkSync('nowhere', join(root, 'issue-8.json'));
    mkdirSync(join(root, 'state/clarifications/issue-9.json'), { mode: 0o700 });
    const { problems, repaired } = await examine(root, { repair: true });
    expect(problems.map(({ file, reason }) => [file, reason]).sort()).toEqual([
      ['.agentx/issue-8.json', 'it is a link that leads nowhere: not looked into'],
      ['.agentx/state/clarifications/issue-7.json', 'it is a link that leads out of the folder: not looked into'],
      ['.agentx/state/clarifications/issue-9.json', 'it is no file'],
      ['.agentx/state/questions', 'it is a link that leads out of the folder: not looked into'],
    ]);
    expect(repaired).toEqual([]);
    expect(readdirSync(dirname(outside))).toEqual(['secret.json']);
    expect(readFileSync(outside, 'utf8')).toBe('{"half');
  });

  it('finds what others could read and what could be committed', async () => {
    const root = await aFolder({ [LEDGER]: JSON.stringify(aLedger()) });
    chmodSync(join(root, LEDGER), 0o644);
    writeFileSync(join(root, '.gitignore'), '/state\n*.lock\n');
    const { problems } = await examine(root);
    expect(problems.map(({ reason }) => reason)).toEqual([
      'it lacks *.tmp, *.corrupt-*, memory/*, !memory/issue-*.json, digests/: files that are private or derived may be committed',
      `open to others: .agentx/${LEDGER}`,
    ]);
    const after = await examine(root, { repair: true });
    expect(after.problems).toHaveLength(1);
    expect(statSync(join(root, LEDGER)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(root, '.gitignore'), 'utf8')).toBe('/state\n*.lock\n');
  });

  it('tells locks that are held from those of the dead, and removes those', async () => {
    const root = await aFolder({ [LEDGER]: JSON.stringify(aLedger()) });
    const folder = join(root, 'state/clarifications');
    const { pid, start, host } = thisProcess();
    putLock(join(folder, 'issue-1.json'), aLockOfOurs({ pid, start, host, agent: 'living' }));
    putLock(join(folder, 'issue-2.json'), aLockOfOurs({ pid: deadProcess(), agent: 'dead' }));
    putLock(join(folder, 'issue-3.json'), aLiteralLock({ pid: 1, agent: 'old' }), secondsFromNow(-90));
    const token = aLockOfOurs({ pid: deadProcess() }).token;
    writeFileSync(scratchPath(join(folder, 'issue-4.json'), token), 'half');
    const options = { at: new Date().toISOString() };
    const { problems, locks } = await examine(root, options);
    expect(locks).toMatchObject([{ file: '.agentx/state/clarifications/issue-1.json', holder: 'living', pid }]);
    expect(problems.map(({ reason }) => reason).sort()).toEqual([
      expect.stringMatching(/^its holder dead \(pid \d+\) has died$/),
      'left behind by a process that died',
      expect.stringMatching(/^old \(pid 1\) has not touched it for \d+ s$/),
    ]);
    expect(await examine(root, { ...options, repair: true })).toMatchObject({ problems: [], repaired: { length: 3 } });
    expect(readdirSync(folder).sort()).toEqual(['issue-1.json.lock', 'issue-42.json']);
  });
});

describe('the journal of a process that died', () => {
  it('is told, and put in place by a repair', async () => {
    const root = await aFolder({ [LEDGER]: JSON.stringify(aLedger()) });
    const owner = { host: `${machineOf(thisProcess().host)}/an-earlier-boot/ns`, pid: 4, start: 2 };
    const content = JSON.stringify({ issueNumber: 1, clarifications: [] });
    const file = putJournal(root, owner, [{ content }]);
    chmodSync(file, 0o600);
    chmodSync(dirname(file), 0o700);
    const { problems } = await examine(root);
    expect(problems).toMatchObject([{ reason: expect.stringContaining('the journal of a process that died') }]);
    expect(await examine(root, { repair: true })).toMatchObject({ problems: [], repaired: { length: 1 } });
    expect(await examine(root)).toMatchObject({ problems: [] });
    expect(readFileSync(join(root, 'state/clarifications/issue-1.json'), 'utf8')).toBe(content);
  });
});

describe('a repair', () => {
  it.each(documents)('of $name keeps the original and makes the store readable again [X-12/7]', async (document) => {
    const damaged = `${JSON.stringify(document.content, null, 2)} oops`;
    const root = await aFolder({ [document.file]: damaged });
    const { problems, repaired } = await examine(root, { repair: true });
    expect(problems).toEqual([]);
    const movedTo = `.agentx/${document.file}.corrupt-${STAMP}`;
    expect(repaired).toEqual([{ file: `.agentx/${document.file}`, summary: expect.any(String), lost: [], movedTo }]);
    expect(readFileSync(join(dirname(root), movedTo), 'utf8')).toBe(damaged);
    expect(await document.read(openFileStore({ root }))).toMatchObject(document.content);
    expect(await examine(root)).toMatchObject({ problems: [] });
  });

  it.each(documents.filter(({ neighbour }) => neighbour))(
    'moves $name aside that lies under the name of another',
    async ({ file, neighbour, read }) => {
      const root = await aFolder({ [file]: JSON.stringify(neighbour) });
      const { problems, repaired } = await examine(root, { repair: true });
      expect({ problems, repaired }).toMatchObject({ problems: [], repaired: [{ movedTo: expect.any(String) }] });
      expect(JSON.stringify((await read(openFileStore({ root }))) ?? null)).not.toContain('CLR-7');
      expect(readFileSync(join(root, `${file}.corrupt-${STAMP}`), 'utf8')).toBe(JSON.stringify(neighbour));
    },
  );

  it('says exactly what was kept and what was lost', async () => {
    const clarifications = [1, 2, 3, 4].map((sequence) => ({
      ...aClarification({ id: makeClarificationId(42, sequence) }),
      ...(sequence === 3 && { status: 'asleep' }),
    }));
    const root = await aFolder({ [LEDGER]: JSON.stringify({ issueNumber: 42, clarifications }) });
    const { repaired } = await examine(root, { repair: true });
    expect(repaired).toMatchObject([
      { summary: '3 of 4 clarifications kept, CLR-42-003 lost. The next is CLR-42-005.', lost: ['CLR-42-003'] },
    ]);
  });

  it('never takes the place of an earlier original, and counts on after both', async () => {
    const root = await aFolder({ [LEDGER]: '{"id":"CLR-42-007"' });
    await examine(root, { repair: true });
    writeFileSync(join(root, LEDGER), '');
    await examine(root, { repair: true });
    const copies = readdirSync(join(root, 'state/clarifications')).filter((name) => name.includes('.corrupt-'));
    expect(copies.sort()).toEqual([`issue-42.json.corrupt-${STAMP}`, `issue-42.json.corrupt-${STAMP}-2`]);
    expect(nextClarificationId(await openFileStore({ root }).ledgers.read(42))).toBe('CLR-42-200008');
  });

  it('goes on where one was killed that had only kept the original', async () => {
    const root = await aFolder({ [LEDGER]: '{"half' });
    linkSync(join(root, LEDGER), join(root, `${LEDGER}.corrupt-earlier`));
    const { repaired } = await examine(root, { repair: true });
    expect(repaired).toMatchObject([{ movedTo: `.agentx/${LEDGER}.corrupt-earlier` }]);
    expect(nextClarificationId(await openFileStore({ root }).ledgers.read(42))).toBe('CLR-42-100001');
  });

  it('leaves a file alone that a writer put right meanwhile', async () => {
    const root = await aFolder({ [LEDGER]: '{"half' });
    const fixed = JSON.stringify(aLedger());
    const fs = onLink((target) => {
      if (target === lockPath(join(root, LEDGER))) writeFileSync(join(root, LEDGER), fixed);
    });
    expect(await examine(root, { repair: true, fs })).toMatchObject({ problems: [], repaired: [] });
    expect(readFileSync(join(root, LEDGER), 'utf8')).toBe(fixed);
  });

  it('waits for whoever holds the lock, and says so in the end', async () => {
    const root = await aFolder({ [LEDGER]: '{"half' });
    const { pid, start, host } = thisProcess();
    putLock(join(root, LEDGER), { ...aLockOfOurs({ pid, start, host, agent: 'writer' }), token: makeToken() });
    const { problems } = await examine(root, { repair: true, lockWaitMs: 50 });
    expect(problems).toMatchObject([{ reason: expect.stringContaining('held by writer') }]);
    expect(readFileSync(join(root, LEDGER), 'utf8')).toBe('{"half');
  });

  it('works without hard links', async () => {
    const root = await aFolder({ [LEDGER]: '{"half' });
    const { repaired } = await examine(root, { repair: true, fs: withoutLinks() });
    expect(repaired).toHaveLength(1);
    expect(readFileSync(join(root, `${LEDGER}.corrupt-${STAMP}`), 'utf8')).toBe('{"half');
    expect((await openFileStore({ root }).ledgers.read(42)).clarifications).toEqual([]);
  });

  it('gives the number of a lost issue to nobody, whatever became of the counter', async () => {
    const root = await aFolder({ 'issues/9.json': '{"half', 'state/issue-numbers.json': '{"last"' });
    const { problems, repaired } = await examine(root, { repair: true });
    expect({ problems, count: repaired.length }).toEqual({ problems: [], count: 2 });
    expect(existsSync(join(root, 'issues/9.json'))).toBe(false);
    const create = () => openFileStore({ root }).issues.create(anIssue());
    expect((await create()).number).toBe(10);
    const fresh = await aFolder({ 'issues/9.json': '{"half' });
    await examine(fresh, { repair: true });
    expect((await openFileStore({ root: fresh }).issues.create(anIssue())).number).toBe(10);
    writeFileSync(join(root, 'state/issue-numbers.json'), '');
    await examine(root, { repair: true });
    expect((await create()).number).toBe(11);
  });

  it('keeps what can be read of how often observations were recalled', async () => {
    const id = 'obs-engineer-42-1772100000000-a1b2c3';
    const root = await aFolder({ 'state/recalls.json': `{"version":1,"counts":{"${id}":4,"obs-engineer-42-17721` });
    const { repaired } = await examine(root, { repair: true });
    expect(repaired).toMatchObject([{ summary: 'How often 1 observations were recalled is kept.' }]);
    expect(JSON.parse(readFileSync(join(root, 'state/recalls.json'), 'utf8'))).toEqual({
      version: 1,
      counts: { [id]: 4 },
    });
  });

  it('removes what is derived', async () => {
    const root = await aFolder({ 'state/index/clarifications.json': '{"half', 'memory/manifest.json': '[]' });
    const { repaired } = await examine(root, { repair: true });
    expect(repaired.map(({ summary, movedTo }) => [summary, movedTo])).toEqual(
      Array(2).fill(['Removed. It is made anew when it is needed.', undefined]),
    );
    expect(existsSync(join(root, 'memory/manifest.json'))).toBe(false);
  });

  it('keeps what is in order of sessions and interactions', async () => {
    const session = { clarification_pending: false, phase: 'planning' };
    const interaction = { request_type: 'clarification', status: 'pending', content: 'Which?' };
    const root = await aFolder({
      'state/orchestrator.json': JSON.stringify({ sessions: { 'run-1': session, 'run-2': 7 } }),
      'state/interactions.ndjson': `${JSON.stringify(interaction)}\n{"half`,
      'state/sessions/s1.json': '{"half',
    });
    const { repaired } = await examine(root, { repair: true });
    expect(repaired.map(({ summary }) => summary).sort()).toEqual([
      '1 of 2 lines kept.',
      '1 of 2 sessions kept, run-2 lost.',
      'Nothing could be saved.',
    ]);
    expect(JSON.parse(readFileSync(join(root, 'state/orchestrator.json'), 'utf8'))).toEqual({
      sessions: { 'run-1': session },
    });
  });

  it('saves a ledger that grew beyond all bounds, and leaves alone what nothing of ours can be', async () => {
    const root = await aFolder({ [LEDGER]: JSON.stringify(aLedger()), 'issues/1.json': '{}' });
    truncateSync(join(root, LEDGER), 20 * 1024 * 1024);
    truncateSync(join(root, 'issues/1.json'), 80 * 1024 * 1024);
    const { problems, repaired } = await examine(root, { repair: true });
    expect(repaired).toMatchObject([{ summary: expect.stringContaining('1 of 1 clarifications kept') }]);
    expect(problems).toMatchObject([{ file: '.agentx/issues/1.json', reason: 'it has 83886080 bytes' }]);
  });
});

function examine(root: string, options: Partial<DoctorOptions> = {}) {
  return examineFiles({ root, repair: false, at: AT, sync: false, ...options });
}

/** A folder as the store leaves it, with these files. */
async function aFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const root = join(temporaryFolder(), '.agentx');
  await openFileStore({ root, sync: false }).statuses.update(['engineer'], () => ({ next: {}, result: 0 }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true, mode: 0o700 });
    writeFileSync(join(root, name), text, { mode: 0o600 });
  }
  return root;
}

function snapshot(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, stats: statSync(join(root, name)) }))
    .map(({ name, stats }) => `${name} ${stats.ino} ${stats.isFile() ? stats.mtimeMs : ''}`)
    .sort();
}

/** The real file system, with a callback right after a link was made. */
function onLink(then: (target: string) => void): FileSystem {
  return {
    ...realFileSystem,
    linkSync: (from, to) => {
      realFileSystem.linkSync(from, to);
      then(String(to));
    },
  };
}
