import type { KindName } from './kinds.js';

/** What the program `updater` is told and what it reports. */
export interface UpdaterConfig {
  readonly root: string;
  readonly kind: KindName;
  readonly name: string;
  readonly count?: number;
  readonly sync?: boolean;
  readonly hasLinks?: boolean;
}

export interface Acknowledged {
  readonly acknowledged: string;
}
