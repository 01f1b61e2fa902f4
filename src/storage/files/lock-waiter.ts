import { AgentXError } from '../../protocol/errors.js';
import { MAX_LOCK_WAIT_MS, STALE_LOCK_THRESHOLD_MS } from '../../protocol/limits.js';
import { toEpochMs } from '../../protocol/timestamp.js';
import { type FileSystem, isThere, orElse, unlinkIfThere } from './file-system.js';
import { holderOf, LockClaim, type LockOnDisk, readLock } from './lock-claim.js';
import { heirPath, lockPath, scratchPath, waitingPath } from './lock-names.js';
import { pauseBeforeLook } from './lock-turns.js';
import { isRunning } from './process-identity.js';

export interface WaitOptions {
  /** The name of the holder, for people who read the lock file. */
  readonly agent: string;
  readonly waitMs?: number | undefined;
  readonly staleAfterMs?: number | undefined;
  /** Whether the holder of a lock is known to be gone, if this host alone could not tell. */
  readonly isGone?: ((lock: LockOnDisk) => boolean) | undefined;
}

/** How often a holder that does not move is judged again. */
const JUDGE_EVERY_MS = 10;
/** A lock that looks too old is watched this long before it is broken: after a suspend, everything looks too old. */
const SETTLE_MS = 500;

/** One caller that wants the lock, with its claim ready to be put in place. */
export class Waiter {
  readonly claim: LockClaim;
  readonly #lock: string;
  readonly #line: string;
  readonly #started = performance.now();
  #isNext = false;
  #leftIt = false;
  #attempts = 0;
  #judged = { identity: '', at: 0 };

  constructor(
    private readonly file: string,
    private readonly options: WaitOptions,
    private readonly fs: FileSystem,
  ) {
    this.#lock = lockPath(file);
    this.#line = waitingPath(file);
    this.claim = new LockClaim(fs, file, options.agent);
  }

  /**
   * How long to pause before each look, until the lock is ours. LOCK_TIMEOUT if that takes too long; a caller that goes
   * no further gives up.
   */
  *pauses(isToPauseFirst = false): Iterable<number> {
    const limit = this.options.waitMs ?? MAX_LOCK_WAIT_MS;
    let isOurs = false;
    try {
      isOurs = !isToPauseFirst && this.claim.place(this.#lock);
      for (let waitedMs = 0; !isOurs; waitedMs = performance.now() - this.#started) {
        if (this.#attempts > 0 && waitedMs >= limit) throw this.#timeout(limit);
        const place = this.#isNext || !isThere(this.fs, this.#line) ? 'next' : 'behind';
        yield Math.min(pauseBeforeLook(place), limit - waitedMs);
        isOurs = this.#look();
      }
      firstSeen.delete(this.#lock);
    } finally {
      if (isOurs) this.claim.leave(this.#line);
      else this.claim.withdraw();
    }
  }

  /** Takes over the lock at `place` if its holder is dead. The right to do so is a lock of its own kind. */
  inherit(place: string = this.#lock): boolean {
    const orphan = readLock(this.fs, place);
    if (!orphan) return this.claim.place(place);
    if (!this.#isOrphaned(place, orphan)) return false;
    const right = heirPath(this.file, orphan.identity);
    if (!this.claim.place(right) && !this.inherit(right)) return false;
    // Another heir may have come and gone since we looked; only the lock that we judged may be replaced.
    if (readLock(this.fs, place)?.identity !== orphan.identity) {
      this.claim.leave(right);
      return false;
    }
    if (orphan.body?.token !== undefined) unlinkIfThere(this.fs, scratchPath(this.file, orphan.body.token));
    return this.claim.replace(place, right);
  }

  /** True if the lock is ours now. A process that sees it free leaves it to the next in line, once. */
  #look(): boolean {
    this.#attempts++;
    const stat = this.fs.statSync(this.#lock, { throwIfNoEntry: false });
    if (!stat) {
      this.#leftIt = !this.#leftIt && !this.#isNext && isThere(this.fs, this.#line);
      if (this.#leftIt) return false;
      this.claim.refresh();
      return this.claim.place(this.#lock);
    }
    this.#leftIt = false;
    this.#isNext = (this.#isNext && this.claim.isAt(this.#line)) || this.claim.showAt(this.#line);
    const identity = `${stat.ino}-${stat.mtimeMs}`;
    const now = performance.now();
    const isUnmoved = identity === this.#judged.identity;
    if (isUnmoved && now - this.#judged.at < JUDGE_EVERY_MS) return false;
    this.#judged = { identity, at: now };
    return isUnmoved && this.inherit();
  }

  /** Whether the holder of the lock at `place` is dead: known for certain on this host, otherwise judged by age. */
  #isOrphaned(place: string, lock: LockOnDisk): boolean {
    const { isGone, staleAfterMs = STALE_LOCK_THRESHOLD_MS } = this.options;
    const { identity, modifiedMs, body } = lock;
    if (isGone?.(lock)) return true;
    const holder = holderOf(lock);
    if (holder !== 'unknown') return holder === 'dead';
    const saysOld = body !== undefined && Date.now() - toEpochMs(body.timestamp) > staleAfterMs;
    if (saysOld && body.host === undefined && !isRunning(body)) return true;
    const watchedMs = watchedFor(place, `${identity}-${modifiedMs}`);
    const ageMs = this.claim.fileSystemTime() - modifiedMs;
    // A lock from the future, after the clock was set back, would outlive every program that waits for less than the
    // lease. Dated today it grows old like any other, for all to see. Its holder, if it lives, keeps the whole lease.
    if (ageMs < -SETTLE_MS) orElse(undefined, () => this.fs.utimesSync(place, new Date(), new Date()));
    return watchedMs > staleAfterMs || (ageMs > staleAfterMs && watchedMs > Math.min(SETTLE_MS, staleAfterMs));
  }

  #timeout(limit: number): AgentXError {
    const { body, modifiedMs } = readLock(this.fs, this.#lock) ?? { body: undefined, modifiedMs: Date.now() };
    const since = body ? toEpochMs(body.timestamp) : modifiedMs;
    const ageSeconds = Math.max(0, Math.round((Date.now() - since) / 1000));
    const holder = body ? `${body.agent} (pid ${body.pid})` : 'an unknown process';
    return new AgentXError(
      'LOCK_TIMEOUT',
      `Cannot lock ${this.file}: held by ${holder} for ${ageSeconds} s; waited ${limit / 1000} s. Nothing was changed.`,
      { path: this.file, holder: body?.agent, pid: body?.pid, host: body?.host, ageSeconds, attempts: this.#attempts },
    );
  }
}

/** When this process first saw each lock that it judges by age, in its present state, by its own monotonic clock. */
const firstSeen = new Map<string, { readonly state: string; readonly at: number }>();

function watchedFor(place: string, state: string): number {
  const now = performance.now();
  const firstLook = firstSeen.get(place);
  if (firstLook?.state === state) return now - firstLook.at;
  firstSeen.set(place, { state, at: now });
  return 0;
}
