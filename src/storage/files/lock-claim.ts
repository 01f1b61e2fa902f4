import { LockFile } from '../../protocol/lock-file.js';
import { parseWith } from '../../protocol/parse.js';
import { errorCode, type FileSystem, readIfThere, unlinkIfThere } from './file-system.js';
import { claimPath, makeToken, scratchPath } from './lock-names.js';
import { thisProcess } from './process-identity.js';

/** File systems that know no hard links answer with one of these. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** A lock's complete body in a private file, ready to be put in place: the lock never exists without its content. */
export class LockClaim {
  #token = makeToken();
  /** When its owner began to wait, by the clock that all processes share. */
  #since = Date.now();
  #file: string;
  readonly #path: string;
  #fd: number;
  #identity: string;

  constructor(
    private readonly fs: FileSystem,
    file: string,
    readonly agent: string,
  ) {
    this.#file = file;
    this.#path = claimPath(file, this.#token);
    this.#fd = fs.openSync(this.#path, 'wx', 0o644);
    try {
      this.refresh();
    } catch (error) {
      this.discard();
      throw error;
    }
    this.#identity = identityOf(fs.fstatSync(this.#fd, { bigint: true }));
  }

  get token(): string {
    return this.#token;
  }

  get since(): number {
    return this.#since;
  }

  /** Whether its private file is still there: whoever clears a folder clears everything. */
  get isReady(): boolean {
    return this.fs.fstatSync(this.#fd).nlink > 0;
  }

  /** Ready for another wait, as if it were new: nobody may take the lock that follows for the one before. */
  renewFor(file: string): void {
    this.#file = file;
    this.#token = makeToken();
    this.#since = Date.now();
    this.refresh();
  }

  /** Writes the present time. The body keeps its length, so a reader beside it sees an old or a new one, never half. */
  refresh(): void {
    const { pid, host, start } = thisProcess();
    const timestamp = new Date().toISOString();
    const body = JSON.stringify({
      pid,
      timestamp,
      agent: this.agent,
      token: this.#token,
      host,
      start,
      since: this.#since,
    });
    this.fs.writeSync(this.#fd, body, 0);
  }

  /** The file system's own idea of now: its clock and ours may differ where the folder is shared. */
  fileSystemTime(): number {
    this.refresh();
    return this.fs.fstatSync(this.#fd).mtimeMs;
  }

  /** Puts the claim at `target`; false when something is there already. */
  place(target: string): boolean {
    const outcome = this.#link(target);
    return outcome === 'impossible' ? this.#placeWithoutLink(target) : outcome === 'linked';
  }

  /** Puts the claim at the head of a line: where nobody is, or in place of somebody who came later. */
  showAt(line: string): boolean {
    // Where there are no hard links there is no line, and everybody is next.
    const outcome = this.#link(line);
    if (outcome !== 'taken') return true;
    const head = readLock(this.fs, line)?.body?.since;
    if (head !== undefined && head <= this.since) return false;
    const spare = scratchPath(this.#file, this.token);
    if (this.#link(spare) === 'linked') this.fs.renameSync(spare, line);
    return true;
  }

  isAt(target: string): boolean {
    const there = this.fs.statSync(target, { bigint: true, throwIfNoEntry: false });
    return there !== undefined && identityOf(there) === this.#identity;
  }

  discard(): void {
    try {
      unlinkIfThere(this.fs, this.#path);
    } finally {
      this.fs.closeSync(this.#fd);
    }
  }

  #link(target: string): 'linked' | 'taken' | 'impossible' {
    try {
      this.fs.linkSync(this.#path, target);
      return 'linked';
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EEXIST') return 'taken';
      if (code && NO_LINKS.has(code)) return 'impossible';
      throw error;
    }
  }

  /** Without hard links there is an instant in which the lock is empty; an empty lock counts as held. */
  #placeWithoutLink(target: string): boolean {
    let fd: number;
    try {
      fd = this.fs.openSync(target, 'wx', 0o644);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      throw error;
    }
    this.fs.closeSync(this.#fd);
    this.#fd = fd;
    this.refresh();
    this.#identity = identityOf(this.fs.fstatSync(fd, { bigint: true }));
    return true;
  }
}

/** What stands at a lock's place: who it is, how old, and its body where that is complete. */
export interface LockOnDisk {
  /** Changes whenever the lock changes hands. */
  readonly identity: string;
  readonly modifiedMs: number;
  readonly body: LockFile | undefined;
}

/** Reads a lock that may be our own, a literal participant's, half written or not JSON at all. */
export function readLock(fs: FileSystem, path: string): LockOnDisk | undefined {
  const stat = fs.statSync(path, { bigint: true, throwIfNoEntry: false });
  const text = stat && readIfThere(fs, path)?.toString('utf8');
  if (!stat || text === undefined) return undefined;
  const body = parseBody(text);
  const identity = body?.token ?? `${identityOf(stat)}-${stat.mtimeNs}`;
  return { identity, modifiedMs: Number(stat.mtimeMs), body };
}

function parseBody(text: string): LockFile | undefined {
  try {
    return parseWith(LockFile, JSON.parse(text), 'The lock');
  } catch {
    return undefined; // Half written or foreign: judged by its age.
  }
}

const identityOf = (stat: { dev: bigint; ino: bigint }): string => `${stat.dev.toString(36)}-${stat.ino.toString(36)}`;
