import { dirname } from 'node:path';
import { letGo } from './cleanup.js';
import { errorCode, type FileSystem, syncInPool } from './file-system.js';
import { pathFromRepository } from './prepared-folders.js';

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
