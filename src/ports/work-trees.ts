import type { WorkTree } from '../protocol/run.js';

/** Copies of the repository, each on a branch of its own, so that several runs can change files at once. */
export interface WorkTrees {
  /** Whether a new run gets one. */
  readonly isWanted: boolean;
  /** Chooses the branch of a new run and makes nothing. CONFIG_ERROR where git cannot give one. */
  plan(issueNumber: number): Promise<WorkTree>;
  /**
   * Makes what was planned, or finds it again, and returns what a person should know. INVALID_STATE if the work of a
   * run that has begun is gone.
   */
  open(runId: string, tree: WorkTree, options: { readonly hasBegun: boolean }): Promise<string | undefined>;
  /** Commits everything in it; returns why that was not possible. */
  commit(runId: string, tree: WorkTree, message: string): Promise<string | undefined>;
  /** Its folder, from the repository. */
  folderOf(runId: string): string;
}
