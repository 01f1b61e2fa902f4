import { readdirSync, rmSync, statSync } from 'node:fs';
import type { Store } from '../../src/ports/store.js';
import { openFileStore } from '../../src/storage/files/store.js';
import type { Ledgers } from './ledgers.js';

export const SWEEPS = ['bare', 'kept', 'fresh', 'first'] as const;
export type SweepName = (typeof SWEEPS)[number];

export type Sweep = () => Promise<void>;

/**
 * `kept` is one store that lists again and again, as a monitor does. `fresh` is a new store for each listing, as in a
 * new command: it has nothing in memory, but the index is on the disk. `first` begins without an index.
 */
export function openSweeps(ledgers: Ledgers): Readonly<Record<SweepName, Sweep>> {
  const store = openFileStore({ root: ledgers.root });
  return {
    bare: async () => bareSweep(ledgers.folder),
    kept: () => list(store, ledgers),
    fresh: () => list(openFileStore({ root: ledgers.root }), ledgers),
    async first() {
      rmSync(ledgers.indexFolder, { recursive: true, force: true });
      await list(openFileStore({ root: ledgers.root }), ledgers);
    },
  };
}

/** The least work for any program that looks for changes in a folder. */
function bareSweep(folder: string): void {
  for (const name of readdirSync(folder)) statSync(`${folder}/${name}`);
}

async function list(store: Store, { active, count }: Ledgers): Promise<void> {
  const { items, damaged } = await store.ledgers.list({ active: true });
  if (items.length === active && damaged.length === 0) return;
  throw new Error(
    `${items.length} active records instead of ${active} in ${count} ledgers; ${damaged.length} damaged.`,
  );
}
