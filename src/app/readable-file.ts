import { closeSync, constants, fstatSync, openSync } from 'node:fs';

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
