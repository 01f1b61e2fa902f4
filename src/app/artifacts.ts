import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, normalize, relative, resolve, sep } from 'node:path';
import type { ChangeableArtifacts, WritableArtifacts } from '../ports/artifacts.js';
import type { Artifact } from '../protocol/brief.js';
import { AgentXError } from '../protocol/errors.js';
import { shorten } from '../protocol/shorten.js';
import { Disk } from '../storage/files/disk.js';
import { errorCode, makeInside, realFileSystem } from '../storage/files/file-system.js';
import { sweepLitter } from '../storage/files/litter.js';
import { makeToken, scratchPath } from '../storage/files/lock-names.js';
import { asStoreError } from '../storage/files/store-error.js';
import { isPublic } from './public-path.js';

export const MAX_ARTIFACT_BYTES = 64 * 1024;

export interface ArtifactsOptions extends Pick<ArtifactWriterOptions, 'scratch'> {
  /** The folder in which an issue is worked on. */
  readonly placeOf: (issueNumber: number) => Promise<string>;
}

/**
 * Reads what agents wrote below a repository. Files that are missing, outside or private are left out, and so is what
 * is no file. Every brief needs them, so they are read synchronously, which takes a tenth of the time of the thread
 * pool.
 */
export function openArtifacts({ placeOf, ...options }: ArtifactsOptions): WritableArtifacts & ChangeableArtifacts {
  const writers = new Map<string, ArtifactWriter>();
  const writerFor = async (issueNumber: number): Promise<ArtifactWriter> => {
    const repository = await placeOf(issueNumber);
    const writer = writers.get(repository) ?? new ArtifactWriter({ ...options, repository });
    writers.set(repository, writer);
    return writer;
  };
  return {
    write: async (artifact, issueNumber) => (await writerFor(issueNumber)).write(artifact),
    change: async (path, issueNumber, change) => (await writerFor(issueNumber)).change(path, change),
    async read(paths, issueNumber) {
      const repository = await placeOf(issueNumber);
      const root = realpathSync.native(repository);
      return paths.flatMap((asked) => {
        const path = fromRepository([repository, root], asked);
        const content = readInside(root, path);
        return content === undefined ? [] : [{ path, content }];
      });
    },
  };
}

/** People paste whole paths. */
function fromRepository(names: readonly string[], path: string): string {
  const name = names.find((folder) => path.startsWith(folder + sep));
  return name === undefined ? path : relative(name, path).split(sep).join('/');
}

function readInside(root: string, path: string): string | undefined {
  if (path.includes('\0') || !isPublic(normalize(path))) return undefined;
  try {
    // All links are followed first, those of parents too; the place they lead to counts.
    const realPath = realpathSync.native(join(root, path));
    if (!isPublic(relative(root, realPath))) return undefined;
    // O_NOFOLLOW: a link that was put there meanwhile is not followed. O_NONBLOCK: a pipe without a writer does not
    // block us.
    const fd = openSync(realPath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return readStart(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (UNREADABLE.has(errorCode(error) ?? '')) return undefined;
    throw asStoreError('read', path, error);
  }
}

const UNREADABLE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM', 'ENAMETOOLONG', 'EISDIR', 'ENXIO']);

function readStart(fd: number): string | undefined {
  const stats = fstatSync(fd);
  if (!stats.isFile()) return undefined;
  const buffer = Buffer.alloc(Math.min(stats.size, MAX_ARTIFACT_BYTES));
  const bytesRead = readSync(fd, buffer, { position: 0 });
  const isCut = stats.size > bytesRead;
  // A character that the cut went through is left out whole.
  const content = new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: isCut });
  return isCut ? `${content}\n[cut: the first ${MAX_ARTIFACT_BYTES / 1024} KiB of ${stats.size} bytes]` : content;
}

export const MAX_WRITTEN_BYTES = 1024 * 1024;

export interface ArtifactWriterOptions {
  readonly repository: string;
  /** Where the next content is prepared, out of sight; leftovers of dead processes are removed. */
  readonly scratch?: string;
}

/**
 * Writes what an agent wants written below a repository, and nowhere else. A dozen checks of the path come before a
 * write: synchronously they take microseconds, and no code of this process runs in between.
 */
export class ArtifactWriter {
  readonly #disk = new Disk(realFileSystem);
  #isPrepared = false;

  constructor(private readonly options: ArtifactWriterOptions) {}

  write(artifact: Pick<Artifact, 'path' | 'content'>): Promise<string> {
    return this.#write(artifact, () => {});
  }

