/*
 * Recovers the journals of dead processes. Opening a store does this; journals of living processes are left alone.
 *
 *   killed: same boot     Every document is whole in the system's memory and may have been changed since. What was not
 *                         renamed was not acknowledged, and is forgotten.
 *   cut: another boot     A document that is missing, does not parse or is older than its last record is written anew
 *                         from it. A document with a later change is left alone.
 *   elsewhere             Its owner, on another host or on this one under another name, may be alive. Untouched for a
 *                         minute, the journal counts as cut.
 *
 * A document that is as the journal says is written anew: its owner, or an earlier recovery, may have failed to sync it
 * or its name, and a disk that has refused once reports the same bytes as done the next time.
 *
 * Each document is judged and written under its lock, so that several processes that recover at once do it once or
 * twice, never too late. A journal that cannot be recovered stays where it is. Reading is always possible; the
 * documents it names are not written until it is settled (unsettled-journals.ts).
 */
import { isUtf8 } from 'node:buffer';
import { uptime } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { letGo, putAway } from './cleanup.js';
import { errorCode, type FileSystem, isSame, readIfThere, unlinkIfThere } from './file-system.js';
import { makeDurableNow } from './journal-checkpoint.js';
import { HEADER_BYTES, isJournalName, isNamedAfter, ownerIn } from './journal-file.js';
import { decodeRecords, type StoredRecord } from './journal-record.js';
import { canonicalPath, lockLost } from './json-file-lock.js';
import type { Layout } from './layout.js';
import { acquireLockNow, type FileLock, type LockOptions } from './lock.js';
import { bootOf, isRunning, machineOf, type ProcessIdentity, thisProcess } from './process-identity.js';
import { replacedMeanwhile } from './store-error.js';

export interface RecoveryOptions {
  readonly fs: FileSystem;
  readonly layout: Pick<Layout, 'root' | 'journal'>;
  readonly agent: string;
  readonly self?: ProcessIdentity;
  /** When this boot began. */
  readonly bootedAtMs?: number;
  /** How long to wait, in place, for each document's lock. */
  readonly lockWaitMs?: number | undefined;
}

/** A journal that is still there afterwards, and why: undefined while its owner may be alive elsewhere. */
export interface LeftJournal {
  readonly path: string;
  readonly error: unknown;
}

/** A journal that its owner on another host has not touched for so long is of no use to it any more. */
export const ABANDONED_MS = 60_000;

/** Never throws. If the folder cannot be read, it is itself what is left: its journals are unknown. */
export function recoverJournals(options: RecoveryOptions): readonly LeftJournal[] {
  const { fs, layout } = options;
  try {
    return journalsIn(fs, layout.journal).flatMap((path) => recoverJournal(options, path) ?? []);
  } catch (error) {
    return [{ path: layout.journal, error }];
  }
}

/** Undefined if it is settled, or belongs to a process that runs here. */
function recoverJournal(options: RecoveryOptions, path: string): LeftJournal | undefined {
  try {
    const journal = lookAt(options, path);
    if (journal === undefined) return undefined;
    if (journal.fate === 'elsewhere') return { path, error: undefined };
    recover(options, path, journal);
    return undefined;
  } catch (error) {
    return { path, error };
  }
}

/** Journals that need recovery, for callers that only want to know. Throws if their folder cannot be read. */
export function journalsOfTheDead(options: RecoveryOptions): readonly string[] {
  const { fs, layout } = options;
  return journalsIn(fs, layout.journal).filter((path) => {
    try {
      const journal = lookAt(options, path);
      return journal !== undefined && journal.fate !== 'elsewhere';
    } catch {
      return true; // Recovering it reports why it cannot be read.
    }
  });
}

/** Empty if there is no such folder. */
function journalsIn(fs: FileSystem, folder: string): readonly string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter(isJournalName)
      .map((name) => join(folder, name));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}

function recover(options: RecoveryOptions, path: string, journal: FoundJournal): void {
  const { fs } = options;
  const root = canonicalPath(fs, options.layout.root);
  for (const record of newestOf(journal.records)) settle(options, root, record, journal);
  makeDurableNow(fs, root, new Set(journal.records.map((record) => join(root, record.path))));
  unlinkIfThere(fs, path);
  makeDurableNow(fs, root, [path]);
}

export interface FoundJournal {
  readonly owner: ProcessIdentity | undefined;
  readonly records: readonly StoredRecord[];
  readonly fate: 'killed' | 'cut' | 'elsewhere';
}

/** Undefined if it is gone, or belongs to a process that runs on this host. */
export function lookAt({ fs, self = thisProcess() }: RecoveryOptions, path: string): FoundJournal | undefined {
  const ownerByName = isNamedAfter(basename(path), self);
  if (ownerByName !== undefined && isRunning(ownerByName)) return undefined;
  const stat = fs.statSync(path, { throwIfNoEntry: false });
  const bytes = stat && readIfThere(fs, path);
  if (!bytes) return undefined;
  const owner = ownerIn(bytes);
  const fate = ownerByName === undefined ? fateOf(owner, self, Date.now() - stat.mtimeMs) : 'killed';
  if (fate === 'alive') return undefined;
  const records = owner === undefined ? [] : decodeRecords(bytes.subarray(HEADER_BYTES)).filter(isInside);
  return { owner, records, fate };
}

