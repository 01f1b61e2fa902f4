/*
 * Puts something that can be read in the place of a file that cannot, and keeps the original beside it.
 *
 *   lock -> read again: a writer may have put it right -> replacement to a scratch file, fdatasync
 *   -> link the original to `<name>.corrupt-<time>` -> is the lock still mine? -> rename the replacement into place
 *
 * There is no moment without the file. A repair that is killed between any two of these steps can simply be started
 * again: the original is still in its place, and the next repair finds the link that the first one made.
 */
import { basename, dirname, join } from 'node:path';
import { putAway } from '../cleanup.js';
import type { Disk } from '../disk.js';
import { errorCode, type FileSystem, isSame, readIfThere, unlinkIfThere, writeAll } from '../file-system.js';
import type { UnsettledJournals } from '../journal-recovery.js';
import { acquireLock, canonicalPath, type FileLock, lockLost } from '../lock.js';
import { asStoreError, replacedMeanwhile } from '../store-error.js';
import type { Evidence, ExaminedDocument } from './documents.js';
import type { Salvage } from './salvage.js';

export interface RepairContext {
  readonly fs: FileSystem;
  readonly disk: Disk;
  readonly agent: string;
  readonly lockWaitMs?: number | undefined;
  readonly sync: boolean;
  readonly unsettled?: UnsettledJournals | undefined;
}

export interface RepairRequest {
  readonly path: string;
  readonly document: ExaminedDocument;
  readonly evidence: Omit<Evidence, 'earlier'>;
  /** Called before a file without a replacement is moved aside. */
  readonly beforeLoss: () => Promise<void>;
}

export interface FileRepair extends Salvage {
  /** Where the original is now; a derived file has no original worth keeping. */
  readonly movedTo: string | undefined;
}

/** Undefined if nothing is wrong any more. */
export async function repairFile(context: RepairContext, request: RepairRequest): Promise<FileRepair | undefined> {
  const { fs, agent, lockWaitMs, disk, sync } = context;
  const file = canonicalPath(fs, request.path);
  const lock = await acquireLock(file, { fs, agent, waitMs: lockWaitMs });
  try {
    const repair = await repairLocked(context, request, lock);
    if (repair && sync) await disk.syncFolder(dirname(file));
    return repair;
  } catch (error) {
    putAway(() => unlinkIfThere(fs, lock.scratchPath));
    throw asStoreError('repair', file, error);
  } finally {
    lock.release();
  }
}

/** What keeps a file from being read, or undefined. */
export function damageOf(document: ExaminedDocument, path: string, bytes: Buffer): unknown {
  try {
    document.check(path, bytes);
    return undefined;
  } catch (error) {
    return error;
  }
}

async function repairLocked(
  context: RepairContext,
  { document, evidence, beforeLoss }: RepairRequest,
  lock: FileLock,
): Promise<FileRepair | undefined> {
  const { fs } = context;
  const { file } = lock;
  context.unsettled?.refuse(file);
  const bytes = readIfThere(fs, file);
  if (bytes === undefined || damageOf(document, file, bytes) === undefined) return undefined;
  if (document.isDerived) {
    fs.unlinkSync(file);
    return {
      document: undefined,
      summary: 'Removed. It is made anew when it is needed.',
      lost: [],
      movedTo: undefined,
    };
  }
  const copies = copiesOf(fs, file);
  const earlier = copies.filter(({ isOriginal }) => !isOriginal).map(({ path }) => textOf(fs.readFileSync(path)));
  const salvage = document.salvage(textOf(bytes), { ...evidence, earlier });
  if (salvage.document === undefined) await beforeLoss();
  else await prepare(context, lock, document, salvage.document);
  if (!lock.isMine()) throw lockLost(file);
  const movedTo = copies.find(({ isOriginal }) => isOriginal)?.path ?? keepOriginal(fs, file, evidence.at, bytes);
  if (!lock.isMine()) throw lockLost(file);
  if (salvage.document === undefined) fs.unlinkSync(file);
  else putInPlace(fs, lock.scratchPath, file);
  return { ...salvage, movedTo };
}

async function prepare(
  { fs, disk, sync }: RepairContext,
  { file, scratchPath }: FileLock,
  document: ExaminedDocument,
  content: unknown,
): Promise<void> {
  const bytes = document.encode(file, content);
  document.check(file, bytes);
  const fd = fs.openSync(scratchPath, 'wx', document.mode);
  try {
    writeAll(fs, fd, bytes);
    if (sync) await disk.syncContent(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function putInPlace(fs: FileSystem, scratch: string, file: string): void {
  const preparedFile = fs.statSync(scratch);
  fs.renameSync(scratch, file);
  if (!isSame(preparedFile, fs.statSync(file, { throwIfNoEntry: false }))) throw replacedMeanwhile(file);
}

/** Files that were moved aside under this name before; `isOriginal` is the very file that is damaged now. */
function copiesOf(fs: FileSystem, file: string): { readonly path: string; readonly isOriginal: boolean }[] {
  const folder = dirname(file);
  const names = fs.readdirSync(folder).filter((name) => name.startsWith(`${basename(file)}.corrupt-`));
  const original = fs.statSync(file, { bigint: true });
  return names.flatMap((name) => {
    const path = join(folder, name);
    const stat = fs.statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat?.isFile() ? [{ path, isOriginal: stat.ino === original.ino && stat.dev === original.dev }] : [];
  });
}

function keepOriginal(fs: FileSystem, file: string, at: string, bytes: Buffer): string {
  const name = `${file}.corrupt-${at.replaceAll(/[:.]/g, '-')}`;
  for (let count = 1; ; count++) {
    const path = count === 1 ? name : `${name}-${count}`;
    try {
      linkOrCopy(fs, { file, path, bytes });
      return path;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

/** A link takes no time and no space; a file system without links gets a copy. Neither overwrites an existing file. */
function linkOrCopy(
  fs: FileSystem,
  { file, path, bytes }: { readonly file: string; readonly path: string; readonly bytes: Buffer },
): void {
  try {
    fs.linkSync(file, path);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw error;
    const fd = fs.openSync(path, 'wx', 0o600);
    try {
      writeAll(fs, fd, bytes);
      fs.fdatasyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  }
}

/** Bytes that are no text become replacement characters; a byte order mark at the beginning is left out. */
const textOf = (bytes: Buffer): string => bytes.toString('utf8').replace(/^\ufeff/, '');
