import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { ClaimShelf } from './claim-shelf.js';
import { realFileSystem as fs } from './file-system.js';
import { acquireLock } from './lock.js';

function aShelf() {
  const folder = join(temporaryFolder(), 'clarifications');
  fs.mkdirSync(folder);
  const shelf = new ClaimShelf(fs);
  shelf.open();
  const take = (name: string, agent = 'engineer') => acquireLock(join(folder, name), { agent, shelf, waitMs: 50 });
  const left = () => readdirSync(folder);
  return { folder, shelf, take, left };
}

const bodyOf = (folder: string, name: string) => JSON.parse(readFileSync(join(folder, `${name}.lock`), 'utf8'));

describe('the private file of a lock', () => {
  it('serves the next lock, which has a token of its own', async () => {
    const { folder, take, left } = aShelf();
    const first = await take('a.json');
    const before = bodyOf(folder, 'a.json');
    first.release();
    const files = left();
    expect(files).toHaveLength(1);
    const second = await take('b.json');
    expect(left().toSorted()).toEqual([...files, 'b.json.lock'].toSorted());
    expect(bodyOf(folder, 'b.json')).toMatchObject({ agent: 'engineer', pid: process.pid, token: second.token });
    expect(second.token).not.toBe(before.token);
    expect(second.isMine()).toBe(true);
  });

  it('serves one lock at a time', async () => {
    const { take } = aShelf();
    (await take('a.json')).release();
    const [first, second] = [await take('a.json'), await take('b.json')];
    await expect(take('a.json')).rejects.toMatchObject({ code: 'LOCK_TIMEOUT' });
    second.release();
    expect(first.isMine()).toBe(true);
  });

  it('serves no lock of an agent with another name: a body must not show the end of a longer one', async () => {
    const { folder, take } = aShelf();
    (await take('a.json', 'the engineer of the team')).release();
    await take('a.json', 'qa');
    expect(bodyOf(folder, 'a.json').agent).toBe('qa');
  });

  it.each([
    ['is empty', () => {}],
    ['is a copy with the file in it', (from: string, to: string) => cpSync(from, to, { recursive: true })],
  ])('is made anew where the folder was replaced by one that %s', async (_, fill) => {
    const { folder, take, left } = aShelf();
    (await take('a.json')).release();
    renameSync(folder, `${folder}-away`);
    fs.mkdirSync(folder);
    fill(`${folder}-away`, folder);
    const copied = left();
    const lock = await take('a.json');
    expect(lock.isMine()).toBe(true);
    lock.release();
    expect(left()).not.toContain('a.json.lock');
    expect(left()).toHaveLength(copied.length + 1);
  });

  it('is made anew if another program removed it', async () => {
    const { folder, take, left } = aShelf();
    (await take('a.json')).release();
    for (const name of left()) rmSync(join(folder, name));
    expect((await take('a.json')).isMine()).toBe(true);
  });

  it('is gone with the shelf, and those of locks that are held then go with the locks', async () => {
    const { shelf, take, left } = aShelf();
    const [held, released] = [await take('a.json'), await take('b.json')];
    released.release();
    shelf.close();
    expect(left()).toHaveLength(2);
    held.release();
    expect(left()).toEqual([]);
  });

  it('stays with its lock while the lock cannot be removed', async () => {
    const { folder, shelf } = aShelf();
    let isRefused = true;
    const unlinkSync: typeof fs.unlinkSync = (path) => {
      if (isRefused && basename(String(path)) === 'a.json.lock')
        throw Object.assign(new Error('busy'), { code: 'EIO' });
      fs.unlinkSync(path);
    };
    const file = join(folder, 'a.json');
    const options = { agent: 'engineer', shelf, waitMs: 50, fs: { ...fs, unlinkSync } };
    (await acquireLock(file, options)).release();
    const other = await acquireLock(join(dirname(file), 'b.json'), options);
    isRefused = false;
    await expect.poll(() => existsSync(`${file}.lock`)).toBe(false);
    expect(other.isMine()).toBe(true);
  });
});
