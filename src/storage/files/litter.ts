import { join } from 'node:path';
import { errorCode, type FileSystem, unlinkIfThere } from './file-system.js';
import { readLock } from './lock-claim.js';
import { lockPath, ownerOf } from './lock-names.js';
import { isRunning, thisProcess } from './process-identity.js';

/** What another host left behind is nobody's to judge; after this long it is surely not in use. */
const FOREIGN_LITTER_MS = 60 * 60 * 1000;

/** Removes the private files of dead processes from a folder. Locks are not litter: they have heirs. */
export function sweepLitter(fs: FileSystem, folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    if (name.endsWith('.json')) continue;
    const path = join(folder, name);
    if (isLitter(fs, path, name)) unlinkIfThere(fs, path);
  }
}

function isLitter(fs: FileSystem, path: string, name: string): boolean {
  if (name.endsWith('.waiting.lock')) return isHeldByTheDead(fs, path);
  if (name.endsWith('.heir.lock')) return isUselessRight(fs, path);
  const owner = ownerOf(name);
  return owner === 'dead' || (owner === 'unknown' && ageOf(fs, path) > FOREIGN_LITTER_MS);
}

/** While the dead lock is there, the right of an heir that died too is inherited with it; afterwards nobody wants it. */
function isUselessRight(fs: FileSystem, path: string): boolean {
  const [, file, identity] = /^(.*)\.([^.]+)\.heir\.lock$/s.exec(path) ?? [];
  if (file === undefined || !isHeldByTheDead(fs, path)) return false;
  return readLock(fs, lockPath(file))?.identity !== identity;
}

function isHeldByTheDead(fs: FileSystem, path: string): boolean {
  const { host, pid, start = 0 } = readLock(fs, path) ?? {};
  return host === thisProcess().host && pid !== undefined && !isRunning({ pid, start });
}

function ageOf(fs: FileSystem, path: string): number {
  try {
    return Date.now() - fs.statSync(path).mtimeMs;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}
