import { dirname } from 'node:path';
import { type Disk, pathFromRepository } from './disk.js';
import { type FileSystem, type Identity, isSame, isThere, makeInside, orElse, statIfThere } from './file-system.js';
import { ensureGitIgnore, folderMode, type Layout } from './layout.js';
import { sweepLitter } from './litter.js';
import { orStoreError, removedMeanwhile } from './store-error.js';

/** The folders of one store: made when first written to, cleaned of what dead processes left, made durable. */
export class Folders {
  /** The prepared folders, as they were then: one that was removed or replaced since is another one. */
  readonly #prepared = new Map<string, Identity & { isDurable: boolean }>();
  /** Whether there was a root to be removed. */
  #hadRoot: boolean;

  constructor(
    private readonly fs: FileSystem,
    private readonly disk: Disk,
    private readonly layout: Pick<Layout, 'root' | 'state'>,
  ) {
    // A root that cannot be examined is there; opening a store never fails.
    this.#hadRoot = orElse(true, () => isThere(fs, layout.root));
  }

  prepare(folder: string): void {
    const { root } = this.layout;
    orStoreError('write to', folder, () => {
      // The same folder as before lies in the same root.
      if (!this.isReplaced(folder)) return;
      if (this.isReplaced(root)) this.#makeRoot();
      if (folder !== root) {
        makeInside(this.fs, root, folder, folderMode(this.layout, folder));
        this.#furnish(folder);
      }
    });
  }

  /** Whether it is another one by now than the one that was prepared. */
  isReplaced(folder: string): boolean {
    return !isSame(this.#prepared.get(folder), statIfThere(this.fs, folder));
  }

  /** Made once: a root that is gone was removed on purpose, or is elsewhere with everything in it. */
  #makeRoot(): void {
    const { root } = this.layout;
    if (this.#hadRoot && !isThere(this.fs, root)) throw removedMeanwhile(root);
    if (!this.#hadRoot) this.fs.mkdirSync(root, { recursive: true, mode: 0o777 });
    this.#hadRoot = true;
    ensureGitIgnore(this.fs, root);
    this.#furnish(root);
  }

  /** Why an update failed: if the root is gone, that is the reason, whatever the update ran into. */
  reasonOf(error: unknown): unknown {
    const { root } = this.layout;
    return this.#hadRoot && !orElse(true, () => isThere(this.fs, root)) ? removedMeanwhile(root) : error;
  }

  #furnish(folder: string): void {
    sweepLitter(this.fs, folder);
    const { dev, ino } = this.fs.statSync(folder);
    this.#prepared.set(folder, { dev, ino, isDurable: false });
  }

  /**
   * Makes the name of a file durable; links may lead from there to where the file really is. The first time, also the
   * folders above: the process that made them may not have done so yet.
   */
  async sync(file: string, realFile: string): Promise<void> {
    const folder = this.#prepared.get(dirname(file));
    const parents = folder?.isDurable ? [] : pathFromRepository(this.layout.root, dirname(file));
    await Promise.all([...new Set([...parents, dirname(realFile)])].map((path) => this.disk.syncFolder(path)));
    if (folder !== undefined) folder.isDurable = true;
  }
}
