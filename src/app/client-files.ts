import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fdatasyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { makeFolder } from '../agents/make-folder.js';
import { AgentXError } from '../protocol/errors.js';
import { errorCode, realFileSystem, unlinkIfThere } from '../storage/files/file-system.js';
import { makeToken, scratchPath } from '../storage/files/lock-names.js';

/** More than any client's settings hold; a larger file is no such file. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface ClientFileRequest {
  readonly path: string;
  /** The folder that the file must not leave through links: a cloned repository must not reach the user's own files. */
  readonly within?: string | undefined;
}

/** The text of a file that belongs to another program; undefined if there is none. INVALID_INPUT if it is no text. */
export function readClientFile(request: ClientFileRequest): string | undefined {
  const { path } = request;
  const realPath = realPlace(request);
  const stats = statSync(realPath, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw refused(path, 'is no file');
  if (stats.size > MAX_BYTES) throw refused(path, `has more than ${MAX_BYTES} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(realPath));
  } catch (error) {
    if (error instanceof TypeError) throw refused(path, 'is no UTF-8 text');
    throw error;
  }
}

export interface ClientFileChange extends ClientFileRequest {
  /** What the file held when the change was made up; undefined for a new file. */
  readonly before: string | undefined;
  /** Undefined removes the file. */
  readonly after: string | undefined;
  /** A new file is for its owner alone. */
  readonly isPrivate?: boolean | undefined;
}

/**
 * Replaces files whole, each in one step. They keep their modes, and a link stays a link. If one of them cannot be
 * written, or another program has changed it since it was read (CONFLICT), all of them stay as they are.
 */
export function replaceClientFiles(changes: readonly ClientFileChange[]): void {
  const preparedFiles: Prepared[] = [];
  try {
    for (const change of changes) preparedFiles.push(prepare(change));
  } catch (error) {
    for (const { scratch } of preparedFiles) if (scratch !== undefined) unlinkIfThere(realFileSystem, scratch);
    throw error;
  }
  for (const one of preparedFiles) complete(one);
}

interface Prepared {
  readonly path: string;
  readonly real: string;
  /** The new text beside the file; undefined if the file is to be removed. */
  readonly scratch: string | undefined;
}

function prepare(change: ClientFileChange): Prepared {
  const { path, before, after, isPrivate = false } = change;
  const realPath = realPlace(change);
  if (readClientFile(change) !== before) {
    throw new AgentXError(
      'CONFLICT',
      `${path} was changed by another program just now. Nothing was written; try again.`,
      {
        path,
      },
    );
  }
  if (before !== undefined) for (const place of [realPath, dirname(realPath)]) requireWritable(path, place);
  if (after === undefined) return { path, real: realPath, scratch: undefined };
  makeFolder(dirname(realPath));
  const mode = statSync(realPath, { throwIfNoEntry: false })?.mode ?? (isPrivate ? 0o600 : 0o666);
  const scratch = scratchPath(realPath, makeToken());
  try {
    writeDurably(scratch, after, mode & 0o777);
    if (before !== undefined) chmodSync(scratch, mode & 0o7777);
  } catch (error) {
    unlinkIfThere(realFileSystem, scratch);
    throw error;
  }
  return { path, real: realPath, scratch };
}

function complete({ path, real, scratch }: Prepared): void {
  if (scratch !== undefined) {
    renameSync(scratch, real);
    return;
  }
  unlinkSync(real);
  // A link that leads to nothing is of no use to its program.
  unlinkIfThere(realFileSystem, path);
}

function writeDurably(path: string, text: string, mode: number): void {
  const fd = openSync(path, 'wx', mode);
  try {
    writeFileSync(fd, text);
    fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Where the file really is: the end of its links, which need not exist yet. */
function realPlace({ path, within }: ClientFileRequest): string {
  const realPath = followLinks(path);
  if (within === undefined) return realPath;
  const folder = realpathSync(within);
  if (realPath === folder || realPath.startsWith(folder + sep)) return realPath;
  throw refused(path, `is a link that leads out of ${within}, to ${realPath}. Replace the link, or use --scope user`);
}

/** The same, to compare files by: a link that cannot be followed is a file of its own. */
export function realClientPath(path: string): string {
  try {
    return followLinks(path);
  } catch {
    return path;
  }
}

const MAX_LINKS = 40;

function followLinks(path: string, linksLeft = MAX_LINKS): string {
  if (linksLeft === 0) throw refused(path, 'is a link that leads in a circle');
  const place = join(realFolder(dirname(path), linksLeft), basename(path));
  if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return place;
  return followLinks(resolve(dirname(place), readlinkSync(place)), linksLeft - 1);
}

/** The same for a folder; folders that do not exist yet will be made there. */
function realFolder(folder: string, linksLeft: number): string {
  if (folder === dirname(folder)) return folder;
  try {
    return realpathSync(folder);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    return followLinks(folder, linksLeft - 1);
  }
}

function requireWritable(path: string, place: string): void {
  try {
    accessSync(place, constants.W_OK);
  } catch {
    const what = place === path ? 'may not' : `cannot be changed: ${place} may not`;
    throw refused(path, `${what} be written by you. Nothing was written`);
  }
}

function refused(path: string, problem: string): AgentXError {
  return new AgentXError('INVALID_INPUT', `${path} ${problem}.`, { path });
}
