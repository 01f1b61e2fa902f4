import type { RoutePorts } from '../hub/ports.js';
import type { InboxPorts } from '../inbox/ports.js';
import type { WritableArtifacts } from '../ports/artifacts.js';
import type { RunnerFor } from '../ports/runner.js';

export interface RunPorts extends RoutePorts, InboxPorts {
  readonly runnerFor: RunnerFor;
  readonly artifacts: WritableArtifacts;
  /** Reads the settings anew: runners and autonomy then follow the present file. CONFIG_ERROR if it is wrong. */
  renew(): void;
}
