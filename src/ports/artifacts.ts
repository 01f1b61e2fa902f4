import type { Artifact } from '../protocol/brief.js';

/** Files that agents wrote into the repository, or into the work tree in which an issue is worked on. */
export interface Artifacts {
  /**
   * Those that exist, in the order asked for; never from outside the repository, and no private ones. A whole path is
   * returned as the one from the repository.
   */
  read(paths: readonly string[], issueNumber: number): Promise<readonly Artifact[]>;
}

/** The same for carrying out what agents want written. */
export interface WritableArtifacts extends Artifacts {
  /**
   * Replaces a file whole or makes it, with the folders above; a file with this content is left alone. Returns the path
   * from the repository. INVALID_INPUT for a path outside the repository, in `.git` or `.agentx`, or for too large a
   * content.
   */
  write(artifact: Pick<Artifact, 'path' | 'content'>, issueNumber: number): Promise<string>;
}

/** For what is added to a file beside its author. */
export interface ChangeableArtifacts {
  /**
   * Replaces a text file by what `change` makes of its whole content, or leaves it alone if that is the same or undefined.
   * The content of a missing file is undefined. Refuses what `write` refuses.
   */
  change(path: string, issueNumber: number, change: (content: string | undefined) => string | undefined): Promise<void>;
}
