/** The input and the report of the program `holder`. */
export interface HolderConfig {
  readonly file: string;
  readonly name: string;
  /** How long it stays inside, in milliseconds: up to this, at random, or exactly this. */
  readonly stayMs: number;
  readonly isExact?: boolean;
  readonly forMs?: number;
  /** How often it goes in, at most. */
  readonly turns?: number;
  readonly waitMs?: number;
  readonly staleAfterMs?: number;
  readonly hasLinks?: boolean;
  /** Begins when the parent says so, not at once. */
  readonly waitsForSignal?: boolean;
}

export type HolderReport = { readonly event: 'ready' | 'inside' | 'left' };

/** The input and the report of the program `racer`; one report per line that names a file. */
export interface RacerConfig {
  readonly name: string;
}

export interface RacerReport {
  readonly file: string;
}
