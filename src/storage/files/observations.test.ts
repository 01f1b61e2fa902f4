import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { anObservation } from '../../../test/builders/observation.js';
import type { MemoryNotice } from '../../ports/observations.js';
import { realFileSystem } from './file-system.js';
import { openFileStore } from './store.js';

const folder = mkdtempSync(join(tmpdir(), 'agentx-memory-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const seeds = join(import.meta.dirname, '../../../test/fixtures/seeds');

let opened = 0;
const newRoot = () => join(folder, String(opened++), '.agentx');
const open = (root: string, onMemoryNotice?: (notice: MemoryNotice) => void) =>
  openFileStore({ root, sync: false, ...(onMemoryNotice && { onMemoryNotice }) }).observations;

let made = 0;
const observationOf = (content: string, issueNumber = 42) =>
  anObservation({
    id: `obs-engineer-${issueNumber}-1772100000000-${(made++).toString(36).padStart(6, '0')}`,
    issueNumber,
    content,
    summary: content,
  });

const ids = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);

/** Three issues with an observation each, and their derived files. */
async function aMemory(root = newRoot()) {
  const all = [
    observationOf('Use Redis as a cache', 1),
    observationOf('Use Kafka as a queue', 2),
    observationOf('Use pgvector', 3),
  ];
  await open(root).store(all);
  await open(root).rebuild();
  return { root, all, memory: join(root, 'memory') };
}

describe('files as the seed shows them', () => {
  it('are read unchanged, the manifest too [ME-1/16] [ME-1/17]', async () => {
    const root = newRoot();
    mkdirSync(join(root, 'memory'), { recursive: true });
    copyFileSync(join(seeds, 'manifest.json'), join(root, 'memory/manifest.json'));
    copyFileSync(join(seeds, 'observations.json'), join(root, 'memory/issue-29.json'));
    const notices: MemoryNotice[] = [];
    const memory = open(root, (notice) => notices.push(notice));
    const [entry] = JSON.parse(readFileSync(join(seeds, 'manifest.json'), 'utf8')).entries;
    const [observation] = JSON.parse(readFileSync(join(seeds, 'observations.json'), 'utf8')).observations;
    expect(await memory.search('json files')).toEqual([entry]);
    expect(await memory.getByIssue(29)).toEqual([observation]);
    expect(await memory.getById(observation.id)).toEqual(observation);
    expect(notices).toMatchObject([{ kind: 'rebuilt' }]);
  });

  it('are written, one for each issue, with the manifest beside them [ME-3/5]', async () => {
    const { memory, all } = await aMemory();
    expect(readdirSync(memory).sort()).toEqual(['issue-1.json', 'issue-2.json', 'issue-3.json', 'manifest.json']);
    const file = JSON.parse(readFileSync(join(memory, 'issue-1.json'), 'utf8'));
    expect(file).toMatchObject({ version: 1, issueNumber: 1, observations: [all[0]] });
    const manifest = JSON.parse(readFileSync(join(memory, 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ version: 2, count: 3 });
    expect(JSON.stringify(manifest)).not.toContain('Redis');
  });

  it.each([
    [0o700, 0o600],
    [0o750, 0o640],
    [0o755, 0o644],
  ])('are as private as the folder they lie in, and no more: %o [ME-9/4]', async (folderMode, mode) => {
    const root = newRoot();
    mkdirSync(root, { recursive: true });
    chmodSync(root, folderMode);
    await open(root).store([observationOf('Use Redis')]);
    expect(statSync(join(root, 'memory/issue-42.json')).mode & 0o777).toBe(mode & ~process.umask());
  });
});

describe('what is derived', () => {
  it.each([
    ['a damaged manifest', (root: string) => writeFileSync(join(root, 'memory/manifest.json'), '{"version":2,')],
    ['a manifest of something else', (root: string) => writeFileSync(join(root, 'memory/manifest.json'), '[]')],
    ['a missing manifest', (root: string) => rmSync(join(root, 'memory/manifest.json'))],
    ['a missing search file', (root: string) => rmSync(join(root, 'state'), { recursive: true })],
    [
      'a damaged search file',
      (root: string) => {
        const [name = ''] = readdirSync(join(root, 'state/index'));
        const bytes = readFileSync(join(root, 'state/index', name));
        bytes.fill(7, bytes.length >> 1);
        writeFileSync(join(root, 'state/index', name), bytes);
      },
    ],
  ])('is made anew for %s, and that is told [ME-8/1] [ME-13/1]', async (_what, damage) => {
    const { root, all } = await aMemory();
    damage(root);
    const notices: MemoryNotice[] = [];
    const memory = open(root, (notice) => notices.push(notice));
    expect(ids(await memory.search('kafka'))).toEqual([all[1]?.id]);
    expect(notices).toMatchObject([{ kind: 'rebuilt', observations: 3, durationMs: expect.any(Number) }]);
    const later: MemoryNotice[] = [];
    expect(ids(await open(root, (notice) => later.push(notice)).search('kafka'))).toEqual([all[1]?.id]);
    expect(later).toEqual([]);
  });

  it('is made anew for every process where the manifest cannot be read [ME-8/1]', async () => {
    const { root, all } = await aMemory();
    rmSync(join(root, 'memory/manifest.json'));
    mkdirSync(join(root, 'memory/manifest.json'));
    for (let time = 1; time <= 2; time++) {
      const notices: MemoryNotice[] = [];
      const memory = open(root, (notice) => notices.push(notice));
      expect(ids(await memory.search('kafka'))).toEqual([all[1]?.id]);
      expect(notices).toMatchObject([{ kind: 'rebuilt', cause: expect.stringContaining('EISDIR'), observations: 3 }]);
    }
  });

  it('follows the files where the two do not agree [ME-8/3]', async () => {
    const { root, memory, all } = await aMemory();
    rmSync(join(memory, 'issue-2.json'));
    const text = readFileSync(join(memory, 'issue-3.json'), 'utf8');
    writeFileSync(join(memory, 'issue-3.json'), text.replaceAll('pgvector', 'qdrant'));
    const again = open(root);
    expect(await again.search('kafka')).toEqual([]);
    expect(await again.search('pgvector')).toEqual([]);
    expect(ids(await again.search('qdrant'))).toEqual([all[2]?.id]);
  });

  it('knows what another process has written since, at the next search', async () => {
    const { root } = await aMemory();
    const mine = open(root);
    expect(await mine.search('zookeeper')).toEqual([]);
    const other = observationOf('Removed Zookeeper', 9);
    await open(root).store([other]);
    expect(ids(await mine.search('zookeeper'))).toEqual([other.id]);
    await open(root).remove(other.id);
    expect(await mine.search('zookeeper')).toEqual([]);
  });
});

describe('a recall', () => {
  it('changes no file of an issue, and is counted for every process', async () => {
    const { root, memory, all } = await aMemory();
    const before = readFileSync(join(memory, 'issue-1.json'), 'utf8');
    await open(root).countRecalls(ids(all));
    await open(root).incrementRecallCount(all[0]?.id ?? '');
    expect(readFileSync(join(memory, 'issue-1.json'), 'utf8')).toBe(before);
    expect(await open(root).getById(all[0]?.id ?? '')).toMatchObject({ recallCount: 2 });
    expect((await open(root).search('kafka'))[0]).toMatchObject({ recallCount: 1 });
  });

  it('is not counted where the list is damaged, which takes nothing else away and is not overwritten', async () => {
    const { root, all } = await aMemory();
    const path = join(root, 'state/recalls.json');
    mkdirSync(join(root, 'state'), { recursive: true });
    writeFileSync(path, '{"version":1,"counts":{"obs-');
    const notices: MemoryNotice[] = [];
    const again = open(root, (notice) => notices.push(notice));
    expect(await again.getById(all[0]?.id ?? '')).toEqual(all[0]);
    expect(ids(await again.search('redis'))).toEqual([all[0]?.id]);
    expect(notices[0]).toMatchObject({ kind: 'skipped', error: { code: 'CORRUPT_FILE' } });
    await expect(again.countRecalls(ids(all))).rejects.toMatchObject({ code: 'CORRUPT_FILE' });
    expect(readFileSync(path, 'utf8')).toBe('{"version":1,"counts":{"obs-');
  });
});

describe('compaction', () => {
  const [first, second] = [observationOf('Retries stop after 5'), observationOf('Uploads stop after 9')];
  const longer = `${first.content}, because the gateway blocks the sixth for an hour`;
  const withLonger = (text: string) => text.replace(`"content": "${first.content}"`, `"content": "${longer}"`);
  const contents = (observations: readonly { readonly content: string }[]) =>
    observations.map(({ content }) => content).toSorted();

  it('loses no text that another process adds while it is under way', async () => {
    const root = newRoot();
    const live = join(root, 'memory/issue-42.json');
    await open(root).store([first, second]);
    const renameSync: typeof realFileSystem.renameSync = (from, to) => {
      realFileSystem.renameSync(from, to);
      if (String(to).includes('archive')) writeFileSync(live, withLonger(readFileSync(live, 'utf8')));
    };
    await openFileStore({ root, sync: false, fs: { ...realFileSystem, renameSync } }).observations.compact(42);
    await open(root).restore(42);
    expect(contents(await open(root).getByIssue(42))).toEqual([longer, second.content].toSorted());
  });

  it('goes on after a crash, though an original was changed since', async () => {
    const root = newRoot();
    const [memory, third] = [join(root, 'memory'), observationOf('Downloads stop after 7')];
    await open(root).store([first, second, third]);
    mkdirSync(join(memory, 'archive'));
    copyFileSync(join(memory, 'issue-42.json'), join(memory, 'archive/issue-42.json'));
    writeFileSync(join(memory, 'issue-42.json'), withLonger(readFileSync(join(memory, 'issue-42.json'), 'utf8')));
    expect(await open(root).compact(42)).toEqual({ issueNumber: 42, before: 3, after: 2, moved: 2 });
    expect(contents(await open(root).getByIssue(42))).toContain(longer);
    await open(root).restore(42);
    const all = [longer, second.content, third.content].toSorted();
    expect(contents(await open(root).getByIssue(42))).toEqual(all);
  });
});

describe('compaction of what was repeated', () => {
  it('keeps how often an original was said after a crash had left it in both places', async () => {
    const root = newRoot();
    const [first, second] = [observationOf('Retries stop after 5'), observationOf('Uploads stop after 9')];
    const memory = join(root, 'memory');
    await open(root).store([first, second]);
    mkdirSync(join(memory, 'archive'));
    copyFileSync(join(memory, 'issue-42.json'), join(memory, 'archive/issue-42.json'));
    await open(root).update(42, (file) => ({
      next: { ...file, observations: file.observations.map((one) => ({ ...one, count: 3 })) },
      result: undefined,
    }));
    await open(root).compact(42);
    await open(root).restore(42);
    expect((await open(root).getByIssue(42)).map(({ count }) => count)).toEqual([3, 3]);
  });
});

describe('a damaged file of observations', () => {
  it('is left out with a notice, and the others are found [ME-8/2]', async () => {
    const { root, memory, all } = await aMemory();
    writeFileSync(join(memory, 'issue-1.json'), '{"version":1,"issueNumber":1,"observ');
    const notices: MemoryNotice[] = [];
    const again = open(root, (notice) => notices.push(notice));
    expect(ids(await again.search('use'))).toEqual(expect.arrayContaining([all[1]?.id, all[2]?.id]));
    expect(await again.search('redis')).toEqual([]);
    expect((await again.find({ query: 'kafka' })).damaged).toMatchObject([{ code: 'CORRUPT_FILE' }]);
    expect(notices).toMatchObject([{ kind: 'skipped', error: { code: 'CORRUPT_FILE' } }]);
    await expect(again.getByIssue(1)).rejects.toMatchObject({ code: 'CORRUPT_FILE' });
    await expect(again.getByIssue(1, new Set(ids(all)))).rejects.toMatchObject({ code: 'CORRUPT_FILE' });
  });

  it('is never overwritten [ME-8/6]', async () => {
    const { root, memory } = await aMemory();
    const path = join(memory, 'issue-1.json');
    writeFileSync(path, '{"version":1,"issueNumber":1,"observ');
    await expect(open(root).store([observationOf('More', 1)])).rejects.toMatchObject({ code: 'CORRUPT_FILE' });
    expect(readFileSync(path, 'utf8')).toBe('{"version":1,"issueNumber":1,"observ');
  });
});
