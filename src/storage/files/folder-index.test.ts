import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { AgentXError } from '../../protocol/errors.js';
import { realFileSystem } from './file-system.js';
import { FolderIndex } from './folder-index.js';

/** A folder of `count` files, old enough to be trusted, each holding one word. */
function aFolder(count: number) {
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  mkdirSync(data);
  const past = Date.now() / 1000 - 3600;
  for (let n = 0; n < count; n++) {
    writeFileSync(join(data, `${n}.txt`), 'quiet');
    utimesSync(join(data, `${n}.txt`), past, past);
  }
  const read: string[] = [];
  const open = (version = 1) =>
    new FolderIndex<string>({
      fs: realFileSystem,
      folder: data,
      indexFile: join(folder, 'index', 'data.json'),
      version,
      isMember: (name) => name.endsWith('.txt'),
      summarise: (name) => {
        read.push(name);
        const text = readFileSync(join(data, name), 'utf8');
        if (text === 'broken') throw new AgentXError('CORRUPT_FILE', `${name} is broken`);
        return text;
      },
    });
  /** How many files a listing opened. */
  const list = (index: FolderIndex<string>) => {
    const before = read.length;
    const listing = index.list();
    return { ...listing, opened: read.length - before };
  };
  return { folder, data, open, list };
}

/** The system's own clock decides when a change counts as settled; wait for it where a test needs that. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 120));

describe('FolderIndex', () => {
  it('opens every file once and none again while nothing changes, in this process and the next', async () => {
    const { open, list } = aFolder(100);
    await settle();
    const index = open();
    expect(list(index)).toMatchObject({ opened: 100, damaged: [] });
    expect(list(index).opened).toBe(0);
    const next = list(open());
    expect(next.opened).toBe(0);
    expect(next.entries).toHaveLength(100);
    expect(next.entries[0]).toEqual({ name: expect.any(String), summary: 'quiet' });
  });

  it('sees a change in place that keeps the size, an added and a removed file', async () => {
    const { data, open, list } = aFolder(100);
    await settle();
    const index = open();
    list(index);
    writeFileSync(join(data, '7.txt'), 'noisy');
    writeFileSync(join(data, 'new.txt'), 'fresh');
    rmSync(join(data, '9.txt'));
    for (const listing of [list(index), list(open())]) {
      const summaries = new Map(listing.entries.map(({ name, summary }) => [name, summary]));
      expect(summaries.get('7.txt')).toBe('noisy');
      expect(summaries.get('new.txt')).toBe('fresh');
      expect(summaries.has('9.txt')).toBe(false);
      expect(listing.opened).toBe(2);
    }
  });

  it('sees a change that keeps size and modification time', async () => {
    const { data, open, list } = aFolder(100);
    await settle();
    list(open());
    const { atime, mtime } = statSync(join(data, '7.txt'));
    writeFileSync(join(data, '7.txt'), 'noisy');
    utimesSync(join(data, '7.txt'), atime, mtime);
    expect(list(open()).entries.find(({ name }) => name === '7.txt')?.summary).toBe('noisy');
  });

  it('does not trust what changed a moment ago', () => {
    const { data, open, list } = aFolder(1);
    const index = open();
    for (let n = 0; n < 200; n++) {
      const text = String(n).padStart(5, '0');
      writeFileSync(join(data, '0.txt'), text);
      expect(list(index).entries).toEqual([{ name: '0.txt', summary: text }]);
    }
  });

  it('is made anew when it is damaged, incomplete or of another version', async () => {
    const { folder, open, list } = aFolder(100);
    await settle();
    list(open());
    const indexFile = join(folder, 'index', 'data.json');
    const saved = readFileSync(indexFile, 'utf8');
    for (const damage of ['', '{', 'null', '[]', saved.slice(0, -40), saved.replace('"prints":"', '"prints":"AAAA')]) {
      writeFileSync(indexFile, damage);
      expect(list(open())).toMatchObject({ opened: 100, damaged: [] });
      expect(list(open()).opened).toBe(0);
    }
    expect(list(open(2)).opened).toBe(100);
  });

  it('reports damaged files and goes on with the others', async () => {
    const { data, open, list } = aFolder(3);
    writeFileSync(join(data, '1.txt'), 'broken');
    await settle();
    const index = open();
    for (let n = 0; n < 2; n++) {
      const { entries, damaged } = list(index);
      expect(entries.map(({ name }) => name).toSorted()).toEqual(['0.txt', '2.txt']);
      expect(damaged.map(({ message }) => message)).toEqual(['1.txt is broken']);
    }
  });

  it('lists nothing where there is no folder', () => {
    const { data, open, list } = aFolder(0);
    rmSync(data, { recursive: true });
    expect(list(open())).toEqual({ entries: [], damaged: [], opened: 0 });
  });
});
