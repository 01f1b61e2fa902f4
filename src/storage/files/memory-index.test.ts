import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { aMemory } from '../../../test/builders/memory.js';
import { anObservation } from '../../../test/builders/observation.js';
import { MemoryPipeline } from '../../memory/memory-pipeline.js';
import { type FileSystem, realFileSystem } from './file-system.js';
import { MANIFEST_CACHE_TTL_MS } from './memory-index.js';
import { openFileStore } from './store.js';

const folder = mkdtempSync(join(tmpdir(), 'agentx-index-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file system that tells which files were opened and put into place, and which folders were listed. */
function watched() {
  const opened: string[] = [];
  const renamed: string[] = [];
  const listed: string[] = [];
  const fs: FileSystem = {
    ...realFileSystem,
    openSync: ((path, ...rest) => {
      opened.push(basename(String(path)));
      return realFileSystem.openSync(path, ...rest);
    }) as FileSystem['openSync'],
    readFileSync: ((path: never, ...rest: never[]) => {
      opened.push(basename(String(path)));
      return realFileSystem.readFileSync(path, ...rest);
    }) as FileSystem['readFileSync'],
    readdirSync: ((path: never, ...rest: never[]) => {
      listed.push(basename(String(path)));
      return realFileSystem.readdirSync(path, ...rest);
    }) as FileSystem['readdirSync'],
    renameSync: (from, to) => {
      renamed.push(basename(String(to)));
      realFileSystem.renameSync(from, to);
    },
  };
  return { fs, opened, renamed, listed };
}

const observation = (number: number, issueNumber: number) =>
  anObservation({
    id: `obs-engineer-${issueNumber}-1772100000000-${number.toString(36).padStart(6, '0')}`,
    issueNumber,
    content: `Note ${number}: the module m${number} of issue ${issueNumber} is kept.`,
    summary: `Note ${number}`,
    sessionId: `s-${issueNumber}-${number}`,
  });

describe('the index of the memory', () => {
  it('is loaded once and serves searches from memory [ME-1/21] [ME-11/5]', async () => {
    expect(MANIFEST_CACHE_TTL_MS).toBe(30_000);
    const root = join(folder, 'once');
    await openFileStore({ root }).observations.store([observation(1, 1), observation(2, 2)]);
    const { fs, opened } = watched();
    const { observations } = openFileStore({ root, fs });
    // The clock of a file system moves in steps: folders that were just written are looked at once more.
    const opensBySearch = async () => {
      opened.length = 0;
      await observations.search('module');
      return [...opened];
    };
    await expect.poll(opensBySearch).toEqual([]);
    expect(await observations.search('module')).toHaveLength(2);
  });

  it('lists the folders of a memory that is still empty once for a search', async () => {
    const { fs, listed } = watched();
    expect(await openFileStore({ root: join(folder, 'empty'), fs }).observations.search('module')).toEqual([]);
    expect(listed.filter((name) => name !== 'journal').toSorted()).toEqual(['archive', 'memory']);
  });

  it('is written after the file that it is derived from [ME-1/38]', async () => {
    const root = join(folder, 'order');
    const { fs, renamed } = watched();
    const store = openFileStore({ root, fs });
    await store.observations.store([observation(1, 1)]);
    await store.observations.search('module');
    const written = renamed.filter((name) => name === 'issue-1.json' || name === 'manifest.json');
    expect(written[0]).toBe('issue-1.json');
    expect(written).toContain('manifest.json');
  });

  it('lets a recall read only the files that it needs, for fifty candidates at most [ME-1/26] [ME-5/4]', async () => {
    const root = join(folder, 'recall');
    const many = Array.from({ length: 80 }, (_, number) => observation(number, 1));
    const filling = openFileStore({ root });
    await filling.observations.store([...many, observation(1, 2), observation(1, 3)]);
    await filling.observations.rebuild();
    const { fs, opened } = watched();
    const store = openFileStore({ root, fs });
    await store.observations.search('module');
    opened.length = 0;
    const pipeline = new MemoryPipeline(aMemory({ maxTokens: 1_000_000 }, store));
    const { observations } = await pipeline.recall({ agent: 'engineer', issueNumber: 1 });
    expect(observations).toHaveLength(50);
    expect(new Set(opened.filter((name) => /^issue-\d+\.json$/.test(name)))).toEqual(new Set(['issue-1.json']));
  });
});
