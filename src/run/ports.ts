import type { RoutePorts } from '../hub/ports.js';
import type { InboxPorts } from '../inbox/ports.js';
import type { WritableArtifacts } from '../ports/artifacts.js';
import type { RunnerFor } from '../ports/runner.js';

export interface RunPorts extends RoutePorts, InboxPorts {
  readonly runnerFor: RunnerFor;
  readonly artifacts: WritableArtifacts;
  /**
   * Calls back when other processes may have written to the ledger of an issue, if the store can notice that at once; a
   * run also looks by itself before and after each turn. Returns the function that ends it.
   */
  readonly watchLedger?: (issueNumber: number, listener: () => void) => () => void;
  /** Reads the settings anew: runners and autonomy then follow the present file. CONFIG_ERROR if it is wrong. */
  renew(): void;
}
