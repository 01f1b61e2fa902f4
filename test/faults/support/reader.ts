/** The input and the reports of the program `reader`: first that it is ready, at the end what it saw. */
export interface ReaderConfig {
  readonly root: string;
}

export interface ReaderReport {
  readonly reads?: number;
  readonly refusals?: readonly string[];
  /** Whether a ledger to which others only add ever had fewer records than before. */
  readonly isShrinking?: boolean;
}
