import type { FileSystem } from './file-system.js';

/** A disk that took longer than this the last time is not waited for in place. */
const QUICK_MS = 4;

/**
 * Waits for the disk: in place while that is quick and nobody else in this process writes, because a trip through the
 * thread pool costs as much as a good disk; through the pool otherwise, so that others can go on.
 *
 * What several writers want synced is synced together, and they go on together: a file system that is writing its journal
 * makes whoever creates or renames a file wait, in place, and with it all of this process.
 */
export class Disk {
  #lastMs = 0;
  #writers = 0;
  #waiting: (() => Promise<void>)[] = [];
  #round: Promise<void> | undefined;

  constructor(
    private readonly fs: FileSystem,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Counts whoever is about to write, until the returned function is called. */
  addWriter(): () => void {
    this.#writers++;
    return () => {
      this.#writers--;
    };
  }

  syncContent(fd: number): Promise<void> {
    return this.#sync(
      () => this.fs.fdatasyncSync(fd),
      (done) => this.fs.fdatasync(fd, done),
    );
  }

  async syncFolder(path: string): Promise<void> {
    const fd = this.fs.openSync(path, 'r');
    try {
      await this.#sync(
        () => this.fs.fsyncSync(fd),
        (done) => this.fs.fsync(fd, done),
      );
    } finally {
      this.fs.closeSync(fd);
    }
  }

  /** Creates a file that is not there yet. */
  async create(path: string, mode: number): Promise<number> {
    if (this.#writers <= 1) return this.fs.openSync(path, 'wx', mode);
    return new Promise((resolve, reject) =>
      this.fs.open(path, 'wx', mode, (error, fd) => (error ? reject(error) : resolve(fd))),
    );
  }

  async rename(from: string, to: string): Promise<void> {
    if (this.#writers <= 1) return this.fs.renameSync(from, to);
    return new Promise((resolve, reject) => this.fs.rename(from, to, (error) => (error ? reject(error) : resolve())));
  }

  /** Resolves when nothing is being synced: the time to create and to rename files. */
  async calm(): Promise<void> {
    while (this.#round !== undefined) await this.#round;
  }

  async #sync(inPlace: () => void, inPool: (done: (error: Error | null) => void) => void): Promise<void> {
    if (this.#writers > 1 || this.#lastMs >= QUICK_MS) return this.#syncWithOthers(inPool);
    const started = this.now();
    inPlace();
    this.#lastMs = this.now() - started;
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
    // The round under way may have begun without this one.
    while (outcome === undefined) {
      this.#round ??= this.#syncWaiting();
      await this.#round;
    }
    if (outcome.error) throw outcome.error;
  }

  async #syncWaiting(): Promise<void> {
    // Whoever is about to want the same in this turn of the event loop takes part.
    await new Promise((resolve) => setImmediate(resolve));
    const started = this.now();
    await Promise.all(this.#waiting.splice(0).map((sync) => sync()));
    this.#lastMs = this.now() - started;
    this.#round = undefined;
  }
}
