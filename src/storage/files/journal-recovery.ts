/*
 * What dead processes left of their journals, when a store is opened. Journals of the living are left alone.
 *
 *   killed, same boot   every document is whole in the system's memory and may have been changed since: what the journal
 *                       names is synced where it is. What was not renamed was not acknowledged, and is forgotten
 *   another boot        the power was cut: a document that is missing, does not parse or is older than its last record
 *                       is written anew from it. Whoever wrote later is left alone
 *
 * Each document is judged and written under its lock, so that several who do this at once do it once or twice, never too
 * late. A journal that nothing can be done about stays where it is; nobody is kept from reading.
 */
import { isUtf8 } from 'node:buffer';
import { uptime } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { errorCode, type FileSystem, readIfThere, unlinkIfThere } from './file-system.js';
import { makeDurableNow } from './journal-checkpoint.js';
import { decodeRecords, type StoredRecord } from './journal-record.js';
import { HEADER_BYTES, isJournalName, isNamedAfter, ownerIn } from './journal-segment.js';
import { canonicalPath, lockLost } from './json-file-lock.js';
import type { Layout } from './layout.js';
import { isPrivateName, sweepLitter } from './litter.js';
import { acquireLockNow, type FileLock, type LockOptions } from './lock.js';
import { bootOf, isRunning, machineOf, type ProcessIdentity, thisProcess } from './process-identity.js';

export interface RecoveryOptions {
  readonly fs: FileSystem;
  readonly layout: Pick<Layout, 'root' | 'journal'>;
  readonly agent: string;
  readonly self?: ProcessIdentity;
  /** When this boot began. */
  readonly bootedAtMs?: number;
}

/** A journal that is still there afterwards, and why. */
export interface LeftJournal {
  readonly path: string;
  readonly error: unknown;
}

/** A journal that its owner on another host has not touched for so long is of no use to it any more. */
const ABANDONED_MS = 60_000;

/** Never throws. */
export function recoverJournals(options: RecoveryOptions): readonly LeftJournal[] {
  const { fs, layout } = options;
  const names = namesIfReadable(fs, layout.journal);
  if (names.some(isPrivateName)) removeSpares(fs, layout.journal);
  return names.filter(isJournalName).flatMap((name) => {
    const path = join(layout.journal, name);
    try {
      recover(options, path);
      return [];
    } catch (error) {
      return [{ path, error }];
    }
  });
}

function namesIfReadable(fs: FileSystem, folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

/** The dead leave the files that they had made ahead, too. */
function removeSpares(fs: FileSystem, folder: string): void {
  try {
    sweepLitter(fs, folder);
  } catch {
    // They hold nothing.
  }
}

/** Journals that somebody has to see to, for whoever only wants to know. */
export function journalsOfTheDead(options: RecoveryOptions): readonly string[] {
  const { fs, layout } = options;
  const names = namesIfReadable(fs, layout.journal).filter(isJournalName);
  const paths = names.map((name) => join(layout.journal, name));
  return paths.filter((path) => lookAt(options, path) !== undefined);
}

function recover(options: RecoveryOptions, path: string): void {
  const { fs } = options;
  const found = lookAt(options, path);
  if (found === undefined) return;
  const { owner, bytes, fate } = found;
  const root = canonicalPath(fs, options.layout.root);
  const records = owner === undefined ? [] : decodeRecords(bytes.subarray(HEADER_BYTES)).filter(isInside);
  if (fate === 'cut') for (const record of newestOf(records)) replay(options, root, record, owner);
  makeDurableNow(fs, root, new Set(records.map((record) => join(root, record.path))));
  unlinkIfThere(fs, path);
  makeDurableNow(fs, root, [path]);
}

interface Found {
  readonly owner: ProcessIdentity | undefined;
  readonly bytes: Buffer;
  readonly fate: 'killed' | 'cut';
}

/** Undefined if its owner is, or may be, alive. */
function lookAt({ fs, self = thisProcess() }: RecoveryOptions, path: string): Found | undefined {
  const named = isNamedAfter(basename(path), self);
  if (named !== undefined && isRunning(named)) return undefined;
  const stat = fs.statSync(path, { throwIfNoEntry: false });
  const bytes = stat && readIfThere(fs, path);
  if (!bytes) return undefined;
  const owner = ownerIn(bytes);
  const untouchedMs = Date.now() - stat.mtimeMs;
  const fate = named === undefined ? fateOf(owner, self, untouchedMs) : 'killed';
  return fate === 'alive' ? undefined : { owner, bytes, fate };
}

/** Of a process that is not known to this boot of this host. */
function fateOf(owner: ProcessIdentity | undefined, self: ProcessIdentity, untouchedMs: number): Fate {
  const isUntouched = untouchedMs > ABANDONED_MS;
  if (owner === undefined || bootOf(owner.host) === bootOf(self.host)) return isUntouched ? 'killed' : 'alive';
  return machineOf(owner.host) === machineOf(self.host) || isUntouched ? 'cut' : 'alive';
}

type Fate = 'alive' | Found['fate'];

/** Paths are data: one that leads out of the store, or to what is no document, is not ours. */
function isInside({ path }: StoredRecord): boolean {
  const parts = path.split('/');
  return path.endsWith('.json') && !/[\0\\]/.test(path) && parts.every((part) => !['', '.', '..'].includes(part));
}

function newestOf(records: readonly StoredRecord[]): Iterable<StoredRecord> {
  const newest = new Map<string, StoredRecord>();
  for (const record of records) {
    const known = newest.get(record.path);
    if (!record.isVoid && (known === undefined || record.mtimeMs >= known.mtimeMs)) newest.set(record.path, record);
  }
  return newest.values();
}

function replay(
  { fs, agent, bootedAtMs = Date.now() - uptime() * 1000 }: RecoveryOptions,
  root: string,
  record: StoredRecord,
  owner: ProcessIdentity | undefined,
): void {
  const file = canonicalPath(fs, join(root, record.path));
  if (!file.startsWith(root + sep)) return;
  fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (!isNeeded(fs, file, record)) return;
  // Whoever held a lock when the power was cut is as dead as the owner, also where only the lock's name was kept.
  const isGone: LockOptions['isGone'] = ({ body, modifiedMs }) =>
    body?.host === undefined ? modifiedMs < bootedAtMs : body.host === owner?.host;
  const lock = acquireLockNow(file, { fs, agent, isGone });
  try {
    if (isNeeded(fs, file, record)) putBack(fs, lock, record);
  } finally {
    lock.release();
  }
}

/** What is as late as the record, and whole, is the record or came after it. */
function isNeeded(fs: FileSystem, file: string, { mtimeMs }: StoredRecord): boolean {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  const bytes = stat && stat.mtimeMs >= mtimeMs ? readIfThere(fs, file) : undefined;
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

function putBack(fs: FileSystem, lock: FileLock, { content, mode, mtimeMs }: StoredRecord): void {
  try {
    const fd = fs.openSync(lock.scratchPath, 'wx', mode);
    try {
      fs.fchmodSync(fd, mode);
      for (let at = 0; at < content.length; ) at += fs.writeSync(fd, content, at);
      // A time is cut off when it is set: it must not become earlier than the record's.
      const seconds = (mtimeMs + 0.001) / 1000;
      fs.futimesSync(fd, seconds, seconds);
      fs.fdatasyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
    if (!lock.isMine()) throw lockLost(lock.file);
    fs.renameSync(lock.scratchPath, lock.file);
  } catch (error) {
    unlinkIfThere(fs, lock.scratchPath);
    throw errorCode(error) === 'ENOENT' ? lockLost(lock.file) : error;
  }
}
