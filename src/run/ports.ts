import type { InboxPorts } from '../inbox/ports.js';
import type { WritableArtifacts } from '../ports/artifacts.js';

/** Everything that a run needs from outside. */
export interface RunPorts extends InboxPorts {
  readonly artifacts: WritableArtifacts;
}