/** Of a process that is unknown to this boot of this host. */
function fateOf(
  owner: ProcessIdentity | undefined,
  self: ProcessIdentity,
  untouchedMs: number,
): FoundJournal['fate'] | 'alive' {
  const isUntouched = untouchedMs > ABANDONED_MS;
  if (owner === undefined || bootOf(owner.host) === bootOf(self.host)) return isUntouched ? 'killed' : 'alive';
  return machineOf(owner.host) === machineOf(self.host) || isUntouched ? 'cut' : 'elsewhere';
}

/** Paths are data: one that leads out of the store, or to something that is no document, is not ours. */
function isInside({ path }: StoredRecord): boolean {
  const parts = path.split('/');
  return path.endsWith('.json') && !/[\0\\]/.test(path) && parts.every((part) => !['', '.', '..'].includes(part));
}

export function newestOf(records: readonly StoredRecord[]): Iterable<StoredRecord> {
  const newest = new Map<string, StoredRecord>();
  for (const record of records) {
    const other = newest.get(record.path);
    if (!record.isVoid && (other === undefined || record.mtimeMs >= other.mtimeMs)) newest.set(record.path, record);
  }
  return newest.values();
}

function settle(options: RecoveryOptions, root: string, record: StoredRecord, { fate, owner }: FoundJournal): void {
  const { fs, agent, bootedAtMs = Date.now() - uptime() * 1000, lockWaitMs: waitMs } = options;
  const file = canonicalPath(fs, join(root, record.path));
  if (!file.startsWith(root + sep)) return;
  if (fate === 'cut') fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (contentFor(fs, file, record, fate) === undefined) return;
  // A process that held a lock when the power was cut is as dead as the owner, even if only the lock's name was kept.
  const isGone: LockOptions['isGone'] = ({ body, modifiedMs }) =>
    fate === 'cut' && (body?.host === undefined ? modifiedMs < bootedAtMs : body.host === owner?.host);
  const lock = acquireLockNow(file, { fs, agent, isGone, waitMs });
  try {
    const content = contentFor(fs, file, record, fate);
    if (content !== undefined) write(fs, lock, { ...record, content });
  } finally {
    lock.release();
  }
}

/** The content to write, or undefined if the file is to stay as it is. */
function contentFor(
  fs: FileSystem,
  file: string,
  record: StoredRecord,
  fate: FoundJournal['fate'],
): Buffer | undefined {
  if (isMissing(fs, file, record, fate)) return record.content;
  const laterMs = (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN) - record.mtimeMs;
  const isTheRecord = laterMs >= 0 && laterMs < PUT_BACK_MS * 2;
  // The present content, not the record's: a person may have edited it and set its time back.
  return isTheRecord ? readIfThere(fs, file) : undefined;
}

/** A time is truncated when it is set: what is put back must not become earlier than its record. */
const PUT_BACK_MS = 0.001;

/**
 * Whether a record holds what its document does not. A document that is whole and as late as the record is the record
 * or came after it. After a kill only renamed documents count, and of those only the content can have been lost.
 */
export function isMissing(
  fs: FileSystem,
  file: string,
  { mtimeMs }: StoredRecord,
  fate: FoundJournal['fate'],
): boolean {
  const thereMs = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
  if (fate === 'killed' && thereMs !== mtimeMs) return false;
  const bytes = thereMs >= mtimeMs ? readIfThere(fs, file) : undefined;
  return bytes === undefined || !parses(bytes);
}

function parses(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('utf8'));
    return isUtf8(bytes);
  } catch {
    return false;
  }
}

function write(fs: FileSystem, lock: FileLock, { content, mode, mtimeMs }: StoredRecord): void {
  try {
    const fd = fs.openSync(lock.scratchPath, 'wx', mode);
    try {
      fs.fchmodSync(fd, mode);
      for (let at = 0; at < content.length; ) at += fs.writeSync(fd, content, at);
      const seconds = (mtimeMs + PUT_BACK_MS) / 1000;
      fs.futimesSync(fd, seconds, seconds);
      fs.fdatasyncSync(fd);
      if (!lock.isMine()) throw lockLost(lock.file);
      fs.renameSync(lock.scratchPath, lock.file);
      const present = fs.statSync(lock.file, { throwIfNoEntry: false });
      if (!isSame(present, fs.fstatSync(fd))) throw replacedMeanwhile(lock.file);
    } finally {
      letGo(fs, fd);
    }
  } catch (error) {
    putAway(() => unlinkIfThere(fs, lock.scratchPath));
    throw errorCode(error) === 'ENOENT' ? lockLost(lock.file) : error;
  }
}
