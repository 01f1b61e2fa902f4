/*
 * One JSON document on disk: read without a lock, changed under one, replaced whole.
 *
 * Updates that wait at the same time in this process share one lock, one read and one synced write (group commit), each
 * with its own result. An update is acknowledged when the new content and its name are on the disk:
 *
 *   lock -> read and check -> apply the updates -> scratch file, fdatasync -> is the lock still mine? -> rename
 *   -> release -> fsync of the folder -> acknowledge
 *
 * or, if this process writes so much that it has a journal, when it is durable in there (journal.ts).
 *
 * Names are not files: folders are moved and links switched under a running process. So the name is looked up anew for
 * each turn, and a rename is acknowledged only if the name leads to the new file afterwards.
 *
 * A file that does not parse or does not fit its schema is never overwritten.
 */
import type { Stats } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Update } from '../../ports/store.js';
import { AgentXError } from '../../protocol/errors.js';
import { letGo, putAway } from './cleanup.js';
import { corruptFile, type DocumentKind, decodeDocument, encodeDocument, MAX_DOCUMENT_BYTES } from './document-kind.js';
import {
  CLOCK_STEP_MS,
  errorCode,
  type FileSystem,
  isSame,
  isSettled,
  isThere,
  isUnchanged,
  readIfThere,
  statIfThere,
  unlinkIfThere,
  writeAll,
} from './file-system.js';
import type { FilesContext } from './files-context.js';
import { acquireLock, canonicalPath, type FileLock, lockLost } from './lock.js';
import { lockPath } from './lock-names.js';
import { asStoreError, orStoreError, replacedMeanwhile } from './store-error.js';

/** Throws if a change must not be written any more, because another process has the claim that it carries. */
export type Fence = () => void;

interface WaitingUpdate<T> {
  readonly fence: Fence | undefined;
  /** Never throws: an update that does gets its error when the batch is settled, and leaves `current` as it is. */
  apply(current: T | undefined): T | undefined;
  /** Tells the caller its result, or why the batch could not be written. */
  settle(failure?: { readonly error: unknown }): void;
}

interface Content<T> {
  readonly value: T | undefined;
  readonly stat: Stats | undefined;
}

const NO_FILE = { value: undefined, stat: undefined };

/** How long a reader waits for a program that writes in place to finish. */
const PATIENCE_MS = 2_000;

export class JsonFile<T> {
  #updates: WaitingUpdate<T>[] = [];
  #working = false;
  /**
   * What this process has written or read last, if any change since would show. After a write of ours it would, because
   * `markAsOurs` dates that a step back.
   */
  #lastContent: Content<T> | undefined;
  /** Whether the content in place may not be on the disk, because something failed: then its presence is not enough. */
  #isInDoubt = false;

  constructor(
    private readonly context: FilesContext,
    private readonly kind: DocumentKind<T>,
    readonly path: string,
  ) {}

  /** The present content; undefined if there is no file. */
  async read(): Promise<T | undefined> {
    const started = performance.now();
    let lastLook: Stats | undefined;
    for (;;) {
      try {
        return this.readNow();
      } catch (error) {
        if (!(error instanceof AgentXError) || error.code !== 'CORRUPT_FILE') throw error;
        // A literal participant writes in place: a file that does not parse may be half written. It is damaged if its
        // lock is free and it is still the same at a second look: the first may have come a moment too early.
        const isLocked = () => isThere(this.context.fs, lockPath(this.path));
        const lookIfFree = () => (isLocked() ? undefined : statIfThere(this.context.fs, this.path));
        const look = orStoreError('read', this.path, lookIfFree);
        if (performance.now() - started > PATIENCE_MS || (look && isUnchanged(look, lastLook))) throw error;
        lastLook = look;
        await sleep(5);
      }
    }
  }

