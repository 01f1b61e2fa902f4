import { randomBytes } from 'node:crypto';
import { letGo, putAway } from './cleanup.js';
import type { Disk } from './disk.js';
import { type FileSystem, type Identity, inPool, isSame, syncInPool, unlinkIfThere } from './file-system.js';
import { encodeHead, type JournalRecord, VOID_STATE } from './journal-record.js';
import { hostTag, type ProcessIdentity } from './process-identity.js';

/** The owner of the file stands at its beginning, padded to this length. */
export const HEADER_BYTES = 512;

/**
 * The file of a journal. It is overwritten from the beginning, as the next generation, once everything in it is durable
 * elsewhere. Its length never changes, so that a sync only has to bring bytes to the disk.
 */
export class JournalFile {
  #generation = 1;
  #end = HEADER_BYTES;
  #underWay = 0;
  #whenSettled: (() => void)[] = [];
  #isTrusted = true;
  readonly #identity: Identity;
  /** The documents that are certainly durable only in here. */
  readonly documents = new Set<string>();

  constructor(
    private readonly fs: FileSystem,
    readonly path: string,
    readonly fd: number,
    private readonly size: number,
  ) {
    const { dev, ino } = fs.fstatSync(fd);
    this.#identity = { dev, ino };
  }

  /** Where the record of `file` is now, or undefined for lack of room. `settle` must be called for it. */
  append(file: string, record: JournalRecord): number | undefined {
    const { content } = record;
    const head = encodeHead(record, this.#generation);
    const at = this.#end;
    const end = at + head.length + content.length;
    if (end > this.size) return undefined;
    writeAt(this.fs, this.fd, head, at);
    writeAt(this.fs, this.fd, content, at + head.length);
    this.#end = end;
    this.#underWay++;
    this.documents.add(file);
    return at;
  }

  /** Marks a record as that of an update that never happened. */
  cancel(at: number): void {
    writeAt(this.fs, this.fd, VOID_STATE.bytes, at + VOID_STATE.at);
  }

  settle(): void {
    this.#underWay--;
    if (this.#underWay === 0) for (const resolve of this.#whenSettled.splice(0)) resolve();
  }

  /** Resolves when every document has become what its record says, or its record is void. */
  async settled(): Promise<void> {
    if (this.#underWay > 0) await new Promise<void>((resolve) => this.#whenSettled.push(resolve));
  }

  /** True if the written records are on the disk, where a recovery will look for them. */
  async sync(disk: Disk): Promise<boolean> {
    try {
      await disk.syncContent(this.fd);
      return this.#isTrusted && this.#isInPlace();
    } catch {
      // What the disk refused once it may report as done the next time, without having written it.
      this.#isTrusted = false;
      return false;
    }
  }

  beginAnew(): void {
    this.#generation++;
    this.#end = HEADER_BYTES;
    this.documents.clear();
  }

  remove(): void {
    putAway(() => {
      if (this.#isInPlace()) unlinkIfThere(this.fs, this.path);
      letGo(this.fs, this.fd);
    });
  }

  /** Leaves the file to a later recovery. */
  leave(): void {
    letGo(this.fs, this.fd);
  }

  /** False if it was removed, by a process that took its owner for dead, or moved away with its folder. */
  #isInPlace(): boolean {
    return isSame(this.#identity, this.fs.statSync(this.path, { throwIfNoEntry: false }));
  }
}

interface NewJournal {
  readonly path: string;
  readonly owner: ProcessIdentity;
  readonly bytes: number;
}

/** Makes the file, padded and on the disk, in the thread pool. The caller syncs its name. */
export async function makeJournalFile(fs: FileSystem, { path, owner, bytes }: NewJournal): Promise<JournalFile> {
  const fd = await inPool<number>((done) => fs.open(path, 'wx+', 0o600, done));
  const file = new JournalFile(fs, path, fd, bytes);
  try {
    const content = Buffer.alloc(bytes);
    content.write(JSON.stringify(owner));
    const written = await inPool<number>((done) => fs.write(fd, content, 0, bytes, 0, done));
    if (written < bytes) throw Object.assign(new Error('ENOSPC: the disk is full'), { code: 'ENOSPC' });
    await syncInPool(fs.fsync, fd);
    if (!keepsTimes(fs, fd)) throw new Error('The file system keeps no exact times.');
    return file;
  } catch (error) {
    file.remove();
    throw error;
  }
}

/** Whether times have microseconds: records are compared by them. */
function keepsTimes(fs: FileSystem, fd: number): boolean {
  const seconds = Math.floor(Date.now() / 1000) + 0.001_503;
  fs.futimesSync(fd, seconds, seconds);
  return Math.abs(fs.fstatSync(fd).mtimeMs - seconds * 1000) < 0.002;
}

const NAME = /^([0-9a-f]{8})-(\d+)-(\d+)-[0-9a-f]+\.log$/;

export const journalName = ({ host, pid, start }: ProcessIdentity): string =>
  `${hostTag(host)}-${pid}-${start}-${randomBytes(4).toString('hex')}.log`;

export const isJournalName = (name: string): boolean => NAME.test(name);

/** Undefined if the file was not finished: then no update ever relied on it. */
export function ownerIn(bytes: Buffer): ProcessIdentity | undefined {
  try {
    const text = bytes.toString('utf8', 0, HEADER_BYTES);
    const { host, pid, start } = JSON.parse(text.slice(0, text.indexOf('\0')));
    const isWhole = typeof host === 'string' && typeof pid === 'number' && typeof start === 'number';
    return isWhole && bytes.length > HEADER_BYTES ? { host, pid, start } : undefined;
  } catch {
    return undefined;
  }
}

/** An unfinished file shows its owner only by its name. */
export function isNamedAfter(name: string, { host }: ProcessIdentity): { pid: number; start: number } | undefined {
  const [, tag, pid, start] = NAME.exec(name) ?? [];
  return tag === hostTag(host) ? { pid: Number(pid), start: Number(start) } : undefined;
}

function writeAt(fs: FileSystem, fd: number, bytes: Buffer, at: number): void {
  for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done, bytes.length - done, at + done);
}
