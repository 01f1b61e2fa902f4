import { join } from 'node:path';
import { putAway } from './cleanup.js';
import { type FileSystem, unlinkIfThere, writeAll } from './file-system.js';
import { makeToken, scratchPath } from './lock-names.js';

/** Makes a file that is not there yet. `finish` may do more with it while it is open. */
export function writeNew(
  fs: FileSystem,
  path: string,
  { content, mode }: { readonly content: Buffer; readonly mode: number },
  finish: (fd: number) => void = () => {},
): void {
  const fd = fs.openSync(path, 'wx', mode);
  try {
    writeAll(fs, fd, content);
    finish(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Replaces a file whole or not at all, without a lock and without waiting for the disk: for what can be made again. */
export function writeWhole(fs: FileSystem, path: string, content: string | Buffer, mode: number): void {
  const scratch = scratchPath(path, makeToken());
  try {
    writeNew(fs, scratch, { content: typeof content === 'string' ? Buffer.from(content) : content, mode });
    fs.renameSync(scratch, path);
  } catch (error) {
    putAway(() => unlinkIfThere(fs, scratch));
    throw error;
  }
}

/** A page of memory or a block of a disk: less may fit where nothing else does. */
const SAMPLE = { content: Buffer.alloc(4096, '\n'), mode: 0o600 };

/** Throws what the system says if a folder cannot be written to: a full disk and a read-only one show only then. */
export function writeSample(fs: FileSystem, folder: string, name: string): void {
  const path = scratchPath(join(folder, name), makeToken());
  try {
    writeNew(fs, path, SAMPLE, (fd) => fs.fdatasyncSync(fd));
  } finally {
    putAway(() => unlinkIfThere(fs, path));
  }
}
