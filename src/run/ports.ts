import type { RoutePorts } from '../hub/ports.js';
import type { InboxPorts, InboxSettings } from '../inbox/ports.js';
import type { WritableArtifacts } from '../ports/artifacts.js';
import type { RunnerFor } from '../ports/runner.js';
import type { WorkTrees } from '../ports/work-trees.js';
import type { RunLimits } from './run-limits.js';

/** The names of the ports that turns and acts use; the other ports are for the run as a whole. */
export type TurnPort = keyof RoutePorts | keyof InboxPorts;

export interface RunPorts extends RoutePorts, InboxPorts {
  readonly settings: InboxSettings;
  readonly runnerFor: RunnerFor;
  readonly artifacts: WritableArtifacts;
  /** What a run may use of models; by default anything. */
  readonly limits?: RunLimits;
  /** Without it, every run works in the repository's own folder. */
  readonly workTrees?: WorkTrees;
  /** Reads the settings anew: runners and autonomy then follow the present file. CONFIG_ERROR if it is wrong. */
  renew(): void;
}
