import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { type FileSystem, realFileSystem } from './file-system.js';
import { acquireLock } from './lock.js';
import { readLock } from './lock-claim.js';

function aFolder() {
  const folder = temporaryFolder();
  let created = 0;
  const openSync: FileSystem['openSync'] = (...args) => {
    created++;
    return realFileSystem.openSync(...args);
  };
  const fs: FileSystem = { ...realFileSystem, openSync };
  const take = (name: string, keepsClaim = true) =>
    acquireLock(join(folder, name), { agent: 'engineer', fs, keepsClaim });
  return { folder, take, created: () => created };
}

describe('a process that takes one lock after the other', () => {
  it('makes no file for them any more, and each is a lock of its own', async () => {
    const { folder, take, created } = aFolder();
    const tokens = new Set<string | undefined>();
    for (let turn = 0; turn < 30; turn++) {
      const name = `issue-${turn % 3}.json`;
      const lock = await take(name);
      expect(lock.isMine()).toBe(true);
      tokens.add(readLock(realFileSystem, join(folder, `${name}.lock`))?.body?.token);
      lock.release();
      expect(readdirSync(folder).filter((file) => file.endsWith('.lock'))).toEqual([]);
    }
    expect(tokens.size).toBe(30);
    expect(created()).toBe(8);
    await expect.poll(() => readdirSync(folder)).toEqual([]);
  });

  it('leaves nothing behind after a few, or where it did not ask for more', async () => {
    const { folder, take } = aFolder();
    for (let turn = 0; turn < 7; turn++) (await take('issue-1.json')).release();
    for (let turn = 0; turn < 20; turn++) (await take('issue-2.json', false)).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('goes on where somebody cleared the folder', async () => {
    const { folder, take } = aFolder();
    for (let turn = 0; turn < 10; turn++) (await take('issue-1.json')).release();
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    const lock = await take('issue-1.json');
    expect(lock.isMine()).toBe(true);
    lock.release();
  });
});
