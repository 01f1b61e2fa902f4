import { putAway } from './cleanup.js';
import { type FileSystem, unlinkIfThere, writeAll } from './file-system.js';
import { makeToken, scratchPath } from './lock-names.js';

/** Replaces a file whole or not at all, without a lock and without waiting for the disk: for what can be made again. */
export function writeWhole(fs: FileSystem, path: string, content: string | Buffer, mode: number): void {
  const scratch = scratchPath(path, makeToken());
  try {
    const fd = fs.openSync(scratch, 'wx', mode);
    try {
      writeAll(fs, fd, typeof content === 'string' ? Buffer.from(content) : content);
    } finally {
      fs.closeSync(fd);
    }
    fs.renameSync(scratch, path);
  } catch (error) {
    putAway(() => unlinkIfThere(fs, scratch));
    throw error;
  }
}
