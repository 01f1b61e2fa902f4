/*
 * A lock on a file that cannot be held twice.
 *
 * On disk it is the open contract: `X.json.lock` exists while somebody changes `X.json` and holds `{pid, timestamp,
 * agent}`. A program in any language that creates it exclusively, breaks it when it is older than 30 seconds and deletes
 * it afterwards takes part. Ours add `token`, `host` and `start`, and keep these rules among themselves:
 *
 *   free    -> held     a complete claim is linked into place; linking fails if anything is there
 *   held    -> free     the holder unlinks the lock, if it is still its own
 *   held    -> lost     a literal participant broke the lock of a holder that stood still for 30 seconds: the holder
 *                       notices before it writes (LOCK_LOST) and nothing is written
 *   held    -> orphaned the holder died. On the same host that is known from its process id and start time, at once
 *                       and for certain; a live holder is never broken, however long it takes. Elsewhere, and for
 *                       literal participants, it is a lease of 30 seconds
 *   orphaned -> held    by exactly one heir: whoever holds `<token of the dead>.heir.lock`, itself taken by these rules.
 *                       The heir removes the dead one's scratch file, so that a frozen writer that wakes up has nothing
 *                       to commit, and renames its own claim over the lock
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentXError } from '../../protocol/errors.js';
import { LOCK_HEARTBEAT_MS, MAX_LOCK_WAIT_MS, STALE_LOCK_THRESHOLD_MS } from '../../protocol/limits.js';
import { toEpochMs } from '../../protocol/timestamp.js';
import { type FileSystem, realFileSystem, unlinkIfThere } from './file-system.js';
import { LockClaim, type LockOnDisk, readLock } from './lock-claim.js';
import { heirPath, lockPath, scratchPath, waitingPath } from './lock-names.js';
import { isRunning, thisProcess } from './process-identity.js';
import { asStoreError } from './store-error.js';

export interface LockOptions {
  /** Who holds it, for people who read the lock file. */
  readonly agent: string;
  readonly waitMs?: number | undefined;
  readonly staleAfterMs?: number | undefined;
  readonly fs?: FileSystem | undefined;
}

/** After this long a process that keeps taking one lock steps back for those who wait. */
const BURST_MS = 3;
/** For at most this long, longer than they sleep between two looks. */
const COURTESY_MS = 10;
/** A lock that looks too old is watched this long before it is broken: after a suspend, everything looks too old. */
const SETTLE_MS = 500;
/** How often a holder that does not move is judged again. */
const JUDGE_EVERY_MS = 10;

