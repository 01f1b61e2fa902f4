import { dirname } from 'node:path';
import { letGo } from './cleanup.js';
import { errorCode, type FileSystem, orElse, syncInPool } from './file-system.js';

interface Sync {
  hasBegun: boolean;
  done: Promise<void>;
}

/** Waits for the disk in the thread pool, so that others can go on. */
export class Disk {
  /** By file descriptor or folder: the sync that was asked for last, until it has ended. */
  readonly #syncs = new Map<number | string, Sync>();

  constructor(private readonly fs: FileSystem) {}

  syncContent(fd: number): Promise<void> {
    return this.#share(fd, () => syncInPool(this.fs.fdatasync, fd));
  }

  syncFolder(path: string): Promise<void> {
    return this.#share(path, async () => {
      // Opened when the sync begins: by then the name may lead to another folder, in which the last of the callers wrote.
      const fd = this.fs.openSync(path, 'r');
      try {
        await syncInPool(this.fs.fsync, fd);
      } finally {
        letGo(this.fs, fd);
      }
    });
  }

  /** The file that is replaced is let go in the pool: what it held may still be on its way to the disk. */
  rename(from: string, to: string): void {
    // One that is not there, or may not be read, is replaced like any other.
    const oldFile = orElse(undefined, () => this.fs.openSync(to, 'r'));
    try {
      this.fs.renameSync(from, to);
    } finally {
      if (oldFile !== undefined) this.fs.close(oldFile, () => {});
    }
  }

  /** One sync for all callers that come before it begins: it is to bring to the disk what each of them has written. */
  #share(key: number | string, work: () => Promise<void>): Promise<void> {
    const last = this.#syncs.get(key);
    if (last?.hasBegun === false) return last.done;
    const sync: Sync = { hasBegun: false, done: Promise.resolve() };
    this.#syncs.set(key, sync);
    sync.done = this.#syncAfter(last, sync, work).finally(() => {
      if (this.#syncs.get(key) === sync) this.#syncs.delete(key);
    });
    return sync.done;
  }

  async #syncAfter(last: Sync | undefined, sync: Sync, work: () => Promise<void>): Promise<void> {
    // Callers in this turn of the event loop take part.
    await Promise.allSettled([last?.done, new Promise((resolve) => setImmediate(resolve))]);
    sync.hasBegun = true;
    await work();
  }
}

/**
 * Makes documents durable where they are: content first, then names, and the folders above, which may be new. One after
 * the other in the thread pool: updates beside it are hardly delayed.
 */
export async function makeDurable(fs: FileSystem, root: string, files: Iterable<string>): Promise<void> {
  for (const fd of opened(fs, root, files)) await syncInPool(fs.fsync, fd);
}

/** The same for a process that ends, or cannot go on without. */
export function makeDurableNow(fs: FileSystem, root: string, files: Iterable<string>): void {
  for (const fd of opened(fs, root, files)) fs.fsyncSync(fd);
}

/** What is gone is left out. */
function* opened(fs: FileSystem, root: string, files: Iterable<string>): Generator<number> {
  const folders = new Set([...files].flatMap((file) => pathFromRepository(root, dirname(file))));
  for (const path of [...files, ...folders]) {
    try {
      const fd = fs.openSync(path, 'r');
      try {
        yield fd;
      } finally {
        letGo(fs, fd);
      }
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
}

/** A folder of the store after those above it, from the one that holds the root. */
export function pathFromRepository(root: string, folder: string): string[] {
  if (!folder.startsWith(root)) return [folder];
  const parents = folder === root ? [dirname(folder)] : pathFromRepository(root, dirname(folder));
  return [...parents, folder];
}
