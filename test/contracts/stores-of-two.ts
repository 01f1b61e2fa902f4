import type { Store } from '../../src/ports/store.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { openInMemoryStore } from '../../src/storage/in-memory/store.js';

/** Stores that are opened in two processes. */
export const stores = {
  files: (root: string): Store => openFileStore({ root }),
  /** Its documents are shared, its claims are not. */
  'files, with claims in memory': (root: string): Store => {
    const { claim, heldBy } = openInMemoryStore();
    return { ...openFileStore({ root }), claim, heldBy, runs: withoutFence(openFileStore({ root }).runs) };
  },
  'in memory': (): Store => openInMemoryStore(),
};

export type StoreName = keyof typeof stores;

/** The input of the program `store-elsewhere`. */
export interface ElsewhereConfig {
  readonly store: StoreName;
  readonly root: string;
}

function withoutFence(runs: Store['runs']): Store['runs'] {
  return { ...runs, update: (issueNumber, update) => runs.update(issueNumber, update) };
}