  /** `beforeReplacing` may throw what its caller catches. */
  async #write({ path, content }: Pick<Artifact, 'path' | 'content'>, beforeReplacing: () => void): Promise<string> {
    if (Buffer.byteLength(content) > MAX_WRITTEN_BYTES) throw refused(path, 'is larger than 1 MiB', 'up to 1 MiB');
    try {
      const root = realpathSync.native(this.options.repository);
      const place = placeOf(root, path);
      if (!hasContent(place, content)) await this.#replace(place, content, beforeReplacing);
      return relative(root, place).split(sep).join('/');
    } catch (error) {
      if (AGENTS_FAULT.has(errorCode(error) ?? '')) throw refused(path, `cannot be written (${errorCode(error)})`);
      throw error instanceof SavedMeanwhile ? error : asStoreError('write', path, error);
    }
  }

  /** Of a whole text file, up to what may be written. A file that a person saves meanwhile is changed as saved. */
  async change(path: string, change: (content: string | undefined) => string | undefined): Promise<void> {
    const textBefore = this.#wholeText(path);
    const next = change(textBefore);
    if (next === undefined) return;
    try {
      await this.#write({ path, content: next }, () => {
        if (this.#wholeText(path) !== textBefore) throw new SavedMeanwhile();
      });
    } catch (error) {
      if (!(error instanceof SavedMeanwhile)) throw error;
      await this.change(path, change);
    }
  }

  #wholeText(path: string): string | undefined {
    try {
      const place = existingPlaceOf(realpathSync.native(this.options.repository), path);
      const stat = place === undefined ? undefined : lstatSync(place, { throwIfNoEntry: false });
      if (place === undefined || stat === undefined) return undefined;
      if (!stat.isFile()) throw refused(path, 'is no file');
      if (stat.size > MAX_WRITTEN_BYTES) throw refused(path, 'is larger than 1 MiB', 'up to 1 MiB');
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(place));
    } catch (error) {
      if (error instanceof TypeError) throw refused(path, 'is no text in UTF-8', 'text');
      if (AGENTS_FAULT.has(errorCode(error) ?? '')) throw refused(path, `cannot be read (${errorCode(error)})`);
      throw asStoreError('read', path, error);
    }
  }

  async #replace(place: string, content: string, beforeReplacing: () => void): Promise<void> {
    const scratch = await this.#writeScratch(place, content);
    try {
      beforeReplacing();
      renameSync(scratch, place);
    } catch (error) {
      unlinkSync(scratch);
      throw error;
    }
    await this.#disk.syncFolder(dirname(place));
  }

  async #writeScratch(place: string, content: string): Promise<string> {
    const { repository, scratch: folder = join(repository, '.agentx', 'state', 'scratch') } = this.options;
    if (!this.#isPrepared) {
      makeInside(realFileSystem, join(folder, '../..'), folder);
      sweepLitter(realFileSystem, folder);
      this.#isPrepared = true;
    }
    const scratch = scratchPath(join(folder, basename(place).slice(0, 80)), makeToken());
    const mode = modeOf(place);
    const fd = openSync(scratch, 'wx', mode ?? 0o666);
    try {
      if (mode !== undefined) fchmodSync(fd, mode);
      writeFileSync(fd, content);
      await this.#disk.syncContent(fd);
    } finally {
      closeSync(fd);
    }
    return scratch;
  }
}

class SavedMeanwhile extends Error {}

/** What the agent could have avoided; other errors are for the owner of the disk. */
const AGENTS_FAULT = new Set(['ENOTDIR', 'EISDIR', 'EEXIST', 'ELOOP', 'ENAMETOOLONG', 'EACCES', 'EPERM', 'ENOTEMPTY']);

/** Where a path leads once every link is followed, its folders made. */
function placeOf(root: string, path: string): string {
  if (path.trim() === '' || path.includes('\0')) throw refused(path, 'is no path');
  const absolutePath = resolve(root, path);
  requireAllowed(root, absolutePath, path);
  const folder = dirname(absolutePath);
  requireAllowed(root, join(realFolder(folder, path), 'x'), path);
  mkdirSync(folder, { recursive: true });
  const place = join(realpathSync.native(folder), basename(absolutePath));
  requireAllowed(root, place, path);
  const realPath = realFile(place, path);
  requireAllowed(root, realPath, path);
  return realPath;
}

/** The same for reading: undefined if there is nothing, and no folder is made. */
function existingPlaceOf(root: string, path: string): string | undefined {
  if (path.trim() === '' || path.includes('\0')) throw refused(path, 'is no path');
  const absolutePath = resolve(root, path);
  requireAllowed(root, absolutePath, path);
  const realPath = join(realFolder(dirname(absolutePath), path), basename(absolutePath));
  requireAllowed(root, realPath, path);
  if (lstatSync(realPath, { throwIfNoEntry: false }) === undefined) return undefined;
  const place = realFile(realPath, path);
  requireAllowed(root, place, path);
  return place;
}

/** The nearest existing folder above, without links, and what is still to be made below it. */
function realFolder(folder: string, path: string): string {
  try {
    return realpathSync.native(folder);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    requireNoLink(folder, path);
    return join(realFolder(dirname(folder), path), basename(folder));
  }
}

function realFile(place: string, path: string): string {
  try {
    return realpathSync.native(place);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    requireNoLink(place, path);
    return place;
  }
}

/** A link that leads nowhere is not followed: its target was never checked. */
function requireNoLink(place: string, path: string): void {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) throw refused(path, 'goes through a link that leads nowhere');
}

function requireAllowed(root: string, place: string, path: string): void {
  const inside = relative(root, place);
  // File systems that ignore case would open .GIT as .git.
  const parts = inside.toLowerCase().split(sep);
  if (inside === '' || parts.includes('..') || resolve(inside) === inside) {
    throw refused(path, 'is outside the repository');
  }
  const closedFolder = parts.find((part) => part === '.git' || part === '.agentx');
  if (closedFolder !== undefined) throw refused(path, `is in ${closedFolder}`);
}

function hasContent(place: string, content: string): boolean {
  try {
    const stats = lstatSync(place);
    // Reading a pipe would wait for its writer.
    if (!stats.isFile() || stats.size !== Buffer.byteLength(content)) return false;
    return readFileSync(place, 'utf8') === content;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function modeOf(place: string): number | undefined {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  return stats && stats.mode & 0o777;
}

function refused(path: string, problem: string, allowed = 'files of the repository, outside .git and .agentx') {
  const shownPath = shorten(path, 200);
  return new AgentXError('INVALID_INPUT', `The artifact '${shownPath}' ${problem}. Allowed: ${allowed}.`, {
    path: shownPath,
  });
}
