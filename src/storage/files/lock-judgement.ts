import { toEpochMs } from '../../protocol/timestamp.js';
import type { FileSystem } from './file-system.js';
import { holderOf, type LockClaim, type LockOnDisk } from './lock-claim.js';
import { isRunning } from './process-identity.js';

/** A lock that looks too old is watched this long before it is broken: after a suspend, everything looks too old. */
const SETTLE_MS = 500;

export interface Judge {
  readonly fs: FileSystem;
  readonly staleAfterMs: number;
  /** Tells the file system's own time. */
  readonly claim: LockClaim;
  /** Knows of holders that are surely gone. */
  readonly isGone?: ((lock: LockOnDisk) => boolean) | undefined;
}

/** Whether the holder of the lock at `place` is dead: known for certain on this host, otherwise judged by age. */
export function isOrphaned(place: string, lock: LockOnDisk, { fs, staleAfterMs, claim, isGone }: Judge): boolean {
  const { identity, modifiedMs, body } = lock;
  if (isGone?.(lock)) return true;
  const holder = holderOf(lock);
  if (holder !== 'unknown') return holder === 'dead';
  const saysOld = body !== undefined && Date.now() - toEpochMs(body.timestamp) > staleAfterMs;
  if (saysOld && body.host === undefined && !isRunning(body)) return true;
  const watchedMs = watchedFor(place, `${identity}-${modifiedMs}`);
  const ageMs = claim.fileSystemTime() - modifiedMs;
  if (ageMs < -SETTLE_MS) dateToday(fs, place);
  return watchedMs > staleAfterMs || (ageMs > staleAfterMs && watchedMs > Math.min(SETTLE_MS, staleAfterMs));
}

/**
 * When this process first saw each lock that it had to judge by age, in its present state: by its own, monotonic clock.
 */
const firstSeen = new Map<string, { readonly state: string; readonly at: number }>();

function watchedFor(place: string, state: string): number {
  const now = performance.now();
  const firstLook = firstSeen.get(place);
  if (firstLook?.state === state) return now - firstLook.at;
  firstSeen.set(place, { state, at: now });
  return 0;
}

export function forget(place: string): void {
  firstSeen.delete(place);
}

/**
 * A lock from the future, after the clock was set back, would outlive every program that waits for less than the lease.
 * Dated today it grows old like any other, for all to see. Its holder, if it lives, keeps the whole lease.
 */
function dateToday(fs: FileSystem, place: string): void {
  try {
    const fd = fs.openSync(place, 'r+');
    try {
      const now = Date.now() / 1000;
      fs.futimesSync(fd, now, now);
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    // It is gone, or belongs to another user: then only watching it helps.
  }
}
