import { type FileHandle, lstat, mkdir, open, readFile, realpath, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { Artifact } from '../protocol/brief.js';
import { AgentXError } from '../protocol/errors.js';
import { errorCode, realFileSystem } from '../storage/files/file-system.js';
import { sweepLitter } from '../storage/files/litter.js';
import { makeToken, scratchPath } from '../storage/files/lock-names.js';
import { asStoreError } from '../storage/files/store-error.js';

export const MAX_WRITTEN_BYTES = 1024 * 1024;

export interface ArtifactWriterOptions {
  readonly repository: string;
  /** Where the next content is prepared, out of everybody's sight; what a dead process left there is removed. */
  readonly scratch?: string;
}

/** Writes what an agent wants written below a repository, and nowhere else. */
export class ArtifactWriter {
  #isPrepared = false;

  constructor(private readonly options: ArtifactWriterOptions) {}

  async write({ path, content }: Pick<Artifact, 'path' | 'content'>): Promise<string> {
    if (Buffer.byteLength(content) > MAX_WRITTEN_BYTES) throw refused(path, 'is larger than 1 MiB', 'up to 1 MiB');
    try {
      const root = await realpath(this.options.repository);
      const place = await placeOf(root, path);
      if (!(await hasContent(place, content))) await this.#replace(place, content);
      return relative(root, place).split(sep).join('/');
    } catch (error) {
      if (AGENTS_FAULT.has(errorCode(error) ?? '')) throw refused(path, `cannot be written (${errorCode(error)})`);
      throw asStoreError('write', path, error);
    }
  }

  async #replace(place: string, content: string): Promise<void> {
    const scratch = await this.#writeScratch(place, content);
    try {
      await rename(scratch, place);
    } catch (error) {
      await unlink(scratch);
      throw error;
    }
    await syncFolder(dirname(place));
  }

  async #writeScratch(place: string, content: string): Promise<string> {
    const { repository, scratch: folder = join(repository, '.agentx', 'state', 'scratch') } = this.options;
    if (!this.#isPrepared) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      sweepLitter(realFileSystem, folder);
      this.#isPrepared = true;
    }
    const scratch = scratchPath(join(folder, basename(place).slice(0, 80)), makeToken());
    const mode = await modeOf(place);
    const file = await open(scratch, 'wx', mode ?? 0o666);
    try {
      if (mode !== undefined) await file.chmod(mode);
      await file.writeFile(content);
      await file.datasync();
    } finally {
      await file.close();
    }
    return scratch;
  }
}

/** What the agent could have avoided; the rest is for whoever owns the disk. */
const AGENTS_FAULT = new Set(['ENOTDIR', 'EISDIR', 'EEXIST', 'ELOOP', 'ENAMETOOLONG', 'EACCES', 'EPERM', 'ENOTEMPTY']);

/** Where a path leads once every link is followed, its folders made. */
async function placeOf(root: string, path: string): Promise<string> {
  if (path.trim() === '' || path.includes('\0')) throw refused(path, 'is no path');
  const wanted = resolve(root, path);
  requireAllowed(root, wanted, path);
  const folder = dirname(wanted);
  requireAllowed(root, join(await realFolder(folder, path), 'x'), path);
  await mkdir(folder, { recursive: true });
  const place = join(await realpath(folder), basename(wanted));
  requireAllowed(root, place, path);
  const real = await realFile(place, path);
  requireAllowed(root, real, path);
  return real;
}

/** The nearest folder above that exists, without links, and what is still to be made below it. */
async function realFolder(folder: string, path: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    await requireNoLink(folder, path);
    return join(await realFolder(dirname(folder), path), basename(folder));
  }
}

async function realFile(place: string, path: string): Promise<string> {
  try {
    return await realpath(place);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    await requireNoLink(place, path);
    return place;
  }
}

/** A link that leads nowhere is not followed: what would be made there was never looked at. */
async function requireNoLink(place: string, path: string): Promise<void> {
  const found = await lstat(place).catch(() => undefined);
  if (found?.isSymbolicLink()) throw refused(path, 'goes through a link that leads nowhere');
}

function requireAllowed(root: string, place: string, path: string): void {
  const inside = relative(root, place);
  // File systems that ignore case would open .GIT as .git.
  const parts = inside.toLowerCase().split(sep);
  if (inside === '' || parts.includes('..') || resolve(inside) === inside) {
    throw refused(path, 'is outside the repository');
  }
  const closed = parts.find((part) => part === '.git' || part === '.agentx');
  if (closed !== undefined) throw refused(path, `is in ${closed}`);
}

async function hasContent(place: string, content: string): Promise<boolean> {
  try {
    const found = await lstat(place);
    // Reading a pipe would wait for its writer.
    if (!found.isFile() || found.size !== Buffer.byteLength(content)) return false;
    return (await readFile(place, 'utf8')) === content;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

async function modeOf(place: string): Promise<number | undefined> {
  try {
    return (await lstat(place)).mode & 0o777;
  } catch {
    return undefined;
  }
}

async function syncFolder(folder: string): Promise<void> {
  let file: FileHandle | undefined;
  try {
    file = await open(folder, 'r');
    await file.sync();
  } finally {
    await file?.close();
  }
}

function refused(path: string, problem: string, allowed = 'files of the repository, outside .git and .agentx') {
  const shown = path.length > 200 ? `${path.slice(0, 200)}...` : path;
  return new AgentXError('INVALID_INPUT', `The artifact '${shown}' ${problem}. Allowed: ${allowed}.`, { path: shown });
}