  /** Like `read`, for callers that go through thousands and can do without a file that is being written in place. */
  readNow(): T | undefined {
    return orStoreError('read', this.path, () => this.#load().value);
  }

  /** Resolves when the change is on the disk. `current` is undefined if there is no file yet. */
  update<R>(update: Update<T, R, T | undefined>, fence?: Fence): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      let refusal: { readonly error: unknown } | undefined;
      let accept = (): void => {};
      const apply = (current: T | undefined) => {
        try {
          const { next, result } = update(current);
          const isFine = next === current || (current !== undefined && this.kind.changeFits?.(next, current));
          if (!isFine) this.kind.parse(next);
          accept = () => resolve(result);
          return next;
        } catch (error) {
          refusal = { error };
          return current;
        }
      };
      const settle: WaitingUpdate<T>['settle'] = (failure) => {
        const reason = refusal ?? failure;
        if (reason) reject(this.context.folders.reasonOf(reason.error));
        else accept();
      };
      this.#updates.push({ fence, apply, settle });
      if (!this.#working) void this.#work();
    });
  }

  /** For a document that is always there: while it has no file, it is empty. */
  orEmpty(empty: () => T) {
    return {
      read: async (): Promise<T> => (await this.read()) ?? empty(),
      update: <R>(update: Update<T, R>): Promise<R> => this.update((current) => update(current ?? empty())),
    };
  }

  /** Whether nothing is lost if this object is dropped. */
  get isIdle(): boolean {
    return !this.#working && !this.#isInDoubt;
  }

  async #work(): Promise<void> {
    this.#working = true;
    // Callers in the same turn of the event loop join the first batch.
    await Promise.resolve();
    while (this.#updates.length > 0) await this.#haveTurn();
    this.#working = false;
  }

  /**
   * Takes the lock and carries out the updates that wait by then. While other processes stand in line, it goes on with
   * the next batch under the same lock until its turn is over: handing the lock over is dear.
   */
  async #haveTurn(): Promise<void> {
    let batch: WaitingUpdate<T>[] = [];
    let lock: FileLock | undefined;
    try {
      this.context.unsettled?.settle();
      lock = await lockDocument(this.context, this.path);
      do {
        batch = this.#nextBatch();
        const writtenMs = await this.#apply(batch, lock);
        if (this.#isInDoubt || !lock.isWanted()) lock.release();
        if (writtenMs !== undefined && this.#isInDoubt) await this.#makeNameDurable(lock.file, writtenMs);
        for (const update of batch) update.settle();
        // Callers that were just served may ask for more: this ends when no promise is left to go on.
        await new Promise<void>((resolve) => process.nextTick(resolve));
      } while (this.#updates.length > 0 && lock.mayGoOn());
      lock.release();
    } catch (error) {
      lock?.release();
      const failure = { error: asStoreError('write', this.path, error) };
      for (const update of lock ? batch : this.#updates.splice(0)) update.settle(failure);
    }
  }

  /** The updates that wait first and carry the same claim, or none: if it is lost, none of them is written. */
  #nextBatch(): WaitingUpdate<T>[] {
    const others = this.#updates.findIndex(({ fence }) => fence !== this.#updates[0]?.fence);
    return this.#updates.splice(0, others === -1 ? this.#updates.length : others);
  }

  /** Carries out the updates. Returns the time of the new content if they changed anything. */
  async #apply(batch: readonly WaitingUpdate<T>[], lock: FileLock): Promise<number | undefined> {
    this.context.unsettled?.refuse(lock.file);
    const fence = batch[0]?.fence;
    fence?.();
    // Reads the file that will be replaced, even if the name leads elsewhere by now.
    const before = this.#load(lock.file);
    const next = batch.reduce((current, update) => update.apply(current), before.value);
    if (next === undefined || (next === before.value && !this.#isInDoubt)) return undefined;
    return this.#replace(before, next, lock, fence);
  }

  /** Returns the time of the new content. */
  async #replace(before: Content<T>, value: T, lock: FileLock, fence?: Fence): Promise<number> {
    const { fs, disk, journal } = this.context;
    let fd: number | undefined;
    try {
      fd = fs.openSync(lock.scratchPath, 'wx', this.kind.mode);
      // Permissions that the owner of the file gave stay, whatever the mask of this process says.
      const modeBefore = (before.stat?.mode ?? this.kind.mode) & 0o777;
      if (modeBefore !== this.kind.mode) fs.fchmodSync(fd, modeBefore);
      const content = encodeDocument(lock.file, value);
      writeAll(fs, fd, content);
      markAsOurs(fs, fd, before.stat?.mtimeMs ?? 0);
      const scratch = fs.fstatSync(fd);
      const putInPlace = () => {
        if (!lock.isMine()) throw lockLost(lock.file);
        fence?.();
        this.#isInDoubt = this.#mustSync;
        disk.rename(lock.scratchPath, lock.file);
        const newFile = statIfThere(fs, this.path);
        if (!isSame(newFile, scratch)) throw replacedMeanwhile(this.path);
        this.#lastContent = { value, stat: newFile };
      };
      const record = { mtimeMs: scratch.mtimeMs, mode: scratch.mode & 0o777, content };
      const isInJournal = this.#mustSync && (await journal?.commit(lock.file, record, putInPlace)) === true;
      if (this.#mustSync && !isInJournal) await disk.syncContent(fd);
      if (isInJournal) this.#isInDoubt = false;
      else putInPlace();
      return scratch.mtimeMs;
    } catch (error) {
      putAway(() => unlinkIfThere(fs, lock.scratchPath));
      throw this.#lossOf(error, lock);
    } finally {
      if (fd !== undefined) letGo(fs, fd);
    }
  }

  /** A lock or a scratch file that is gone was taken by an heir, or moved away with its folder. */
  #lossOf(error: unknown, { file }: FileLock): unknown {
    const isGone = errorCode(error) === 'ENOENT' || (error instanceof AgentXError && error.code === 'LOCK_LOST');
    if (!isGone) return error;
    return this.context.folders.isReplaced(dirname(this.path)) ? replacedMeanwhile(this.path) : lockLost(file);
  }

  async #makeNameDurable(realFile: string, writtenMs: number): Promise<void> {
    const { fs, folders } = this.context;
    try {
      await folders.sync(this.path, realFile);
      // Others may have replaced it since, with something later; anything else is not what was synced.
      const presentFile = statIfThere(fs, this.path);
      if (presentFile === undefined || presentFile.mtimeMs < writtenMs) throw replacedMeanwhile(this.path);
    } catch (error) {
      throw asStoreError('make durable', this.path, error);
    }
    this.#isInDoubt = false;
  }

  #load(path = this.path): Content<T> {
    const { fs } = this.context;
    const stat = statIfThere(fs, path);
    if (!stat) return NO_FILE;
    if (this.#lastContent && isUnchanged(stat, this.#lastContent.stat)) return this.#lastContent;
    if (stat.size > MAX_DOCUMENT_BYTES) throw corruptFile(this.path, `it has ${stat.size} bytes`);
    // Told before the content is read: a change between the two would not show either.
    const willChangesShow = isSettled(stat);
    const bytes = readIfThere(fs, path, stat);
    if (!bytes) return NO_FILE;
    // Not synced, it may have lost its content in a power cut, and can be made anew.
    const isLost = !this.kind.durable && bytes.every((byte) => byte === 0);
    const content = { value: isLost ? undefined : decodeDocument(this.kind, this.path, bytes), stat };
    this.#lastContent = willChangesShow ? content : undefined;
    return content;
  }

  get #mustSync(): boolean {
    return this.kind.durable && this.context.sync;
  }
}

/** Makes the folder of a file, if need be, and takes the lock of the file. */
export async function lockDocument(context: FilesContext, path: string): Promise<FileLock> {
  const { fs, agent, lockWaitMs: waitMs, folders, onContention } = context;
  folders.prepare(dirname(path));
  return acquireLock(canonicalPath(fs, path), { fs, agent, waitMs, onContention });
}

/**
 * The time of a new content is always later than that of what it replaces: journals use it to order the two. It lies a
 * moment back, so that whatever is written in place from now on is dated later still.
 */
function markAsOurs(fs: FileSystem, fd: number, replacedMs: number): void {
  const then = Math.max(Date.now() - CLOCK_STEP_MS, replacedMs + LATER_MS) / 1000;
  fs.futimesSync(fd, then, then);
}

/** Larger than what is lost when a time is set and reported as a fraction. */
const LATER_MS = 0.01;
