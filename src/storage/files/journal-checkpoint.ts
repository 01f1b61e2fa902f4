import { dirname } from 'node:path';
import { letGo } from './cleanup.js';
import { type FileSystem, openToRead, syncInPool } from './file-system.js';
import { pathFromRepository } from './prepared-folders.js';

/*
 * Makes documents durable where they are: content first, then names, and the folders above, which may be new. A
 * document renamed into place meanwhile is durable by itself, or in a journal that still holds it.
 */

/** One after the other in the thread pool: updates beside it are hardly delayed. */
export async function makeDurable(fs: FileSystem, root: string, files: Iterable<string>): Promise<void> {
  for (const file of files) await sync(fs, file, fs.fdatasync);
  for (const folder of foldersOf(root, files)) await sync(fs, folder, fs.fsync);
}

export function makeDurableNow(fs: FileSystem, root: string, files: Iterable<string>): void {
  for (const file of files) syncNow(fs, file, fs.fdatasyncSync);
  for (const folder of foldersOf(root, files)) syncNow(fs, folder, fs.fsyncSync);
}

function foldersOf(root: string, files: Iterable<string>): readonly string[] {
  const folders = new Set([...files].map((file) => dirname(file)));
  return [...new Set([...folders].flatMap((folder) => pathFromRepository(root, folder)))];
}

async function sync(fs: FileSystem, path: string, call: FileSystem['fsync']): Promise<void> {
  const fd = openToRead(fs, path);
  if (fd === undefined) return;
  try {
    await syncInPool(call, fd);
  } finally {
    letGo(fs, fd);
  }
}

function syncNow(fs: FileSystem, path: string, call: FileSystem['fsyncSync']): void {
  const fd = openToRead(fs, path);
  if (fd === undefined) return;
  try {
    call(fd);
  } finally {
    letGo(fs, fd);
  }
}
