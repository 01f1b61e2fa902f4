import { dirname } from 'node:path';
import type { FileSystem } from './file-system.js';
import type { LockClaim } from './lock-claim.js';

/*
 * Creating and deleting a file is the dearest thing that a lock does: the file system looks for an inode that was not
 * freed a moment ago, and a program that writes all the time frees many. So a process that takes one lock of a folder
 * after the other keeps the file of a lock that it lets go, under its private name and for a moment, and puts it in place
 * as the next lock.
 */

const KEPT_MS = 200;
/** Who takes fewer locks than this in a row leaves nothing behind. */
const IN_A_ROW = 8;
const MOST_KEPT = 64;

interface Shelf {
  readonly claims: LockClaim[];
  releasedAt: number;
  inARow: number;
}

const shelves = new Map<FileSystem, Map<string, Shelf>>();
let isTidying = false;

process.on('exit', () => tidy(Number.POSITIVE_INFINITY));

/** Keeps the claim of a lock that was let go; false if it is not worth keeping. */
export function keepClaim({ fs, file, claim }: { fs: FileSystem; file: string; claim: LockClaim }): boolean {
  const shelf = shelfOf(fs, file);
  const now = performance.now();
  shelf.inARow = now - shelf.releasedAt < KEPT_MS ? shelf.inARow + 1 : 1;
  shelf.releasedAt = now;
  if (!isTidying) tidyLater();
  if (shelf.inARow < IN_A_ROW || shelf.claims.length >= MOST_KEPT) return false;
  shelf.claims.push(claim);
  return true;
}

/** A claim of this process that is ready to become the lock of `file`. */
export function keptClaim(fs: FileSystem, file: string, agent: string): LockClaim | undefined {
  const claims = shelves.get(fs)?.get(dirname(file))?.claims ?? [];
  const claim = claims.at(-1)?.agent === agent ? claims.pop() : undefined;
  if (claim === undefined) return undefined;
  if (!claim.isReady) {
    discard(claim);
    return undefined;
  }
  claim.renewFor(file);
  return claim;
}

function shelfOf(fs: FileSystem, file: string): Shelf {
  const folders = shelves.get(fs) ?? new Map<string, Shelf>();
  const shelf = folders.get(dirname(file)) ?? { claims: [], releasedAt: Number.NEGATIVE_INFINITY, inARow: 0 };
  shelves.set(fs, folders.set(dirname(file), shelf));
  return shelf;
}

function tidyLater(): void {
  isTidying = true;
  setTimeout(() => {
    tidy(performance.now() - KEPT_MS);
    isTidying = false;
    if (shelves.size > 0) tidyLater();
  }, KEPT_MS).unref();
}

/** Removes what was not used since. */
function tidy(since: number): void {
  for (const [fs, folders] of shelves) {
    for (const [folder, shelf] of folders) {
      if (shelf.releasedAt > since) continue;
      folders.delete(folder);
      for (const claim of shelf.claims) discard(claim);
    }
    if (folders.size === 0) shelves.delete(fs);
  }
}

/** The folder may be gone by now, or the disk full; what is left is swept with what the dead leave. */
function discard(claim: LockClaim): void {
  try {
    claim.discard();
  } catch {
    // Nobody waits for it.
  }
}
