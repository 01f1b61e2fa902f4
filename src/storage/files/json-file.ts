/*
 * One JSON document on disk: read without a lock, changed under one, replaced whole.
 *
 * Updates that wait at the same time in this process share one lock, one read and one synced write (group commit), each
 * with its own result. An update is acknowledged when the new content and its name are on the disk:
 *
 *   lock -> read and check -> apply the updates -> scratch file, fdatasync -> is the lock still mine? -> rename
 *   -> release -> fsync of the folder -> acknowledge
 *
 * or, where this process writes so much that it has a journal, durable in there first (journal.ts); then the lock is let go
 * a moment after the acknowledgement, for whoever comes back at once.
 *
 * A file that does not parse or does not fit its schema is never overwritten.
 */
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Update } from '../../ports/store.js';
import { AgentXError } from '../../protocol/errors.js';
import type { Disk } from './disk.js';
import { DocumentBytes } from './document-bytes.js';
import { corruptFile, type DocumentKind, decodeDocument, encodeDocument, MAX_DOCUMENT_BYTES } from './document-kind.js';
import { CLOCK_STEP_MS, errorCode, type FileSystem, isThere, readIfThere, unlinkIfThere } from './file-system.js';
import type { Folders } from './folders.js';
import type { Journal, JournalEntry } from './journal.js';
import { canonicalPath, lockLost } from './json-file-lock.js';
import { acquireLock, type FileLock, type LockOptions } from './lock.js';
import { lockPath } from './lock-names.js';
import { SPARE_MODE } from './spare-files.js';
import { asStoreError } from './store-error.js';

/** What the files of one store share. */
export interface FilesContext {
  readonly fs: FileSystem;
  readonly disk: Disk;
  readonly folders: Folders;
  readonly journal?: Journal | undefined;
  /** Who writes, for people who read a lock file. */
  readonly agent: string;
  readonly lockWaitMs?: number | undefined;
  /** False leaves durability to the operating system: for tests and benchmarks. */
  readonly sync: boolean;
  readonly onContention?: LockOptions['onContention'];
}

interface Waiting<T> {
  /** Never throws: an update that does is told so when the batch is settled, and leaves `current` as it is. */
  apply(current: T | undefined, check: (next: T, current: T | undefined) => void): T | undefined;
  settle(): void;
  /** The batch could not be written. */
  fail(error: unknown): void;
}

interface Content<T> {
  readonly value: T | undefined;
  readonly mode: number | undefined;
  readonly mtimeMs: number;
}

const NO_FILE = { value: undefined, mode: undefined, mtimeMs: 0 };

/** What became of a batch: nothing was to do, it is on the disk, or it is and its name is not yet. */
type Outcome = 'unchanged' | 'durable' | 'renamed';

/** How long this process may keep a lock: a synced write takes ten times as long as one that is not. */
const SYNCED_TURN_MS = 10;
const UNSYNCED_TURN_MS = 32;
/** How long a reader gives somebody who writes in place to finish. */
const PATIENCE_MS = 2_000;

export class JsonFile<T> {
  #waiting: Waiting<T>[] = [];
  #working = false;
  /** What this process wrote last; the fingerprint tells it from anything else under the name. */
  #content: { readonly value: T; readonly fingerprint: string } | undefined;
  /** What this process read last, if it had been lying there for a while. */
  #read: { readonly value: T; readonly print: string } | undefined;
  #canonical: string | undefined;
  readonly #bytes = new DocumentBytes();

  constructor(
    private readonly context: FilesContext,
    private readonly kind: DocumentKind<T>,
    readonly path: string,
  ) {}

  /** What the file says now; undefined where there is none. */
  async read(): Promise<T | undefined> {
    const started = performance.now();
    let lastSeen: string | undefined;
    for (;;) {
      try {
        return this.readNow();
      } catch (error) {
        if (!(error instanceof AgentXError) || error.code !== 'CORRUPT_FILE') throw error;
        // A literal participant writes in place: what does not parse may be half of what it is writing. It is damaged
        // if nobody holds the lock and it is still the same at a second look: the first may have met the last stroke.
        const seen = this.#isLocked() ? undefined : this.#fingerprint();
        if (performance.now() - started > PATIENCE_MS || (seen !== undefined && seen === lastSeen)) throw error;
        lastSeen = seen;
        await sleep(5);
      }
    }
  }

