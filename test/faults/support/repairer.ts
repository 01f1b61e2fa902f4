/** The input and the report of the program `repairer`. */
export interface RepairerConfig {
  readonly root: string;
  /** The number of the call, among those that change something, at which it kills itself: from 1. */
  readonly at: number;
  readonly when: 'before' | 'after';
}

export type RepairerReport = { readonly repaired: number };
