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
 * or its name. A disk that has refused once reports the same bytes as done the next time.
 *
 * Each document is judged and written under its lock, so that several processes that recover at once do it once or
 * twice, never too late. A journal that cannot be recovered stays where it is: a lock is not free, the disk refuses, or
 * its owner may be alive elsewhere. Its content was acknowledged. A document that is written without it would be later
 * than the journal, and bury it for good. So reading is always possible, and what is missing in a document keeps it from
 * being written.
 */
import { isUtf8 } from 'node:buffer';
import { uptime } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { AgentXError } from '../../protocol/errors.js';
import { putAway } from './cleanup.js';
import { makeDurableNow } from './disk.js';
import {
  errorCode,
  type FileSystem,
  isSame,
  makeInside,
  orElse,
  readIfThere,
  statIfThere,
  unlinkIfThere,
} from './file-system.js';
import { HEADER_BYTES, ownerIn } from './journal-file.js';
import { decodeRecords, type StoredRecord } from './journal-record.js';
import { folderMode, type Layout, layoutOf } from './layout.js';
import { acquireLockNow, canonicalPath, type FileLock, type LockOptions, lockLost } from './lock.js';
import { bootOf, machineOf, ownerOf, type ProcessIdentity, thisProcess } from './process-identity.js';
import { problemAndRemedy, replacedMeanwhile } from './store-error.js';
import { writeNew } from './write-whole.js';

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
interface LeftJournal {
  readonly path: string;
  readonly error: unknown;
}

/** A journal that its owner on another host has not touched for so long is of no use to it any more. */
const ABANDONED_MS = 60_000;
/** How often it is tried again, and how long to wait for each document's lock: all of this process waits meanwhile. */
const AGAIN_MS = 1_000;
const AGAIN_LOCK_WAIT_MS = 100;
/** A time is truncated when it is set: what is put back must not become earlier than its record. */
const PUT_BACK_MS = 0.001;

/** The journals that could not be recovered when the store was opened. */
export class UnsettledJournals {
  #journals: readonly LeftJournal[];
  #triedAt = performance.now();

  constructor(private readonly options: RecoveryOptions) {
    this.#journals = recoverJournals(options);
  }

  get left(): readonly LeftJournal[] {
    return this.#journals;
  }

