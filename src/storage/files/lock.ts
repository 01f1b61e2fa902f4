/*
 * A lock on a file that cannot be held twice.
 *
 * On disk it is the open contract: `X.json.lock` exists while a process changes `X.json` and holds `{pid, timestamp,
 * agent}`. A program in any language that creates it exclusively, breaks it when it is older than 30 seconds and
 * deletes it afterwards takes part. Ours add `token`, `host` and `start`, and keep these rules among themselves:
 *
 *   free -> held          A complete claim is linked into place; linking fails if anything is there.
 *   held -> free          The holder unlinks the lock, if it is still its own.
 *   held -> lost          A literal participant broke the lock of a holder that stood still for 30 seconds: the holder
 *                         notices before it writes (LOCK_LOST) and nothing is written.
 *   held -> orphaned      The holder died. On the same host that is known from its process id and start time, at once
 *                         and for certain; a live holder is never broken, however long it takes. Elsewhere, and for
 *                         literal participants, it is a lease of 30 seconds.
 *   orphaned -> held      By exactly one heir: the holder of `<token of the dead>.heir.lock`, itself taken by these
 *                         rules. The heir removes the dead one's scratch file, so that a frozen writer that wakes up has
 *                         nothing to commit, and renames its own claim over the lock.
 */

import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentXError } from '../../protocol/errors.js';
import { LOCK_HEARTBEAT_MS, STALE_LOCK_THRESHOLD_MS } from '../../protocol/limits.js';
import { putAwayWhatIsLeft } from './cleanup.js';
import { ExitSet } from './exit-set.js';
import { errorCode, type FileSystem, isDone, realFileSystem } from './file-system.js';
import type { LockClaim } from './lock-claim.js';
import { lockPath, scratchPath } from './lock-names.js';
import { isWaitedFor, letOthersGoFirst, noteTurn, TURN_MS } from './lock-turns.js';
import { Waiter, type WaitOptions } from './lock-waiter.js';
import { asStoreError, orStoreError } from './store-error.js';

export interface LockOptions extends WaitOptions {
  readonly fs?: FileSystem | undefined;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** Called at a heartbeat that finds the lock in other hands. */
  readonly onLost?: (() => void) | undefined;
  /** Called for locks that were waited for, or that were held for long. */
  readonly onContention?: ((contention: LockContention) => void) | undefined;
}

export interface LockContention {
  readonly step: 'taken' | 'released' | 'refused';
  readonly filePath: string;
  readonly agent: string;
  /** Of the waiting; for a release, of the holding. */
  readonly durationMs: number;
}

/** Shorter waits are not worth a report. */
const NOTABLE_MS = 50;

/** A program that ends in the middle of its work releases what it holds; one that is killed has heirs. */
const heldLocks = new ExitSet<FileLock>((lock) => lock.release());
/** One for all locks, and only while there are any: most are held for less than a millisecond. */
let heartbeat: NodeJS.Timeout | undefined;

/** For literal participants, which judge by age. */
function beatWhileHeld(): void {
  heartbeat ??= setInterval(() => {
    for (const lock of heldLocks) lock.beat();
    if (heldLocks.size > 0) return;
    clearInterval(heartbeat);
    heartbeat = undefined;
  }, LOCK_HEARTBEAT_MS).unref();
}

export class FileLock {
  readonly token: string;
  /** Where only this holder prepares the next content. */
  readonly scratchPath: string;
  readonly #since = performance.now();
  #released = false;

  constructor(
    readonly file: string,
    private readonly fs: FileSystem,
    private readonly claim: LockClaim,
    private readonly options: LockOptions,
  ) {
    this.token = claim.token;
    this.scratchPath = scratchPath(file, claim.token);
    heldLocks.add(this);
    beatWhileHeld();
  }

  isMine(): boolean {
    return orStoreError('lock', this.file, () => !this.#released && this.claim.isAt(lockPath(this.file)));
  }

  isWanted(): boolean {
    return isWaitedFor(this.fs, this.file);
  }

  /** Whether its holder may go on with more: after a while others must have their turn. */
  mayGoOn(): boolean {
    return !this.#released && performance.now() - this.#since < TURN_MS;
  }

  /** Never fails: if the disk refuses, the lock is released when the disk allows. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    heldLocks.delete(this);
    noteTurn(this.file, this.#since);
    this.claim.withdraw();
    tell('released', this.file, this.options, this.#since);
  }

  beat(): void {
    try {
      if (this.isMine()) this.claim.refresh();
      else this.options.onLost?.();
    } catch {
      // The disk refused; the lock is held all the same, and the next beat may come through.
    }
  }
}

export async function acquireLock(file: string, options: LockOptions): Promise<FileLock> {
  const { fs = realFileSystem, signal } = options;
  const started = performance.now();
  putAwayWhatIsLeft();
  const hasSteppedAside = await letOthersGoFirst(fs, file);
  try {
    const waiter = new Waiter(file, options, fs);
    for (const pauseMs of waiter.pauses(hasSteppedAside)) await sleep(pauseMs, undefined, { signal });
    tell('taken', file, options, started);
    return new FileLock(file, fs, waiter.claim, options);
  } catch (error) {
    tell('refused', file, options, started);
    signal?.throwIfAborted();
    throw asStoreError('lock', file, error);
  }
}

/** The same for a caller that must block: this thread does nothing else while it waits. */
export function acquireLockNow(file: string, options: LockOptions): FileLock {
  const { fs = realFileSystem } = options;
  putAwayWhatIsLeft();
  return orStoreError('lock', file, () => {
    const waiter = new Waiter(file, options, fs);
    const neverWoken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    for (const pauseMs of waiter.pauses()) Atomics.wait(neverWoken, 0, 0, pauseMs);
    return new FileLock(file, fs, waiter.claim, options);
  });
}

function tell(step: LockContention['step'], filePath: string, options: LockOptions, since: number): void {
  const durationMs = Math.round(performance.now() - since);
  const { agent, onContention } = options;
  // The lock is held or released, even if a listener fails.
  if (durationMs >= NOTABLE_MS) isDone(() => onContention?.({ step, filePath, agent, durationMs }));
}

/** Removes the lock of a holder that died, by the same rules: a process that takes it meanwhile is not disturbed. */
export function removeOrphan(fs: FileSystem, file: string): void {
  const waiter = new Waiter(file, { agent: 'agentx' }, fs);
  try {
    waiter.inherit();
  } finally {
    waiter.claim.withdraw();
  }
}

export function lockLost(file: string): AgentXError {
  return new AgentXError(
    'LOCK_LOST',
    `The lock on ${file} was broken because its holder stood still for ${STALE_LOCK_THRESHOLD_MS / 1000} s. Try again.`,
    { path: file },
  );
}

/** One name for one file, whatever links lead to it: a lock under another name would protect nothing. */
export function canonicalPath(fs: FileSystem, path: string): string {
  try {
    return fs.realpathSync.native(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw asStoreError('find', path, error);
    const folder = dirname(path);
    if (folder === path) return path;
    return join(canonicalPath(fs, folder), basename(path));
  }
}
