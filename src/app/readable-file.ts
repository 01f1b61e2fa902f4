import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/** Whether this user can read it and it is a file: no folder, and no pipe that would hold us up. */
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
