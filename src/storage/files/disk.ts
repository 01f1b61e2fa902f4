import { letGo } from './cleanup.js';
import type { FileSystem } from './file-system.js';

/**
 * A disk that took longer than this twice in a row is left to the pool: for one sync, and twice as many each time more.
 */
const QUICK_MS = 4;
const LONGEST_BREAK = 64;
/** For so long a process works in place before others have a turn. */
const IN_PLACE_MS = 4;

/**
 * Waits for the disk: in place while that is quick and no other writer in this process is at work, because the thread
 * pool costs as much as a good disk; otherwise through the pool, so that others can go on.
 *
 * Files of several writers are synced together, and the writers go on together: a file system that is writing its journal
 * makes every process that creates or renames a file wait, in place, and with it all of this process.
 */
export class Disk {
  /**
   * How many syncs the pool still does before one is tried in place. Their duration there says little about the disk.
   */
  #breakLeft = 0;
  #nextBreak = 0;
  /** Whether updates go through a journal of ours: its syncs do not delay files that are created and renamed. */
  hasJournal = false;
  #turnedAt = 0;
  #writers = 0;
  #waiting: (() => Promise<void>)[] = [];
  #round: Promise<void> | undefined;
  /** What waits for the next round: one sync is enough for all callers that want the same file synced. */
  readonly #shared = new Map<number, Promise<void>>();

  constructor(
    private readonly fs: FileSystem,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Counts a writer until the returned function is called. */
  addWriter(): () => void {
    this.#writers++;
    let isIn = true;
    return () => {
      if (isIn) this.#writers--;
      isIn = false;
    };
  }

  async syncContent(fd: number): Promise<void> {
    if (this.#isQuick) {
      await this.#letOthersHaveATurn();
      return this.#syncInPlace(() => this.fs.fdatasyncSync(fd));
    }
    const shared =
      this.#shared.get(fd) ??
      this.#syncWithOthers((done) => {
        // Later callers may have written what this sync does not see.
        this.#shared.delete(fd);
        this.fs.fdatasync(fd, done);
      });
    this.#shared.set(fd, shared);
    return shared;
  }

  async syncFolder(path: string): Promise<void> {
    const fd = this.fs.openSync(path, 'r');
    try {
      if (this.#isQuick) this.#syncInPlace(() => this.fs.fsyncSync(fd));
      else await this.#syncWithOthers((done) => this.fs.fsync(fd, done));
    } finally {
      letGo(this.fs, fd);
    }
  }

  /** Creates a file that is not there yet. */
  async create(path: string, mode: number): Promise<number> {
    if (this.#isUndisturbed) return this.fs.openSync(path, 'wx', mode);
    return new Promise((resolve, reject) =>
      this.fs.open(path, 'wx', mode, (error, fd) => (error ? reject(error) : resolve(fd))),
    );
  }

  async rename(from: string, to: string): Promise<void> {
    if (this.#isUndisturbed) return this.#renameInPlace(from, to);
    return new Promise((resolve, reject) => this.fs.rename(from, to, (error) => (error ? reject(error) : resolve())));
  }

  /** The file that is replaced is let go in the pool: what it held may still be on its way to the disk. */
  #renameInPlace(from: string, to: string): void {
    const replaced = this.#hold(to);
    try {
      this.fs.renameSync(from, to);
    } finally {
      if (replaced !== undefined) this.fs.close(replaced, () => {});
    }
  }

  #hold(path: string): number | undefined {
    try {
      return this.fs.openSync(path, 'r');
    } catch {
      return undefined; // It is not there, or may not be read: then it is replaced like any other.
    }
  }

  /** Resolves when nothing is being synced: the time to create and to rename files. */
  async calm(): Promise<void> {
    while (this.#round !== undefined && !this.hasJournal) await this.#round;
  }

  get #isUndisturbed(): boolean {
    return this.#writers <= 1 || this.hasJournal;
  }

  get #isQuick(): boolean {
    return this.#writers <= 1 && this.#breakLeft === 0;
  }

  /** Work that is all done in place would leave the event loop no turn, and work in the pool would never end. */
  async #letOthersHaveATurn(): Promise<void> {
    if (this.now() - this.#turnedAt < IN_PLACE_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#turnedAt = this.now();
  }

  #syncInPlace(sync: () => void): void {
    const started = this.now();
    sync();
    if (this.now() - started < QUICK_MS) {
      this.#nextBreak = 0;
    } else {
      this.#breakLeft = this.#nextBreak;
      this.#nextBreak = Math.min(2 * this.#nextBreak || 1, LONGEST_BREAK);
    }
  }

  async #syncWithOthers(inPool: (done: (error: Error | null) => void) => void): Promise<void> {
    let outcome: { readonly error: Error | null } | undefined;
    this.#waiting.push(
      () =>
        new Promise((resolve) => {
          inPool((error) => {
            outcome = { error };
            resolve();
          });
        }),
    );
    // The present round may have begun without this one.
    while (outcome === undefined) {
      this.#round ??= this.#syncWaiting();
      await this.#round;
    }
    if (outcome.error) throw outcome.error;
  }

  async #syncWaiting(): Promise<void> {
    // Callers that want the same in this turn of the event loop take part.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      await Promise.all(this.#waiting.splice(0).map((sync) => sync()));
    } finally {
      this.#breakLeft = Math.max(0, this.#breakLeft - 1);
      this.#round = undefined;
    }
  }
}
