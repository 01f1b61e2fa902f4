import { join } from 'node:path';
import { type FileSystem, unlinkIfThere } from './file-system.js';
import { makeToken, scratchPath } from './lock-names.js';

/*
 * Empty files that are made ahead, in the thread pool, to become scratch files. A file system that has just let go of many
 * files takes long to find a place for a new one, longer than for anything else that an update needs, and a process that
 * writes all the time lets go of one with each update.
 */

const MOST = 32;
export const SPARE_MODE = 0o600;

interface Spare {
  readonly path: string;
  readonly fd: number;
}

export class SpareFiles {
  readonly #ready: Spare[] = [];
  readonly #underWay = new Set<string>();
  #isNeeded = true;

  constructor(
    private readonly fs: FileSystem,
    private readonly folder: string,
  ) {}

  /** Gives one of them this name. Undefined where there is none. */
  take(path: string): number | undefined {
    const spare = this.#ready.pop();
    this.#makeMore();
    if (spare === undefined) return undefined;
    try {
      this.fs.renameSync(spare.path, path);
      return spare.fd;
    } catch {
      this.#discard(spare);
      return undefined; // Whatever is wrong, whoever makes a file there is told.
    }
  }

  discard(): void {
    this.#isNeeded = false;
    for (const spare of this.#ready.splice(0)) this.#discard(spare);
    // A process that ends does not hear of those any more.
    for (const path of this.#underWay) this.#remove(path);
  }

  #makeMore(): void {
    while (this.#isNeeded && this.#ready.length + this.#underWay.size < MOST) this.#make();
  }

  #make(): void {
    const path = scratchPath(join(this.folder, 'spare'), makeToken());
    this.#underWay.add(path);
    this.fs.open(path, 'wx', SPARE_MODE, (error, fd) => {
      this.#underWay.delete(path);
      if (error) return;
      const spare = { path, fd };
      if (this.#isNeeded) this.#ready.push(spare);
      else this.#discard(spare);
    });
  }

  #discard({ path, fd }: Spare): void {
    this.fs.closeSync(fd);
    this.#remove(path);
  }

  /** What cannot be removed is swept with what the dead leave. */
  #remove(path: string): void {
    try {
      unlinkIfThere(this.fs, path);
    } catch {
      // Nobody waits for it.
    }
  }
}
