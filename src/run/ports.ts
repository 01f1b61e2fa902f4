import type { InboxPorts } from '../inbox/ports.js';
import type { WritableArtifacts } from '../ports/artifacts.js';

/** Everything that a run needs from outside. */
export interface RunPorts extends InboxPorts {
  readonly artifacts: WritableArtifacts;
  /**
   * Tells that other processes may have written to the ledger of an issue, where that can be known at once; a run also
   * looks by itself before and after each turn. Returns the function that ends it.
   */
  readonly watchLedger?: (issueNumber: number, listener: () => void) => () => void;
  /** Reads the settings anew: runners and autonomy are as the file has them now. CONFIG_ERROR if it is wrong. */
  renew(): void;
}