export class FileLock {
  #released = false;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(
    readonly file: string,
    private readonly fs: FileSystem,
    private readonly claim: LockClaim,
  ) {
    this.#heartbeat = setInterval(() => this.#beat(), LOCK_HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** Where this holder, and nobody else, prepares the next content. */
  get scratchPath(): string {
    return scratchPath(this.file, this.claim.token);
  }

  isMine(): boolean {
    return !this.#released && this.claim.isAt(lockPath(this.file));
  }

  release(): void {
    if (this.#released) return;
    const mine = this.isMine();
    this.#released = true;
    clearInterval(this.#heartbeat);
    try {
      if (mine) unlinkIfThere(this.fs, lockPath(this.file));
      noteRelease(this.fs, this.file);
    } finally {
      this.claim.discard();
    }
  }

  /** For literal participants, who judge by age. */
  #beat(): void {
    if (this.isMine()) this.claim.refresh();
  }
}

export async function acquireLock(file: string, options: LockOptions): Promise<FileLock> {
  const fs = options.fs ?? realFileSystem;
  await letOthersGoFirst(fs, file);
  const waiter = new Waiter(file, options, fs);
  try {
    await waiter.wait();
    return waiter.held();
  } catch (error) {
    waiter.giveUp();
    throw asStoreError('lock', file, error);
  }
}

/** Removes the lock of a holder that died, by the same rules: whoever comes to take it meanwhile is not disturbed. */
export function removeOrphan(fs: FileSystem, file: string): void {
  const waiter = new Waiter(file, { agent: 'agentx' }, fs);
  if (waiter.inheritNow()) waiter.held().release();
  else waiter.giveUp();
}

class Waiter {
  readonly #claim: LockClaim;
  readonly #lock: string;
  readonly #started = performance.now();
  #announced = false;
  #judged = { identity: '', at: 0 };

  constructor(
    private readonly file: string,
    private readonly options: LockOptions,
    private readonly fs: FileSystem,
  ) {
    this.#lock = lockPath(file);
    try {
      this.#claim = new LockClaim(fs, file, options.agent);
    } catch (error) {
      throw asStoreError('lock', file, error);
    }
  }

  async wait(): Promise<void> {
    if (this.#claim.place(this.#lock)) return;
    const limit = this.options.waitMs ?? MAX_LOCK_WAIT_MS;
    for (let polls = 0; ; polls++) {
      const waited = performance.now() - this.#started;
      if (waited >= limit) throw this.#timeout(limit);
      await sleep(pollDelay(waited));
      if (this.#tryOnce(polls > 0)) return;
    }
  }

  inheritNow(): boolean {
    return this.#inherit(this.#lock);
  }

  held(): FileLock {
    this.#claim.settle();
    if (this.#announced) this.#withdraw();
    firstSeen.delete(this.#lock);
    return new FileLock(this.file, this.fs, this.#claim);
  }

  giveUp(): void {
    if (this.#announced) this.#withdraw();
    this.#claim.discard();
  }

  #withdraw(): void {
    if (this.#claim.isAt(waitingPath(this.file))) unlinkIfThere(this.fs, waitingPath(this.file));
  }

  #tryOnce(announce: boolean): boolean {
    const stat = this.fs.statSync(this.#lock, { throwIfNoEntry: false });
    if (!stat) {
      this.#claim.refresh();
      return this.#claim.place(this.#lock);
    }
    if (announce) this.#announced = this.#claim.showAt(waitingPath(this.file)) || this.#announced;
    const identity = `${stat.ino}-${stat.mtimeMs}`;
    const now = performance.now();
    const unmoved = identity === this.#judged.identity;
    if (unmoved && now - this.#judged.at < JUDGE_EVERY_MS) return false;
    this.#judged = { identity, at: now };
    return unmoved && this.#inherit(this.#lock);
  }

  /** Takes over what stands at `place` if its holder is dead. The right to do so is a lock of its own kind. */
  #inherit(place: string): boolean {
    const orphan = readLock(this.fs, place);
    if (!orphan) return this.#claim.place(place);
    if (!this.#isOrphaned(place, orphan)) return false;
    const right = heirPath(this.file, orphan.identity);
    if (!this.#claim.place(right) && !this.#inherit(right)) return false;
    // Another heir may have come and gone since we looked; only what we judged may be replaced.
    if (readLock(this.fs, place)?.identity !== orphan.identity) {
      unlinkIfThere(this.fs, right);
      return false;
    }
    if (orphan.body?.token !== undefined) unlinkIfThere(this.fs, scratchPath(this.file, orphan.body.token));
    this.fs.renameSync(right, place);
    return true;
  }

  #isOrphaned(place: string, { identity, modifiedMs, body }: LockOnDisk): boolean {
    if (body?.token !== undefined && body.host === thisProcess().host) return !isRunning(body);
    const staleAfter = this.options.staleAfterMs ?? STALE_LOCK_THRESHOLD_MS;
    const saysOld = body !== undefined && Date.now() - toEpochMs(body.timestamp) > staleAfter;
    if (saysOld && body.host === undefined && !isRunning(body)) return true;
    const watched = watchedFor(place, `${identity}-${modifiedMs}`);
    const age = this.#claim.fileSystemTime() - modifiedMs;
    return watched > staleAfter || (age > staleAfter && watched > Math.min(SETTLE_MS, staleAfter));
  }

  #timeout(limit: number): AgentXError {
    const { body, modifiedMs } = readLock(this.fs, this.#lock) ?? { body: undefined, modifiedMs: Date.now() };
    const since = body ? toEpochMs(body.timestamp) : modifiedMs;
    const ageSeconds = Math.max(0, Math.round((Date.now() - since) / 1000));
    const holder = body ? `${body.agent} (pid ${body.pid})` : 'somebody';
    return new AgentXError(
      'LOCK_TIMEOUT',
      `Cannot lock ${this.file}: held by ${holder} for ${ageSeconds} s; waited ${limit / 1000} s. Nothing was changed.`,
      { path: this.file, holder: body?.agent, pid: body?.pid, host: body?.host, ageSeconds },
    );
  }
}

/** When this process first saw each lock that it had to wait for, as the lock is now: its own, monotonic clock. */
const firstSeen = new Map<string, { state: string; at: number }>();

function watchedFor(place: string, state: string): number {
  const now = performance.now();
  const seen = firstSeen.get(place);
  if (seen?.state === state) return now - seen.at;
  firstSeen.set(place, { state, at: now });
  return 0;
}

/** Quick at first, then rarer so that many waiters do not eat the holder's processor, then quick again: age goes first. */
function pollDelay(waited: number): number {
  const spread = waited > 1_000 ? 1 : Math.min(4, 1 + waited / 8);
  return Math.random() * spread * 2;
}

/** Since when this process has been taking a lock again and again while others wait for it. */
const bursts = new Map<string, number>();

/** The one that just had the lock is always quicker than those who sleep: after a while it waits until one has woken. */
async function letOthersGoFirst(fs: FileSystem, file: string): Promise<void> {
  const since = bursts.get(file);
  const now = performance.now();
  if (since === undefined || now - since < BURST_MS) return;
  bursts.delete(file);
  unlinkIfThere(fs, waitingPath(file));
  while (performance.now() - now < COURTESY_MS) {
    await sleep(1);
    if (fs.statSync(lockPath(file), { throwIfNoEntry: false })) return;
  }
}

function noteRelease(fs: FileSystem, file: string): void {
  if (!fs.statSync(waitingPath(file), { throwIfNoEntry: false })) bursts.delete(file);
  else if (!bursts.has(file)) bursts.set(file, performance.now());
}
