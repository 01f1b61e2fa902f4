import { LockFile } from '../../protocol/lock-file.js';
import { parseWith } from '../../protocol/parse.js';
import { letGo, putAway } from './cleanup.js';
import { errorCode, type FileSystem, orElse, readIfThere, unlinkIfThere } from './file-system.js';
import { claimPath, makeToken, scratchPath } from './lock-names.js';
import { isRunning, thisProcess } from './process-identity.js';

/** File systems without hard links answer with one of these. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * A lock's complete body in a private file, ready to be put in place: the lock never exists without its content. It
 * knows every place that it was put at, so that it leaves none of them behind, whatever fails in between.
 */
export class LockClaim {
  readonly token = makeToken();
  /** When its owner began to wait, by the clock that all processes share. */
  readonly since = Date.now();
  readonly #path: string;
  readonly #places = new Set<string>();
  #fd: number;
  #identity: string;
  /** Whether it was at a place and is not there any more. */
  #isMissed = false;

  constructor(
    private readonly fs: FileSystem,
    private readonly file: string,
    private readonly agent: string,
  ) {
    this.#path = claimPath(file, this.token);
    this.#fd = fs.openSync(this.#path, 'wx', 0o644);
    this.#identity = '';
    try {
      this.refresh();
      this.#identity = identityOf(fs.fstatSync(this.#fd, BIGINT));
    } catch (error) {
      this.withdraw();
      throw error;
    }
  }

  /** Writes the present time. The body keeps its length, so a reader beside it sees an old or a new one, never half. */
  refresh(more: Pick<LockFile, 'left'> = {}): void {
    const { pid, host, start } = thisProcess();
    const { agent, token, since } = this;
    const timestamp = new Date().toISOString();
    this.fs.writeSync(this.#fd, JSON.stringify({ pid, timestamp, agent, token, host, start, since, ...more }), 0);
  }

  /** The file system's own idea of now: its clock and ours may differ if the folder is shared. */
  fileSystemTime(): number {
    this.refresh();
    return this.fs.fstatSync(this.#fd).mtimeMs;
  }

  /** Puts the claim at `target`; false if something is there already. */
  place(target: string): boolean {
    const outcome = this.#link(target);
    return outcome === 'impossible' ? this.#placeWithoutLink(target) : outcome === 'linked';
  }

  /** Replaces what is at `target` by the claim. False if the file at `ready` was not this claim. */
  replace(target: string, ready: string): boolean {
    this.#places.add(target);
    this.fs.renameSync(ready, target);
    this.#places.delete(ready);
    return this.isAt(target);
  }

  /** Puts the claim at the head of a line: if it is empty, or in place of a process that came later. */
  showAt(line: string): boolean {
    // Without hard links there is no line, and every process is next.
    const outcome = this.#link(line);
    if (outcome !== 'taken') return true;
    const head = readLock(this.fs, line)?.body?.since;
    if (head !== undefined && head <= this.since) return false;
    const ready = scratchPath(this.file, this.token);
    return this.#link(ready) !== 'linked' || this.replace(line, ready);
  }

  isAt(target: string): boolean {
    const fileThere = this.fs.statSync(target, { bigint: true, throwIfNoEntry: false });
    return fileThere !== undefined && identityOf(fileThere) === this.#identity;
  }

  leave(place: string): void {
    putAway(() => this.#removeFrom(place));
  }

  /** Leaves every place. The file stays open until then: no other can have its identity meanwhile. */
  withdraw(): void {
    putAway(() => {
      for (const place of this.#places) this.#removeFrom(place);
      unlinkIfThere(this.fs, this.#path);
      // A folder that was moved away took the claim along. When it is back, no process may wait for this one.
      if (this.#isMissed && this.fs.fstatSync(this.#fd).nlink > 0) this.refresh({ left: true });
      letGo(this.fs, this.#fd);
    });
  }

  #removeFrom(place: string): void {
    if (!this.#places.has(place)) return;
    if (this.isAt(place)) unlinkIfThere(this.fs, place);
    else this.#isMissed = true;
    this.#places.delete(place);
  }

  #link(target: string): 'linked' | 'taken' | 'impossible' {
    // Noted before it is there: a call may fail after it has done its work.
    this.#places.add(target);
    try {
      this.fs.linkSync(this.#path, target);
      return 'linked';
    } catch (error) {
      const code = errorCode(error);
      if (code !== 'EEXIST' && !(code && NO_LINKS.has(code))) throw error;
      this.#places.delete(target);
      return code === 'EEXIST' ? 'taken' : 'impossible';
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
    // Noted before it is examined: if that fails, it must not stay there as a lock that a process seems to hold.
    this.#places.add(target);
    letGo(this.fs, this.#fd);
    this.#fd = fd;
    this.#identity = identityOf(this.fs.fstatSync(fd, BIGINT));
    this.refresh();
    return true;
  }
}

const BIGINT = { bigint: true } as const;

/** The file at a lock's place: its identity, its age, and its body if that is complete. */
export interface LockOnDisk {
  /** Changes whenever the lock changes hands. */
  readonly identity: string;
  readonly modifiedMs: number;
  readonly body: LockFile | undefined;
}

/** Reads a lock that may be our own, a literal participant's, half written or not JSON at all. */
export function readLock(fs: FileSystem, path: string): LockOnDisk | undefined {
  const stat = fs.statSync(path, { bigint: true, throwIfNoEntry: false });
  const text = stat && readIfThere(fs, path, stat)?.toString('utf8');
  if (!stat || text === undefined) return undefined;
  // Without one, because it is half written or foreign, the lock is judged by its age.
  const body = orElse(undefined, () => parseWith(LockFile, JSON.parse(text), 'The lock'));
  const identity = body?.token ?? `${identityOf(stat)}-${stat.mtimeNs}`;
  return { identity, modifiedMs: Number(stat.mtimeMs), body };
}

/**
 * Whether the holder runs, if its process can be seen from here: not on another machine, nor from before a restart. One
 * that let go is dead to its lock.
 */
export function holderOf({ body }: LockOnDisk): 'alive' | 'dead' | 'unknown' {
  if (body?.token === undefined) return 'unknown';
  if (body.left === true) return 'dead';
  if (body.host !== thisProcess().host) return 'unknown';
  return isRunning(body) ? 'alive' : 'dead';
}

const identityOf = (stat: { dev: bigint; ino: bigint }): string => `${stat.dev.toString(36)}-${stat.ino.toString(36)}`;
