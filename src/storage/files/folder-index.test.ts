import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
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
      compare: (left, right) => left.localeCompare(right, 'en', { numeric: true }),
      isMember: (name) => name.endsWith('.txt'),
      summarise: (name) => {
        read.push(name);
        const text = readFileSync(join(data, name), 'utf8');
        if (text === 'broken') throw new AgentXError('CORRUPT_FILE', `${name} is broken`);
        return text === 'dull' ? null : `${name} ${text}`;
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

/** The system's own clock decides when a change counts as settled; tests wait for it if they need that. */
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
    expect(next.items).toHaveLength(100);
    expect(next.items).toContain('7.txt quiet');
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
      expect(listing.items).toContain('7.txt noisy');
      expect(listing.items).toContain('new.txt fresh');
      expect(listing.items).not.toContain('9.txt quiet');
      expect(listing).toMatchObject({ opened: 2, items: { length: 100 } });
    }
  });

  it('goes on without a file that cannot even be looked at, and names it', async () => {
    const { data, open, list } = aFolder(3);
    await settle();
    const index = open();
    list(index);
    const loop = join(data, '9.txt');
    symlinkSync(loop, loop);
    for (const listing of [list(index), list(open())]) {
      expect(listing.items).toHaveLength(3);
      expect(listing.damaged).toMatchObject([{ code: 'STORE_ERROR', details: { path: loop, cause: 'ELOOP' } }]);
    }
    rmSync(loop);
    expect(list(index)).toMatchObject({ items: { length: 3 }, damaged: [] });
  });

  it('sees a change that keeps size and modification time', async () => {
    const { data, open, list } = aFolder(100);
    await settle();
    list(open());
    const { atime, mtime } = statSync(join(data, '7.txt'));
    writeFileSync(join(data, '7.txt'), 'noisy');
    utimesSync(join(data, '7.txt'), atime, mtime);
    expect(list(open()).items).toContain('7.txt noisy');
  });

  it('does not trust what changed a moment ago', () => {
    const { data, open, list } = aFolder(1);
    const index = open();
    for (let n = 0; n < 200; n++) {
      const text = String(n).padStart(5, '0');
      writeFileSync(join(data, '0.txt'), text);
      expect(list(index).items).toEqual([`0.txt ${text}`]);
    }
  });

  it('is made anew when it is damaged, incomplete or of another version', async () => {
    const { folder, open, list } = aFolder(100);
    await settle();
    list(open());
    const indexFile = join(folder, 'index', 'data.json');
    const saved = readFileSync(indexFile, 'utf8');
    for (const damage of ['', '{', 'null', '[]', saved.slice(0, -40), saved.replace('"prints":[', '"prints":[0,')]) {
      writeFileSync(indexFile, damage);
      expect(list(open())).toMatchObject({ opened: 100, damaged: [] });
      expect(list(open()).opened).toBe(0);
    }
    expect(list(open(2)).opened).toBe(100);
  });

  it('remembers what is of no interest without showing it', async () => {
    const { data, open, list } = aFolder(10);
    writeFileSync(join(data, '3.txt'), 'dull');
    await settle();
    expect(list(open()).items).toHaveLength(9);
    const next = list(open());
    expect(next).toMatchObject({ opened: 0, items: { length: 9 } });
    expect(next.items).not.toContain('3.txt dull');
  });

  it('is left for the next command by one that read a file anew, and not written with every change after that', async () => {
    const { folder, data, open, list } = aFolder(10);
    await settle();
    const index = open();
    list(index);
    const written = () => readFileSync(join(folder, 'index', 'data.json'), 'utf8');
    const before = written();
    writeFileSync(join(data, '3.txt'), 'noisy');
    await settle();
    expect(list(index).items).toContain('3.txt noisy');
    expect(written()).toBe(before);
    expect(list(open()).opened).toBe(1);
    expect(list(open()).opened).toBe(0);
  });

  it('finds files again when others come and go between them', async () => {
    const { data, open, list } = aFolder(30);
    await settle();
    list(open());
    for (const n of [0, 11, 29]) rmSync(join(data, `${n}.txt`));
    for (const n of [40, 41, 42]) writeFileSync(join(data, `${n}.txt`), `late-${n}`);
    const { items: summaries, opened } = list(open());
    expect(opened).toBe(3);
    expect(summaries).toHaveLength(30);
    expect(summaries).toContain('41.txt late-41');
    expect(summaries).toContain('12.txt quiet');
  });

  it('reports damaged files and goes on with the others', async () => {
    const { data, open, list } = aFolder(3);
    writeFileSync(join(data, '1.txt'), 'broken');
    await settle();
    const index = open();
    for (let n = 0; n < 2; n++) {
      const { items: summaries, damaged } = list(index);
      expect(summaries.toSorted()).toEqual(['0.txt quiet', '2.txt quiet']);
      expect(damaged.map(({ message }) => message)).toEqual(['1.txt is broken']);
    }
  });

  it('lists nothing where there is no folder', () => {
    const { data, open, list } = aFolder(0);
    rmSync(data, { recursive: true });
    expect(list(open())).toEqual({ items: [], damaged: [], opened: 0 });
  });
});
