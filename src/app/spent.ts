import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, makeInside, realFileSystem } from '../storage/files/file-system.js';
import { asStoreError } from '../storage/files/store-error.js';

/*
 * What may be used once, by any process of this folder: `state/spent/{name}`, an empty file. It is kept for longer than
 * what it marks is valid.
 */

const KEPT_MS = 48 * 60 * 60 * 1000;
const NAME = /^[0-9a-f]{32}$/;

const folderOf = (stateFolder: string): string => join(stateFolder, 'spent');

export function isSpent(stateFolder: string, name: string): boolean {
  return !NAME.test(name) || statSync(join(folderOf(stateFolder), name), { throwIfNoEntry: false }) !== undefined;
}

/** False if it was spent before: of all processes that try, one gets true. */
export function spend(stateFolder: string, name: string, now: number): boolean {
  if (!NAME.test(name)) return false;
  const folder = folderOf(stateFolder);
  try {
    makeInside(realFileSystem, dirname(stateFolder), folder);
    for (const oldName of readdirSync(folder)) {
      const at = statSync(join(folder, oldName), { throwIfNoEntry: false })?.mtimeMs ?? now;
      if (now - at > KEPT_MS) rmSync(join(folder, oldName), { force: true });
    }
    writeFileSync(join(folder, name), '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw asStoreError('write', folder, error);
    return false;
  }
}
