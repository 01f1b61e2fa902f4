import type { Artifact } from '../protocol/brief.js';

/** Files that agents wrote into the repository. */
export interface Artifacts {
  /** Those that exist, in the order asked for; never from outside the repository or from what is private. */
  read(paths: readonly string[]): Promise<readonly Artifact[]>;
}

/** The same for whoever carries out what agents want written. */
export interface WritableArtifacts extends Artifacts {
  /**
   * Replaces a file whole or makes it, with the folders above; what has this content already is left alone. Returns the
   * path from the repository. INVALID_INPUT for what is outside the repository, in `.git` or `.agentx`, or too large.
   */
  write(artifact: Pick<Artifact, 'path' | 'content'>): Promise<string>;
}