  /** Tries again, now and then. Call this with no lock held. */
  settle(): void {
    if (this.#journals.length === 0 || performance.now() - this.#triedAt < AGAIN_MS) return;
    this.#journals = recoverJournals({ ...this.options, lockWaitMs: AGAIN_LOCK_WAIT_MS });
    this.#triedAt = performance.now();
  }

  /** Throws if one of them holds what is missing in `file`, whose lock is held. */
  refuse(file: string): void {
    for (const journal of this.#journals) {
      if (this.#holdsMore(journal, file)) throw isUnsettled(file, journal);
    }
  }

  #holdsMore({ path, error }: LeftJournal, file: string): boolean {
    const { fs, layout, self = thisProcess() } = this.options;
    const root = canonicalPath(fs, layout.root);
    let journal: FoundJournal | undefined;
    try {
      journal = lookAt(this.options, path);
    } catch {
      // Its content is unknown. After a kill, what was acknowledged is in place.
      return error !== undefined && ownerOf(basename(path), self) !== 'dead';
    }
    if (journal === undefined) return false;
    const { records, fate } = journal;
    const ofFile = newestOf(records).filter((record) => join(root, record.path) === file);
    return ofFile.some((record) => contentFor(fs, file, record, fate) === record.content);
  }
}

function isUnsettled(file: string, { path, error }: LeftJournal): AgentXError {
  const mayLive = {
    reason: 'its owner may still be at work on another machine.',
    todo: `If it is not, that is known ${ABANDONED_MS / 1000} s after its last write: try again then.`,
  };
  const { reason, todo } = error === undefined ? mayLive : problemAndRemedy('recover', path, error);
  const problem = `Cannot write ${file}: ${path} may hold a later version of it, which is not in place yet: ${reason}`;
  const remedy = error === undefined ? todo : `${todo} Then run: agentx doctor --repair`;
  const details = { path: file, journal: path, problem, remedy };
  return new AgentXError('STORE_ERROR', `${problem} ${remedy}`, details, { cause: error });
}

/** Never throws. If the folder cannot be read, it is itself what is left: its journals are unknown. */
export function recoverJournals(options: RecoveryOptions): readonly LeftJournal[] {
  const { fs, layout } = options;
  const recover = (path: string): readonly LeftJournal[] => {
    try {
      const journal = lookAt(options, path);
      if (journal?.fate === 'elsewhere') return [{ path, error: undefined }];
      if (journal !== undefined) putBack(options, path, journal);
      return [];
    } catch (error) {
      return [{ path, error }];
    }
  };
  try {
    return journalsIn(fs, layout.journal).flatMap(recover);
  } catch (error) {
    return [{ path: layout.journal, error }];
  }
}

/** Journals that need recovery. Throws if their folder cannot be read. */
export function journalsOfTheDead(options: RecoveryOptions): readonly string[] {
  // Recovering one that cannot be read reports why.
  const isDead = (path: string) => orElse(true, () => ['killed', 'cut'].includes(lookAt(options, path)?.fate ?? ''));
  return journalsIn(options.fs, options.layout.journal).filter(isDead);
}

/** Empty if there is no such folder. */
function journalsIn(fs: FileSystem, folder: string): readonly string[] {
  try {
    const names = fs.readdirSync(folder).filter((name) => name.endsWith('.log') && ownerOf(name) !== undefined);
    return names.map((name) => join(folder, name));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}

interface FoundJournal {
  readonly owner: ProcessIdentity | undefined;
  readonly records: readonly StoredRecord[];
  readonly fate: 'killed' | 'cut' | 'elsewhere';
}

/** Undefined if it is gone, or belongs to a process that runs on this host. */
function lookAt({ fs, self = thisProcess() }: RecoveryOptions, path: string): FoundJournal | undefined {
  // An unfinished file shows its owner only by its name.
  const ownerByName = ownerOf(basename(path), self);
  if (ownerByName === 'alive') return undefined;
  const stat = statIfThere(fs, path);
  const bytes = stat && readIfThere(fs, path, stat);
  if (!bytes) return undefined;
  const owner = ownerIn(bytes);
  const isUntouched = Date.now() - stat.mtimeMs > ABANDONED_MS;
  const isOfThisBoot = owner === undefined || bootOf(owner.host) === bootOf(self.host);
  // One of this boot that cannot be seen from here may run all the same.
  if (isOfThisBoot && ownerByName !== 'dead' && !isUntouched) return undefined;
  const records = owner === undefined ? [] : decodeRecords(bytes.subarray(HEADER_BYTES)).filter(isInside);
  if (isOfThisBoot) return { owner, records, fate: 'killed' };
  const isOver = isUntouched || machineOf(owner.host) === machineOf(self.host);
  return { owner, records, fate: isOver ? 'cut' : 'elsewhere' };
}

/** Paths are data: one that leads out of the store, or to something that is no document, is not ours. */
function isInside({ path }: StoredRecord): boolean {
  const parts = path.split('/');
  return path.endsWith('.json') && !/[\0\\]/.test(path) && parts.every((part) => !['', '.', '..'].includes(part));
}

function newestOf(records: readonly StoredRecord[]): readonly StoredRecord[] {
  const newest = new Map<string, StoredRecord>();
  for (const record of records) {
    const other = newest.get(record.path);
    if (!record.isVoid && (other === undefined || record.mtimeMs >= other.mtimeMs)) newest.set(record.path, record);
  }
  return [...newest.values()];
}

function putBack(options: RecoveryOptions, path: string, journal: FoundJournal): void {
  const { fs } = options;
  const root = canonicalPath(fs, options.layout.root);
  for (const record of newestOf(journal.records)) settle(options, root, record, journal);
  makeDurableNow(fs, root, new Set(journal.records.map((record) => join(root, record.path))));
  unlinkIfThere(fs, path);
  makeDurableNow(fs, root, [path]);
}

function settle(options: RecoveryOptions, root: string, record: StoredRecord, { fate, owner }: FoundJournal): void {
  const { fs, agent, bootedAtMs = Date.now() - uptime() * 1000, lockWaitMs: waitMs } = options;
  const file = canonicalPath(fs, join(root, record.path));
  if (!file.startsWith(root + sep)) return;
  const folder = dirname(file);
  if (fate === 'cut') makeInside(fs, root, folder, folderMode(layoutOf(root), folder));
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

type Fate = FoundJournal['fate'];

/** What has to be written: the record if its document misses it, the present content once more, or nothing. */
function contentFor(fs: FileSystem, file: string, record: StoredRecord, fate: Fate): Buffer | undefined {
  const presentMs = statIfThere(fs, file)?.mtimeMs ?? Number.NEGATIVE_INFINITY;
  const laterMs = presentMs - record.mtimeMs;
  const isTheRecord = laterMs >= 0 && laterMs < PUT_BACK_MS * 2;
  // After a kill only renamed documents count.
  if (fate === 'killed' && !isTheRecord) return undefined;
  const presentContent = laterMs >= 0 ? readIfThere(fs, file) : undefined;
  if (presentContent === undefined || !parses(presentContent)) return record.content;
  // Not the record's content: a person may have edited the document and set its time back.
  return isTheRecord ? presentContent : undefined;
}

function parses(bytes: Buffer): boolean {
  return orElse(false, () => JSON.parse(bytes.toString('utf8')) !== undefined && isUtf8(bytes));
}

function write(fs: FileSystem, lock: FileLock, { content, mode, mtimeMs }: StoredRecord): void {
  try {
    writeNew(fs, lock.scratchPath, { content, mode }, (fd) => {
      fs.fchmodSync(fd, mode);
      const seconds = (mtimeMs + PUT_BACK_MS) / 1000;
      fs.futimesSync(fd, seconds, seconds);
      fs.fdatasyncSync(fd);
      if (!lock.isMine()) throw lockLost(lock.file);
      fs.renameSync(lock.scratchPath, lock.file);
      if (!isSame(statIfThere(fs, lock.file), fs.fstatSync(fd))) throw replacedMeanwhile(lock.file);
    });
  } catch (error) {
    putAway(() => unlinkIfThere(fs, lock.scratchPath));
    throw errorCode(error) === 'ENOENT' ? lockLost(lock.file) : error;
  }
}
