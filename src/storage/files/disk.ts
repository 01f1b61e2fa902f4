import { letGo } from './cleanup.js';
import { type FileSystem, orElse, syncInPool } from './file-system.js';

/** A disk that took longer than this in place is left to the pool for so many times as long. */
const QUICK_MS = 4;
const BREAK = 50;
/** For so long a process works in place before others have a turn. */
const IN_PLACE_MS = 4;

/**
 * Waits for the disk: in place while that is quick and no other writer in this process is at work, because the thread
 * pool costs as much as a good disk; otherwise through the pool, so that others can go on.
 */
export class Disk {
  /** Until then no sync is tried in place: how long one takes in the pool says little about the disk. */
  #inPoolUntil = 0;
  #turnedAt = 0;
  #writers = 0;
  /** By file descriptor or folder: the sync in the pool that was asked for last, and the one that has not begun yet. */
  readonly #last = new Map<number | string, Promise<void>>();
  readonly #next = new Map<number | string, Promise<void>>();

  constructor(
    private readonly fs: FileSystem,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Counts a writer until the returned function is called. */
  addWriter(): () => void {
    this.#writers++;
    return () => {
      this.#writers--;
    };
  }

  async syncContent(fd: number): Promise<void> {
    if (!this.#isQuick) return this.#share(fd, () => syncInPool(this.fs.fdatasync, fd));
    await this.#letOthersHaveATurn();
    this.#syncInPlace(() => this.fs.fdatasyncSync(fd));
  }

  async syncFolder(path: string): Promise<void> {
    if (this.#isQuick) return this.#open(path, async (fd) => this.#syncInPlace(() => this.fs.fsyncSync(fd)));
    // Opened when the sync begins: by then the name may lead to another folder, in which the last of the callers wrote.
    return this.#share(path, () => this.#open(path, (fd) => syncInPool(this.fs.fsync, fd)));
  }

  /** The file that is replaced is let go in the pool: what it held may still be on its way to the disk. */
  rename(from: string, to: string): void {
    // One that is not there, or may not be read, is replaced like any other.
    const replaced = orElse(undefined, () => this.fs.openSync(to, 'r'));
    try {
      this.fs.renameSync(from, to);
    } finally {
      if (replaced !== undefined) this.fs.close(replaced, () => {});
    }
  }

  async #open(folder: string, sync: (fd: number) => Promise<void>): Promise<void> {
    const fd = this.fs.openSync(folder, 'r');
    try {
      await sync(fd);
    } finally {
      letGo(this.fs, fd);
    }
  }

  get #isQuick(): boolean {
    return this.#writers <= 1 && this.now() >= this.#inPoolUntil;
  }

  /** Work that is all done in place would leave the event loop no turn, and work in the pool would never end. */
  async #letOthersHaveATurn(): Promise<void> {
    if (this.now() - this.#turnedAt < IN_PLACE_MS) return;
    await nextTurn();
    this.#turnedAt = this.now();
  }

  #syncInPlace(sync: () => void): void {
    const started = this.now();
    sync();
    const tookMs = this.now() - started;
    if (tookMs > QUICK_MS) this.#inPoolUntil = this.now() + tookMs * BREAK;
  }

  /** One sync for all callers that come before it begins: it is to bring to the disk what each of them has written. */
  #share(key: number | string, sync: () => Promise<void>): Promise<void> {
    const nextSync = this.#next.get(key);
    if (nextSync !== undefined) return nextSync;
    const next = this.#syncAfter(this.#last.get(key), key, sync);
    this.#next.set(key, next);
    this.#last.set(key, next);
    return next;
  }

  async #syncAfter(before: Promise<void> | undefined, key: number | string, sync: () => Promise<void>): Promise<void> {
    // Callers in this turn of the event loop take part.
    await Promise.allSettled([before, nextTurn()]);
    const last = this.#next.get(key);
    this.#next.delete(key);
    try {
      await sync();
    } finally {
      if (this.#last.get(key) === last) this.#last.delete(key);
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
