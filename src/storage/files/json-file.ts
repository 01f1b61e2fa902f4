/*
 * One JSON document on disk: read without a lock, changed under one, replaced whole.
 *
 * Updates that wait at the same time in this process share one lock, one read and one synced write (group commit), each
 * with its own result. An update is acknowledged when the new content and its name are on the disk:
 *
 *   lock -> read and check -> apply the updates -> scratch file, fdatasync -> is the lock still mine? -> rename
 *   -> release -> fsync of the folder -> acknowledge
 *
 * A file that does not parse or does not fit its schema is never overwritten.
 */
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Update } from '../../ports/store.js';
import { corruptFile, type DocumentKind, decodeDocument, encodeDocument, MAX_DOCUMENT_BYTES } from './document-kind.js';
import { CLOCK_STEP_MS, errorCode, type FileSystem, unlinkIfThere } from './file-system.js';
import type { Folders } from './folders.js';
import { canonicalPath, lockLost } from './json-file-lock.js';
import { acquireLock, type FileLock } from './lock.js';
import { lockPath } from './lock-names.js';
import { asStoreError } from './store-error.js';

/** What the files of one store share. */
export interface FilesContext {
  readonly fs: FileSystem;
  readonly folders: Folders;
  /** Who writes, for people who read a lock file. */
  readonly agent: string;
  readonly lockWaitMs?: number | undefined;
  /** False leaves durability to the operating system: for tests and benchmarks. */
  readonly sync: boolean;
}

interface Waiting<T> {
  apply(current: T | undefined): T | undefined;
  succeed(): void;
  fail(error: unknown): void;
}

interface Content<T> {
  readonly value: T | undefined;
  /** Tells this content from any other that stood or will stand under the name. */
  readonly fingerprint: string;
  readonly mode: number | undefined;
}

/** How long a reader gives somebody who writes in place to finish. */
const PATIENCE_MS = 2_000;

export class JsonFile<T> {
  #waiting: Waiting<T>[] = [];
  #working = false;
  #content: Content<T> | undefined;
  #canonical: string | undefined;

  constructor(
    private readonly context: FilesContext,
    private readonly kind: DocumentKind<T>,
    readonly path: string,
  ) {}

  /** What the file says now; undefined where there is none. */
  async read(): Promise<T | undefined> {
    const started = performance.now();
    for (;;) {
      try {
        return this.readNow();
      } catch (error) {
        // A literal participant writes in place: what does not parse may be half of what it is writing.
        if (performance.now() - started > PATIENCE_MS || !this.#isLocked()) throw error;
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
      let succeed = (): void => reject(new Error('An update was acknowledged before it was applied.'));
      const apply = (current: T | undefined): T | undefined => {
        const { next, result } = update(current);
        succeed = () => resolve(result);
        return next;
      };
      this.#waiting.push({ apply, succeed: () => succeed(), fail: reject });
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
    while (this.#waiting.length > 0) await this.#commitNextBatch();
    this.#working = false;
  }

  async #commitNextBatch(): Promise<void> {
    let batch: Waiting<T>[] = [];
    try {
      const lock = await this.#lock();
      let written: boolean;
      try {
        batch = this.#waiting.splice(0);
        written = await this.#apply(batch, lock);
      } finally {
        lock.release();
      }
      // The next batch may start while the disk still works on the name of this one.
      void this.#acknowledge(batch, written);
    } catch (error) {
      const failed = batch.length > 0 ? batch : this.#waiting.splice(0);
      for (const waiting of failed) waiting.fail(asStoreError('write', this.path, error));
    }
  }

  async #lock(): Promise<FileLock> {
    const { fs, agent, lockWaitMs, folders } = this.context;
    folders.prepare(dirname(this.path));
    this.#canonical ??= canonicalPath(fs, this.path);
    return acquireLock(this.#canonical, { fs, agent, waitMs: lockWaitMs });
  }

  /** Carries out what waits, and replaces the file if that changed anything. An update that throws fails alone. */
  async #apply(batch: Waiting<T>[], lock: FileLock): Promise<boolean> {
    const before = this.#load();
    let next = before.value;
    for (const waiting of batch.splice(0)) {
      try {
        next = waiting.apply(next);
        batch.push(waiting);
      } catch (error) {
        waiting.fail(error);
      }
    }
    if (next === before.value || next === undefined) return false;
    await this.#replace(next, before.mode ?? this.kind.mode, lock);
    return true;
  }

  async #replace(value: T, mode: number, lock: FileLock): Promise<void> {
    const { fs } = this.context;
    const bytes = encodeDocument(lock.file, value);
    this.kind.parse(value);
    try {
      const fd = fs.openSync(lock.scratchPath, 'wx', mode);
      let fingerprint: string;
      try {
        for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at);
        markAsOurs(fs, fd);
        fingerprint = fingerprintOf(fs.fstatSync(fd));
        if (this.#mustSync) await dataSync(fs, fd);
      } finally {
        fs.closeSync(fd);
      }
      if (!lock.isMine()) throw lockLost(lock.file);
      fs.renameSync(lock.scratchPath, lock.file);
      this.#content = { value, fingerprint, mode };
    } catch (error) {
      unlinkIfThere(fs, lock.scratchPath);
      // An heir removed the scratch file of a holder that it took for dead.
      throw errorCode(error) === 'ENOENT' ? lockLost(lock.file) : error;
    }
  }

  async #acknowledge(batch: readonly Waiting<T>[], written: boolean): Promise<void> {
    try {
      if (written && this.#mustSync) await this.context.folders.sync(dirname(this.#canonical ?? this.path));
      for (const waiting of batch) waiting.succeed();
    } catch (error) {
      for (const waiting of batch) waiting.fail(asStoreError('make durable', this.path, error));
    }
  }

  #load(): Content<T> {
    const { fs } = this.context;
    const stat = fs.statSync(this.path, { throwIfNoEntry: false });
    if (!stat) return { value: undefined, fingerprint: '', mode: undefined };
    const fingerprint = fingerprintOf(stat);
    if (this.#content?.fingerprint === fingerprint) return this.#content;
    if (stat.size > MAX_DOCUMENT_BYTES) throw corruptFile(this.path, `it has ${stat.size} bytes`);
    const value = decodeDocument(this.kind, this.path, fs.readFileSync(this.path));
    return { value, fingerprint, mode: stat.mode & 0o777 };
  }

  #isLocked(): boolean {
    return this.context.fs.statSync(lockPath(this.path), { throwIfNoEntry: false }) !== undefined;
  }

  get #mustSync(): boolean {
    return this.kind.durable && this.context.sync;
  }
}

function dataSync(fs: FileSystem, fd: number): Promise<void> {
  return new Promise((resolve, reject) => fs.fdatasync(fd, (error) => (error ? reject(error) : resolve())));
}

/**
 * Only content that this process wrote is remembered, and it is dated a moment back, to the microsecond: a later write
 * in place, even one that comes at once and keeps the size, is dated by the system to a time that is already past here.
 */
function markAsOurs(fs: FileSystem, fd: number): void {
  const then = (performance.timeOrigin + performance.now() - CLOCK_STEP_MS) / 1000;
  fs.futimesSync(fd, then, then);
}

function fingerprintOf(stat: { ino: number; size: number; mtimeMs: number }): string {
  return `${stat.ino}-${stat.size}-${stat.mtimeMs}`;
}
