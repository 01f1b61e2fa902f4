/** What an examination of a `.agentx` folder found and did. Files are named from the repository. */
export interface Diagnosis {
  readonly examined: number;
  /** What is still wrong. */
  readonly problems: readonly Problem[];
  readonly repaired: readonly Repair[];
  /** What works and is hardly meant, in sentences. */
  readonly warnings?: readonly string[];
  /** Files that somebody is changing, which is no problem. */
  readonly locks: readonly HeldLock[];
}

export interface Problem {
  readonly file: string;
  readonly reason: string;
  /** What whoever reads this can do about it. */
  readonly todo: string;
  readonly line?: number;
  readonly key?: string;
}

export interface Repair {
  readonly file: string;
  /** What was kept and what was lost, in sentences. */
  readonly summary: string;
  /** Ids that were in the damaged file and are not in its replacement. */
  readonly lost: readonly string[];
  /** Where the original lies. */
  readonly movedTo?: string;
}

export interface HeldLock {
  readonly file: string;
  readonly holder: string;
  readonly pid: number;
  readonly since: string;
}
