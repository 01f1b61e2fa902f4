import { join } from 'node:path';
import { type FileSystem, orElse, unlinkIfThere } from './file-system.js';
import { removeOrphan } from './lock.js';
import { holderOf, readLock } from './lock-claim.js';
import { lockPath } from './lock-names.js';
import { ownerOf } from './process-identity.js';

/** Files from another host cannot be judged here; after this long they are surely not in use. */
const FOREIGN_LITTER_MS = 60 * 60 * 1000;

/**
 * Removes what dead processes left in a folder. Their locks go by the rules of heirs, the rest is simply deleted. What
 * cannot be removed stays, for example files of another user: it does no harm.
 */
export function sweepLitter(fs: FileSystem, folder: string): void {
  for (const path of findLitter(fs, folder)) {
    try {
      if (isLockName(path)) removeOrphan(fs, path.slice(0, -'.lock'.length));
      else unlinkIfThere(fs, path);
    } catch {
      // If it blocks a later operation, a lock above all, that operation reports it.
    }
  }
}

/** What a sweep would remove, orphaned locks included, for callers that only want to know. */
export function findLitter(fs: FileSystem, folder: string): string[] {
  const names = orElse<readonly string[]>([], () => fs.readdirSync(folder));
  const paths = names.filter((name) => /\.(?:lock|tmp)$/.test(name)).map((name) => join(folder, name));
  // A file that cannot be judged is left alone, or is gone.
  return paths.filter((path) => orElse(false, () => isLitter(fs, path, paths)));
}

const isLockName = (path: string): boolean => path.endsWith('.json.lock');

function isLitter(fs: FileSystem, path: string, all: readonly string[]): boolean {
  if (isLockName(path) || path.endsWith('.waiting.lock')) return isHeldByTheDead(fs, path);
  if (path.endsWith('.heir.lock')) return isUselessRight(fs, path, all);
  const owner = ownerOf(path);
  return owner === 'dead' || (owner === 'unknown' && Date.now() - fs.statSync(path).mtimeMs > FOREIGN_LITTER_MS);
}

/** While the lock that a dead heir was about to replace is there, its right is inherited; afterwards it is useless. */
function isUselessRight(fs: FileSystem, path: string, all: readonly string[]): boolean {
  const [, file = '', identity] = /^(.*)\.([^.]+)\.heir\.lock$/s.exec(path) ?? [];
  const rights = all.filter((place) => place.startsWith(file) && place.endsWith('.heir.lock'));
  return (
    isHeldByTheDead(fs, path) &&
    ![lockPath(file), ...rights].some((place) => readLock(fs, place)?.identity === identity)
  );
}

function isHeldByTheDead(fs: FileSystem, path: string): boolean {
  const lock = readLock(fs, path);
  return lock !== undefined && holderOf(lock) === 'dead';
}
