import { dirname } from 'node:path';
import type { Disk } from './disk.js';
import { type FileSystem, type Identity, isSame, orElse } from './file-system.js';
import { ensureGitIgnore, type Layout } from './layout.js';
import { sweepLitter } from './litter.js';
import { makeInside } from './make-inside.js';
import { orStoreError, removedMeanwhile } from './store-error.js';

/** The folders of one store: made when first written to, cleaned of what dead processes left, made durable. */
export class Folders {
  /** The prepared folders, as they were then: one that was removed or replaced since is another one. */
  readonly #prepared = new Map<string, Identity>();
  readonly #durable = new Set<string>();
  /** Whether there was a root to be removed. */
  #hadRoot: boolean;

  constructor(
    private readonly fs: FileSystem,
    private readonly disk: Disk,
    private readonly layout: Pick<Layout, 'root' | 'state'>,
  ) {
    // A root that cannot be examined is there; opening a store never fails.
    this.#hadRoot = orElse(true, () => this.#look(layout.root) !== undefined);
  }

  /** State may hold secrets, so its folders are for their owner alone. */
  prepare(folder: string): void {
    const { root, state } = this.layout;
    orStoreError('write to', folder, () => {
      // The same folder as before lies in the same root.
      if (!this.isReplaced(folder)) return;
      if (this.isReplaced(root)) this.#makeRoot();
      if (folder !== root) {
        makeInside(this.fs, root, folder, folder.startsWith(state) ? 0o700 : 0o777);
        this.#furnish(folder);
      }
    });
  }

  /** Whether it is another one by now than the one that was prepared. */
  isReplaced(folder: string): boolean {
    return !isSame(this.#prepared.get(folder), this.#look(folder));
  }

  /** Made once: a root that is gone was removed on purpose, or is elsewhere with everything in it. */
  #makeRoot(): void {
    const { root } = this.layout;
    if (this.#hadRoot && this.#look(root) === undefined) throw removedMeanwhile(root);
    this.fs.mkdirSync(root, { recursive: true, mode: 0o777 });
    this.#hadRoot = true;
    ensureGitIgnore(this.fs, root);
    this.#furnish(root);
  }

  #furnish(folder: string): void {
    this.#durable.delete(folder);
    sweepLitter(this.fs, folder);
    const newFolder = this.#look(folder);
    if (newFolder !== undefined) this.#prepared.set(folder, { dev: newFolder.dev, ino: newFolder.ino });
  }

  #look(folder: string): Identity | undefined {
    return this.fs.statSync(folder, { throwIfNoEntry: false });
  }

  /**
   * Makes the names in a folder durable. The first time, the folders above too: the process that made them may not have
   * done so yet.
   */
  async sync(folder: string): Promise<void> {
    const paths = this.#durable.has(folder) ? [folder] : pathFromRepository(this.layout.root, folder);
    await Promise.all(paths.map((path) => this.disk.syncFolder(path)));
    this.#durable.add(folder);
  }
}

/** A folder of the store after those above it, from the one that holds the root. */
export function pathFromRepository(root: string, folder: string): string[] {
  if (!folder.startsWith(root)) return [folder];
  const above = folder === root ? [dirname(folder)] : pathFromRepository(root, dirname(folder));
  return [...above, folder];
}
