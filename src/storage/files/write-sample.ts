import { join } from 'node:path';
import { putAway } from './cleanup.js';
import { type FileSystem, unlinkIfThere, writeAll } from './file-system.js';
import { makeToken, scratchPath } from './lock-names.js';

/** A page of memory or a block of a disk: less may fit where nothing else does. */
const SAMPLE = Buffer.alloc(4096, '\n');

/** Throws what the system says if a folder cannot be written to: a full disk and a read-only one show only then. */
export function writeSample(fs: FileSystem, folder: string, name: string): void {
  const path = scratchPath(join(folder, name), makeToken());
  const fd = fs.openSync(path, 'wx', 0o600);
  try {
    writeAll(fs, fd, SAMPLE);
    fs.fdatasyncSync(fd);
  } finally {
    fs.closeSync(fd);
    putAway(() => unlinkIfThere(fs, path));
  }
}
