import { randomBytes } from 'node:crypto';
import { join, sep } from 'node:path';
import * as z from 'zod/mini';
import { letGo, putAway } from './cleanup.js';
import { type Disk, makeDurable, makeDurableNow } from './disk.js';
import { ExitSet } from './exit-set.js';
import {
  type FileSystem,
  inPool,
  isSame,
  makeInside,
  orElse,
  statIfThere,
  unlinkIfThere,
  writeAll,
} from './file-system.js';
import { END, encodeHead, type JournalRecord, VOID } from './journal-record.js';
import { type ProcessIdentity, tagOf } from './process-identity.js';

/** The owner of the file stands at its beginning, padded to this length. */
export const HEADER_BYTES = 512;

interface NewJournal {
  /** Of the store, without links. */
  readonly root: string;
  readonly folder: string;
  readonly owner: ProcessIdentity;
  readonly bytes: number;
}

const journals = new ExitSet<JournalFile>((file) => file.endNow());

/**
 * The file of a journal. Its length never changes, so that a sync only has to bring bytes to the disk. The owner empties it
 * when it is full.
 */
export class JournalFile {
  #end = HEADER_BYTES;
  #isTrusted = true;
  #lastCommits: Promise<unknown> = Promise.resolve();
  /** Those that are certainly durable only in here. */
  readonly #documents = new Set<string>();

  private constructor(
    private readonly fs: FileSystem,
    private readonly disk: Disk,
    private readonly fd: number,
    private readonly path: string,
    readonly root: string,
    private readonly size: number,
  ) {
    journals.add(this);
  }

  /** Makes the file, padded and on the disk, in the thread pool. */
  static async make(fs: FileSystem, disk: Disk, { root, folder, owner, bytes }: NewJournal): Promise<JournalFile> {
    makeInside(fs, root, folder);
    const path = join(folder, `${tagOf(owner)}-${randomBytes(4).toString('hex')}.log`);
    const fd = await inPool<number>((done) => fs.open(path, 'wx+', 0o600, done));
    const file = new JournalFile(fs, disk, fd, path, root, bytes);
    try {
      const content = Buffer.alloc(bytes);
      content.write(JSON.stringify(owner));
      const bytesWritten = await inPool<number>((done) => fs.write(fd, content, 0, bytes, 0, done));
      if (bytesWritten < bytes) throw Object.assign(new Error('ENOSPC: the disk is full'), { code: 'ENOSPC' });
      if (!keepsTimes(fs, fd)) throw new Error('The file system keeps no exact times.');
      await makeDurable(fs, root, [path]);
      return file;
    } catch (error) {
      file.#remove();
      throw error;
    }
  }

  /**
   * Makes a record durable and then puts its document in place. False if the record could not be made durable: then
   * nothing was put in place. Undefined for lack of room. An error of `putInPlace` reaches the caller when the record is
   * void.
   */
  commit(file: string, record: Omit<JournalRecord, 'path'>, putInPlace: () => void): Promise<boolean> | undefined {
    const path = file.slice(this.root.length + 1).replaceAll(sep, '/');
    const head = encodeHead({ ...record, path });
    const at = this.#end;
    const end = at + head.length + record.content.length;
    if (end + END.length > this.size) return undefined;
    this.#end = end;
    this.#documents.add(file);
    const commit = this.#commit(at, [head, record.content, END], putInPlace);
    this.#lastCommits = Promise.allSettled([this.#lastCommits, commit]);
    return commit;
  }

  async #commit(at: number, record: readonly Buffer[], putInPlace: () => void): Promise<boolean> {
    let isDone = false;
    try {
      if (!(await this.#bringToDisk(at, record))) return false;
      putInPlace();
      isDone = true;
      return true;
    } finally {
      if (!isDone) await this.#bringToDisk(at, [VOID]);
    }
  }

  /** True if the bytes are on the disk, where a recovery will look for them. */
  async #bringToDisk(at: number, parts: readonly Buffer[]): Promise<boolean> {
    try {
      let place = at;
      for (const part of parts) place += writeAll(this.fs, this.fd, part, place);
      await this.disk.syncContent(this.fd);
      this.#isTrusted &&= this.#isInPlace();
    } catch {
      // What the disk refused once it may report as done the next time, without having written it.
      this.#isTrusted = false;
    }
    return this.#isTrusted;
  }

  /** Whether records in here can still be relied on. */
  get isTrusted(): boolean {
    return this.#isTrusted;
  }

  /**
   * Makes everything durable where it is, and begins again: what is in the file is needed no more. Commit nothing meanwhile.
   * False if the disk refuses: then the file stays for the next process that opens the store.
   */
  async empty(): Promise<boolean> {
    // By then every document has become what its record says, or its record is void.
    await this.#lastCommits;
    try {
      await makeDurable(this.fs, this.root, this.#documents);
      this.#documents.clear();
      this.#end = HEADER_BYTES;
      return true;
    } catch {
      letGo(this.fs, this.fd);
      journals.delete(this);
      return false;
    }
  }

  /** Empties the file and removes it. */
  async end(): Promise<boolean> {
    if (!(await this.empty())) return false;
    this.#remove();
    return true;
  }

  /** The same for a process that ends: the present updates are not waited for. */
  endNow(): void {
    try {
      makeDurableNow(this.fs, this.root, this.#documents);
      this.#remove();
    } catch {
      // It stays, and the next process that opens the store does this.
    }
  }

  #remove(): void {
    journals.delete(this);
    putAway(() => {
      if (this.#isInPlace()) unlinkIfThere(this.fs, this.path);
      letGo(this.fs, this.fd);
    });
  }

  /** False if it was removed, by a process that took its owner for dead, or moved away with its folder. */
  #isInPlace(): boolean {
    return isSame(this.fs.fstatSync(this.fd), statIfThere(this.fs, this.path));
  }
}

/** Whether times have microseconds: records are compared by them. */
function keepsTimes(fs: FileSystem, fd: number): boolean {
  const seconds = Math.floor(Date.now() / 1000) + 0.001_503;
  fs.futimesSync(fd, seconds, seconds);
  return Math.abs(fs.fstatSync(fd).mtimeMs - seconds * 1000) < 0.002;
}

const Owner = z.object({ host: z.string(), pid: z.number(), start: z.number() });

/** Undefined if the file was not finished: then no update ever relied on it. */
export function ownerIn(bytes: Buffer): ProcessIdentity | undefined {
  const [owner = ''] = bytes.toString('utf8', 0, HEADER_BYTES).split('\0');
  const isFinished = bytes.length > HEADER_BYTES;
  return isFinished ? orElse(undefined, () => z.parse(Owner, JSON.parse(owner))) : undefined;
}
