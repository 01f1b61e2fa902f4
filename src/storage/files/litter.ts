import { join } from 'node:path';
import { errorCode, type FileSystem, unlinkIfThere } from './file-system.js';
import { removeOrphan } from './lock.js';
import { readLock } from './lock-claim.js';
import { lockPath, ownerOf } from './lock-names.js';
import { isRunning, thisProcess } from './process-identity.js';

/** What another host left behind is nobody's to judge; after this long it is surely not in use. */
const FOREIGN_LITTER_MS = 60 * 60 * 1000;

/** Removes what dead processes left in a folder. Their locks go by the rules of heirs, the rest is simply deleted. */
export function sweepLitter(fs: FileSystem, folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    if (name.endsWith('.json')) continue;
    const path = join(folder, name);
    if (isLitter(fs, path, name)) unlinkIfThere(fs, path);
    else if (name.endsWith('.json.lock') && isHeldByTheDead(fs, path)) removeOrphan(fs, join(folder, fileOf(name)));
  }
}

const fileOf = (lockName: string): string => lockName.slice(0, -'.lock'.length);

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
  const holder = readLock(fs, path)?.body;
  return holder !== undefined && holder.host === thisProcess().host && !isRunning(holder);
}

function ageOf(fs: FileSystem, path: string): number {
  try {
    return Date.now() - fs.statSync(path).mtimeMs;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}
