import type { FileSystem } from './file-system.js';

/** A disk that took longer than this the last time is not waited for in place. */
const QUICK_MS = 4;

/**
 * Waits for the disk: in place while that is quick and nobody else in this process writes, because a trip through the
 * thread pool costs as much as a good disk; through the pool otherwise, so that others can go on.
 */
export class Disk {
  #lastMs = 0;
  #writers = 0;

  constructor(private readonly fs: FileSystem) {}

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

  async #sync(inPlace: () => void, inPool: (done: (error: Error | null) => void) => void): Promise<void> {
    const started = performance.now();
    if (this.#writers <= 1 && this.#lastMs < QUICK_MS) inPlace();
    else {
      await new Promise<void>((resolve, reject) => inPool((error) => (error ? reject(error) : resolve())));
    }
    this.#lastMs = performance.now() - started;
  }
}
