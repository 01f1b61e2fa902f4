import type { KindName } from './kinds.js';

/** The input and the report of the program `updater`. */
export interface UpdaterConfig {
  readonly root: string;
  readonly kind: KindName;
  readonly name: string;
  readonly count?: number;
  readonly sync?: boolean;
  readonly hasLinks?: boolean;
  /** After how many updates in a row it has a journal. */
  readonly journalAfter?: number;
  /** Whether it goes on after a refusal. */
  readonly goesOn?: boolean;
}

export interface Refused {
  readonly refused: string;
  readonly message: string;
}

export interface Acknowledged {
  readonly acknowledged: string;
}
