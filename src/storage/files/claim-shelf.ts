import { dirname } from 'node:path';
import { letGo, putAway } from './cleanup.js';
import { type FileSystem, unlinkIfThere } from './file-system.js';

/** The private file of a claim: see lock-claim.ts. */
export interface ClaimFile {
  readonly path: string;
  readonly fd: number;
  readonly identity: string;
}

/**
 * The private files of released locks, for the next locks of a process that writes all the time: a new file is the
 * dearest part of a lock where many were just removed. A file serves one lock at a time. The shelf is open while the
 * process has a journal, and leaves nothing behind when it is closed.
 */
export class ClaimShelf {
  readonly #files = new Map<string, ClaimFile[]>();
  #isOpen = false;

  constructor(private readonly fs: FileSystem) {}

  open(): void {
    this.#isOpen = true;
  }

  close(): void {
    this.#isOpen = false;
    for (const { path, fd } of [...this.#files.values()].flat()) {
      putAway(() => unlinkIfThere(this.fs, path));
      letGo(this.fs, fd);
    }
    this.#files.clear();
  }

  /** Undefined if there is none, or none that is still where it was: its folder may have been replaced. */
  take(file: string, agent: string): ClaimFile | undefined {
    const claim = this.#files.get(keyOf(file, agent))?.pop();
    if (claim === undefined || isInPlace(this.fs, claim)) return claim;
    letGo(this.fs, claim.fd);
    return undefined;
  }

  /** False if it is not wanted here. */
  put(file: string, agent: string, claim: ClaimFile): boolean {
    if (!this.#isOpen) return false;
    const key = keyOf(file, agent);
    const others = this.#files.get(key);
    if (others === undefined) this.#files.set(key, [claim]);
    else others.push(claim);
    return true;
  }
}

/** Bodies that are overwritten have one length, so that those of agents with other names are kept apart. */
function keyOf(file: string, agent: string): string {
  return `${dirname(file)} ${agent}`;
}

function isInPlace(fs: FileSystem, { path, identity }: ClaimFile): boolean {
  try {
    return identityAt(fs, path) === identity;
  } catch {
    return false; // Making a new one reports the error.
  }
}

/** Which file a name leads to; undefined if there is none. */
export function identityAt(fs: FileSystem, path: string): string | undefined {
  const present = fs.statSync(path, { bigint: true, throwIfNoEntry: false });
  return present && identityOf(present);
}

export const identityOf = (stat: { dev: bigint; ino: bigint }): string =>
  `${stat.dev.toString(36)}-${stat.ino.toString(36)}`;
