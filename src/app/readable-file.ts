import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Whether it is a file that this user can read: no folder, and no pipe that would block us. */
export function isReadableFile(path: string): boolean {
  if (path.includes('\0')) return false;
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return fstatSync(file).isFile();
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

const DATABASE_MARK = 'SQLite format 3\0';

/** Whether a file that can be read is a database of SQLite, in which some programs keep their sessions. */
export function isDatabaseFile(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const beginning = Buffer.alloc(DATABASE_MARK.length);
    readSync(file, beginning, 0, beginning.length, 0);
    return beginning.toString('latin1') === DATABASE_MARK;
  } finally {
    closeSync(file);
  }
}
