import type { Artifact } from '../protocol/brief.js';

/** Files that agents wrote into the repository. */
export interface Artifacts {
  /** Those that exist, in the order asked for; never from outside the repository or from what is private. */
  read(paths: readonly string[]): Promise<readonly Artifact[]>;
}
