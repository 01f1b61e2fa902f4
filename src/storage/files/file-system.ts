import * as nodeFs from 'node:fs';
import { dirname } from 'node:path';

/**
 * The calls to the operating system that this room makes, and no others. Fault tests pass their own: one that dies at
 * the n-th call, one without hard links, one whose disk is full.
 *
 * Metadata calls are synchronous: on a local disk each takes microseconds, through the thread pool ten times as long.
 * Those that wait for the disk exist in both forms.
 */
export type FileSystem = Pick<
  typeof nodeFs,
  | 'close'
  | 'closeSync'
  | 'fchmodSync'
  | 'fstatSync'
  | 'ftruncateSync'
  | 'futimesSync'
  | 'linkSync'
  | 'mkdirSync'
  | 'open'
  | 'openSync'
  | 'readFileSync'
  | 'readdirSync'
  | 'realpathSync'
  | 'renameSync'
  | 'statSync'
  | 'unlinkSync'
  | 'utimesSync'
  | 'write'
  | 'writeSync'
  | 'fdatasync'
  | 'fdatasyncSync'
  | 'fsync'
  | 'fsyncSync'
>;

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = nodeFs.constants;
/** A link would have a file elsewhere grow by lines whose words agents choose; a pipe would keep us waiting. */
export const OWN_FILE_TO_APPEND = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

export const realFileSystem: FileSystem = nodeFs;

/** Longer than the steps in which any file system's clock moves. */
export const CLOCK_STEP_MS = 100;

/** What a look at a file shows: it changes with every change of the file, even if its time is set back. */
export type Print = readonly [ino: number, size: number, mtimeMs: number, ctimeMs: number];

export function printOf({ ino, size, mtimeMs, ctimeMs }: nodeFs.Stats): Print {
  return [ino, size, mtimeMs, ctimeMs];
}

export function isUnchanged({ ino, size, mtimeMs, ctimeMs }: nodeFs.Stats, last: nodeFs.Stats | undefined): boolean {
  return last?.ino === ino && last.size === size && last.mtimeMs === mtimeMs && last.ctimeMs === ctimeMs;
}

/** Whether any later change would show: within one step of the file system's clock it would not. */
export function isSettled({ mtimeMs, ctimeMs }: nodeFs.Stats): boolean {
  return Math.max(mtimeMs, ctimeMs) < Date.now() - CLOCK_STEP_MS;
}

export function unlinkIfThere(fs: FileSystem, path: string): void {
  try {
    fs.unlinkSync(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

export function statIfThere(fs: FileSystem, path: string): nodeFs.Stats | undefined {
  return fs.statSync(path, { throwIfNoEntry: false });
}

export function isThere(fs: FileSystem, path: string): boolean {
  return statIfThere(fs, path) !== undefined;
}

/**
 * Makes a folder of the store, and those between it and `root`. The root itself is never made: ENOENT if it is gone. A
 * person who removed or moved it away finds nothing in its place.
 */
export function makeInside(fs: FileSystem, root: string, folder: string, mode = 0o700): void {
  if (isFolder(fs, folder)) return;
  if (dirname(folder) !== root && folder.startsWith(root)) makeInside(fs, root, dirname(folder), mode);
  try {
    fs.mkdirSync(folder, { mode });
  } catch (error) {
    // Another process was quicker.
    if (errorCode(error) !== 'EEXIST' || !isFolder(fs, folder)) throw error;
  }
}

function isFolder(fs: FileSystem, folder: string): boolean {
  return statIfThere(fs, folder)?.isDirectory() === true;
}

/** The content of a file, or undefined if there is none. `stat` is for callers that have just looked at it. */
export function readIfThere(
  fs: FileSystem,
  path: string,
  stat: Pick<nodeFs.Stats, 'isFile' | 'isDirectory'> | undefined = statIfThere(fs, path),
): Buffer | undefined {
  if (stat === undefined) return undefined;
  // A link may lead to a device: reading that could take for ever.
  if (!stat.isFile() && !stat.isDirectory()) throw new Error('it is no file');
  try {
    return fs.readFileSync(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Which file or folder a name leads to now. */
export interface Identity {
  readonly dev: number;
  readonly ino: number;
}

export function isSame(left: Identity | undefined, right: Identity | undefined): boolean {
  return left !== undefined && left.ino === right?.ino && left.dev === right.dev;
}

/** Writes all of it, at the end or at a given place, and returns its length. */
export function writeAll(fs: FileSystem, fd: number, bytes: Buffer, place?: number): number {
  for (let done = 0; done < bytes.length; ) {
    done += fs.writeSync(fd, bytes, done, bytes.length - done, place === undefined ? null : place + done);
  }
  return bytes.length;
}

/** The fallback if `ask` throws: for questions to which a refusal is an answer too. */
export function orElse<T>(fallback: T, ask: () => T): T {
  try {
    return ask();
  } catch {
    return fallback;
  }
}

export function isDone(work: () => void): boolean {
  return orElse(false, () => {
    work();
    return true;
  });
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function inPool<T>(call: (done: (error: Error | null, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => call((error, value) => (error ? reject(error) : resolve(value))));
}

export function syncInPool(sync: (fd: number, done: (error: Error | null) => void) => void, fd: number): Promise<void> {
  return inPool((done) => sync(fd, (error) => done(error, undefined)));
}
