import { dirname } from 'node:path';
import { errorCode, type FileSystem, statIfThere } from './file-system.js';

/**
 * Makes a folder of the store, and those between it and `root`. The root itself is never made: ENOENT if it is gone. A
 * person who removed or moved it away finds nothing in its place.
 */
export function makeInside(fs: FileSystem, root: string, folder: string, mode = 0o700): void {
  if (isFolder(fs, folder)) return;
  if (dirname(folder) !== root && folder.startsWith(root)) makeInside(fs, root, dirname(folder), mode);
  try {
    fs.mkdirSync(folder, { mode });
  } catch (error) {
    // Another process was quicker.
    if (errorCode(error) !== 'EEXIST' || !isFolder(fs, folder)) throw error;
  }
}

function isFolder(fs: FileSystem, folder: string): boolean {
  return statIfThere(fs, folder)?.isDirectory() === true;
}