  /** Like `read`, for callers that go through thousands and can do without a file that is being written in place. */
  readNow(): T | undefined {
    try {
      return this.#load().value;
    } catch (error) {
      throw asStoreError('read', this.path, error);
    }
  }

  /** Resolves when the change is on the disk. `current` is undefined where there is no file yet. */
  update<R>(update: Update<T, R, T | undefined>): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      let refusal: { readonly error: unknown } | undefined;
      let settle = (): void => {};
      const apply: Waiting<T>['apply'] = (current, check) => {
        refusal = undefined;
        try {
          const { next, result } = update(current);
          if (next !== current) check(next, current);
          settle = () => resolve(result);
          return next;
        } catch (error) {
          refusal = { error };
          settle = () => reject(error);
          return current;
        }
      };
      this.#waiting.push({ apply, settle: () => settle(), fail: (error) => reject(refusal ? refusal.error : error) });
      if (!this.#working) void this.#work();
    });
  }

  get isIdle(): boolean {
    return !this.#working;
  }

  async #work(): Promise<void> {
    this.#working = true;
    // Whoever calls in the same turn of the event loop joins the first batch.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#haveTurn();
    this.#working = false;
  }

  /** Takes the lock and serves batch after batch until nobody in this process waits or it is others' turn. */
  async #haveTurn(): Promise<void> {
    const { disk } = this.context;
    let batch: Waiting<T>[] = [];
    let lock: FileLock | undefined;
    let leave = disk.addWriter();
    try {
      await disk.calm();
      lock = await this.#lock();
      for (let keep = true; keep; ) {
        batch = this.#waiting.splice(0);
        const outcome = await this.#apply(batch, lock);
        leave();
        // Where this process writes all the time, or others wait, a lock for several writes is quicker than one for each.
        keep = this.#waiting.length > 0 || disk.hasJournal || lock.isWanted();
        // A write looked at the lock right before it renamed the file.
        if (!keep) lock.release(outcome === 'unchanged' ? {} : { isMine: true });
        if (outcome === 'renamed' && this.#mustSync) void this.#settleWhenDurable(batch);
        else settleAll(batch);
        if (keep) await callersTurn();
        keep = keep && this.#waiting.length > 0 && lock.mayGoOn();
        if (keep) leave = disk.addWriter();
      }
      lock.release();
    } catch (error) {
      leave();
      lock?.release();
      for (const waiting of lock ? batch : this.#waiting.splice(0))
        waiting.fail(asStoreError('write', this.path, error));
    }
  }

  async #lock(): Promise<FileLock> {
    const { fs, agent, lockWaitMs, folders, onContention } = this.context;
    folders.prepare(dirname(this.path));
    this.#canonical ??= canonicalPath(fs, this.path);
    const turnMs = this.#mustSync ? SYNCED_TURN_MS : UNSYNCED_TURN_MS;
    return acquireLock(this.#canonical, {
      fs,
      agent,
      waitMs: lockWaitMs,
      turnMs,
      keepsClaim: true,
      onContention,
    });
  }

  /** Carries out what waits, and replaces the file if that changed anything. */
  async #apply(batch: readonly Waiting<T>[], lock: FileLock): Promise<Outcome> {
    const before = this.#load();
    const next = this.#applyAll(batch, before.value);
    if (next === before.value || next === undefined) return 'unchanged';
    return this.#replace(next, before, lock);
  }

  /** Checks what came out once for all; only if it does not fit, each update by itself, to know whose fault it is. */
  #applyAll(batch: readonly Waiting<T>[], before: T | undefined): T | undefined {
    const accept = () => {};
    const check = (next: T, current: T | undefined) => this.#check(next, current);
    const next = batch.reduce((current, waiting) => waiting.apply(current, accept), before);
    try {
      if (next !== before && next !== undefined) this.#check(next, before);
      return next;
    } catch {
      return batch.reduce((current, waiting) => waiting.apply(current, check), before);
    }
  }

  #check(next: T, before: T | undefined): void {
    if (before === undefined || !this.kind.changeFits?.(next, before)) this.kind.parse(next);
  }

  async #replace(value: T, before: Content<T>, lock: FileLock): Promise<Outcome> {
    const { fs, disk } = this.context;
    let entry: JournalEntry | undefined;
    try {
      const spare = this.#maySpare(before) ? this.context.journal : undefined;
      const fd = await disk.create(lock.scratchPath, this.kind.mode, spare);
      let fingerprint: string;
      let isDurable = false;
      try {
        // What the owner of the file allowed others stays allowed, whatever the mask of this process says.
        if (before.mode !== undefined && before.mode !== this.kind.mode) fs.fchmodSync(fd, before.mode);
        // Nobody else lays out a document before these bytes are in the file and in the journal.
        const bytes = encodeDocument(lock.file, value, this.#bytes);
        for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at);
        markAsOurs(fs, fd, before.mtimeMs);
        const { ino, size, mtimeMs, mode } = fs.fstatSync(fd);
        fingerprint = fingerprintOf({ ino, size, mtimeMs });
        if (this.#mustSync) {
          entry = this.context.journal?.append(lock.file, { mtimeMs, mode: mode & 0o777, content: bytes });
          isDurable = (await entry?.sync()) ?? false;
          if (!isDurable) await disk.syncContent(fd);
        }
      } finally {
        fs.closeSync(fd);
      }
      if (!lock.isMine()) throw lockLost(lock.file);
      await disk.rename(lock.scratchPath, lock.file);
      entry?.settle();
      this.#content = { value, fingerprint };
      return isDurable ? 'durable' : 'renamed';
    } catch (error) {
      await entry?.cancel();
      unlinkIfThere(fs, lock.scratchPath);
      // An heir removed the scratch file of a holder that it took for dead.
      throw errorCode(error) === 'ENOENT' ? lockLost(lock.file) : error;
    }
  }

  #maySpare({ mode = this.kind.mode }: Content<T>): boolean {
    return mode === SPARE_MODE && this.#mustSync;
  }

  /** Not waited for: the next batch may start while the disk still works on the name of this one. */
  async #settleWhenDurable(batch: readonly Waiting<T>[]): Promise<void> {
    try {
      await this.context.folders.sync(dirname(this.#canonical ?? this.path));
      settleAll(batch);
    } catch (error) {
      for (const waiting of batch) waiting.fail(asStoreError('make durable', this.path, error));
    }
  }

  #load(): Content<T> {
    const { fs } = this.context;
    const stat = fs.statSync(this.path, { throwIfNoEntry: false });
    if (!stat) return NO_FILE;
    const { mtimeMs } = stat;
    const mode = stat.mode & 0o777;
    const known = this.#content;
    if (known?.fingerprint === fingerprintOf(stat)) return { value: known.value, mode, mtimeMs };
    const print = `${fingerprintOf(stat)}-${stat.ctimeMs}`;
    if (this.#read?.print === print) return { value: this.#read.value, mode, mtimeMs };
    if (stat.size > MAX_DOCUMENT_BYTES) throw corruptFile(this.path, `it has ${stat.size} bytes`);
    // A change within the same step of the file system's clock would look like none.
    const isSettled = Math.max(stat.mtimeMs, stat.ctimeMs) < Date.now() - CLOCK_STEP_MS;
    const bytes = readIfThere(fs, this.path);
    if (!bytes) return NO_FILE;
    const value = decodeDocument(this.kind, this.path, bytes);
    this.#read = isSettled ? { value, print } : undefined;
    return { value, mode, mtimeMs };
  }

  #isLocked(): boolean {
    return isThere(this.context.fs, lockPath(this.path));
  }

  #fingerprint(): string | undefined {
    const stat = this.context.fs.statSync(this.path, { throwIfNoEntry: false });
    return stat && fingerprintOf(stat);
  }

  get #mustSync(): boolean {
    return this.kind.durable && this.context.sync;
  }
}

function settleAll(batch: readonly Waiting<unknown>[]): void {
  for (const waiting of batch) waiting.settle();
}

/** Lets whoever was just served ask for more while the lock is still held: it ends when no promise is left to go on. */
function callersTurn(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

/**
 * Only content that this process wrote is remembered, and it is dated a moment back, to the microsecond: a later write
 * in place, even one that comes at once and keeps the size, is dated by the system to a time that is already past here.
 * It is always later than what it replaces: journals tell by it which of two contents came first.
 */
function markAsOurs(fs: FileSystem, fd: number, replacedMs: number): void {
  const thenMs = performance.timeOrigin + performance.now() - CLOCK_STEP_MS;
  const then = Math.max(thenMs, replacedMs + LATER_MS) / 1000;
  fs.futimesSync(fd, then, then);
}

/** Larger than what is lost when a time is set and told as a fraction. */
const LATER_MS = 0.01;

function fingerprintOf(stat: { ino: number; size: number; mtimeMs: number }): string {
  return `${stat.ino}-${stat.size}-${stat.mtimeMs}`;
}
