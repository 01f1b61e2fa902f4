/*
 * Rights that a process has alone for as long as it needs them, which may be hours. `ClaimOn` names
 * them. Each is a lock of its own, which leaves the documents free for all writers. Like every lock it has a heartbeat,
 * and an heir if its holder dies.
 *
 * A lock alone does not keep a holder that was taken for dead from writing when it wakes up. So a write that carries a
 * claim checks it under the lock of the document, and again before the new content takes its place.
 */
import { dirname, join } from 'node:path';
import type { Claim, ClaimOptions, Update } from '../../ports/store.js';
import { type ClaimHolder, type ClaimOn, claimRefused, claimReleased, parseClaimOn } from '../../protocol/claim.js';
import { AgentXError } from '../../protocol/errors.js';
import { STALE_LOCK_THRESHOLD_MS } from '../../protocol/limits.js';
import { AsyncMutex } from './async-mutex.js';
import { isDone, orElse } from './file-system.js';
import type { FilesContext } from './files-context.js';
import { type Fence, lockDocument } from './json-file.js';
import type { JsonFolder } from './json-folder.js';
import { issueFileNames } from './layout.js';
import { acquireLock, type FileLock } from './lock.js';
import { holderOf, type LockOnDisk, readLock } from './lock-claim.js';
import { lockPath } from './lock-names.js';
import { machineOf } from './process-identity.js';
import { orStoreError } from './store-error.js';

/** Long enough to see that a holder on this machine is dead, which is known at the second look. */
const LOOK_MS = 250;
/** A holder that cannot be seen from here is watched for a while, even if its lease is over. */
const WATCH_MS = 2_000;

export class Claims {
  /** By their tokens: each throws unless the claim is still this process's. */
  readonly #held = new Map<string, Fence>();
  /** Callers in this process that wait for the same claim go one after the other. */
  readonly #waiting = new AsyncMutex();

  constructor(private readonly context: FilesContext) {}

  async claim(on: ClaimOn, options: ClaimOptions = {}): Promise<Claim> {
    const { waitMs, signal } = options;
    const next = waitMs === undefined ? () => {} : await this.#waiting.acquire(this.#fileOf(on), signal);
    try {
      signal?.throwIfAborted();
      return await this.#take(on, options, next);
    } catch (error) {
      next();
      throw error;
    }
  }

  heldBy(on: ClaimOn): 'live' | 'dead' | 'none' {
    const lock = this.#lockOn(on);
    if (lock === undefined) return 'none';
    const holder = holderOf(lock);
    // A process that cannot be seen from here counts as dead when it gave no sign of life for as long as a lease.
    const isLeft = holder === 'unknown' ? Date.now() - lock.modifiedMs > STALE_LOCK_THRESHOLD_MS : holder === 'dead';
    return isLeft ? 'dead' : 'live';
  }

  /** Documents whose writes may carry a claim: CONFLICT once the claim is not this process's any more. */
  fenced<K extends string | number, T>(documents: JsonFolder<K, T>) {
    return {
      read: (key: K) => documents.read(key),
      update: <R>(key: K, update: Update<T, R, T | undefined>, claim?: Claim) =>
        documents.update(key, update, claim && (this.#held.get(claim.token) ?? releasedFence(claim))),
    };
  }

  async #take(on: ClaimOn, { by, waitMs, signal }: ClaimOptions, next: () => void): Promise<Claim> {
    const { fs, folders, agent, onContention } = this.context;
    const loss = new AbortController();
    const lose = () => loss.abort(claimRefused(on, describe(orElse(undefined, () => this.#lockOn(on)))));
    const file = this.#fileOf(on);
    folders.prepare(dirname(file));
    let lock: FileLock;
    try {
      const contention = waitMs === undefined ? {} : { onContention };
      const limit = waitMs ?? (this.heldBy(on) === 'dead' ? WATCH_MS : LOOK_MS);
      lock = await acquireLock(file, { fs, agent: by ?? agent, waitMs: limit, signal, onLost: lose, ...contention });
    } catch (error) {
      const isHeld = error instanceof AgentXError && error.code === 'LOCK_TIMEOUT';
      throw isHeld && waitMs === undefined ? claimRefused(on, describe(this.#lockOn(on))) : error;
    }
    if ('run' in on) await this.#passWriters(on.run, lock);
    const { token } = lock;
    // Checked anew: a process that stood still may ask before its next heartbeat.
    const requireHeld = () => {
      if (!this.#held.has(token)) throw claimReleased({ token });
      if (!lock.isMine()) lose();
      loss.signal.throwIfAborted();
    };
    this.#held.set(token, requireHeld);
    return {
      token,
      get lost() {
        // A lock that cannot be examined is not known to be lost.
        isDone(requireHeld);
        return loss.signal;
      },
      release: async () => {
        this.#held.delete(token);
        lock.release();
        next();
      },
    };
  }

  /** Lets a writer end that was taken for dead after it checked its claim: it has the lock of the run's document. */
  async #passWriters(issueNumber: number, claimLock: FileLock): Promise<void> {
    const document = join(this.context.layout.runs, issueFileNames.nameOf(issueNumber));
    try {
      (await lockDocument(this.context, document)).release();
    } catch (error) {
      claimLock.release();
      throw error;
    }
  }

  #lockOn(on: ClaimOn): LockOnDisk | undefined {
    const path = lockPath(this.#fileOf(on));
    return orStoreError('read', path, () => readLock(this.context.fs, path));
  }

  /** Its lock lies beside what the claim is about. */
  #fileOf(on: ClaimOn): string {
    parseClaimOn(on);
    const { runs, ledgers, questions, memory, state } = this.context.layout;
    if ('run' in on) return join(runs, `issue-${on.run}.claim.json`);
    if ('route' in on) return join(ledgers, `${on.route}.route.json`);
    if ('deciding' in on) return join(ledgers, `${on.deciding}.deciding.json`);
    if ('writing' in on) return join(ledgers, `issue-${on.writing}.writing.json`);
    if ('asking' in on) return join(questions, `issue-${on.asking}.asking.json`);
    if ('archiving' in on) return join(memory, `issue-${on.archiving}.archiving.json`);
    return join(state, 'notify.claim.json');
  }
}

const releasedFence =
  (claim: Claim): Fence =>
  () => {
    throw claimReleased(claim);
  };

function describe(lock: LockOnDisk | undefined): ClaimHolder {
  if (lock === undefined) return {};
  const { agent: by, pid, host, since } = lock.body ?? {};
  const freeAt = holderOf(lock) === 'unknown' ? lock.modifiedMs + STALE_LOCK_THRESHOLD_MS : undefined;
  // Boot and namespace distinguish machines, but tell people nothing.
  return { by, pid, host: host && machineOf(host), since: isoOf(since), freeAt: isoOf(freeAt) };
}

function isoOf(timeMs: number | undefined): string | undefined {
  return timeMs === undefined ? undefined : new Date(timeMs).toISOString();
}
