/** What an examination of a `.agentx` folder found and did. File names are relative to the repository. */
export interface Diagnosis {
  readonly examined: number;
  /** The problems that are left. */
  readonly problems: readonly Problem[];
  readonly repaired: readonly Repair[];
  /** Settings that work but are probably mistakes, in sentences. */
  readonly warnings?: readonly string[];
  /** The agents, and the CLIs, keys and servers on this machine that no agent uses. */
  readonly reach?: readonly Reach[];
  /** Files that a process is changing, which is no problem. */
  readonly locks: readonly HeldLock[];
}

export interface Problem {
  readonly file: string;
  readonly reason: string;
  /** What the reader can do about it. */
  readonly todo: string;
  readonly line?: number;
  readonly key?: string;
}

/** An agent, a key, a model or a server: whether it can be reached. */
export interface Reach {
  /** The agent that needs it; absent if no agent does. */
  readonly agent?: string;
  readonly what: string;
  readonly state: 'there' | 'missing' | 'unused';
  readonly todo?: string;
}

export interface Repair {
  readonly file: string;
  /** What was kept and what was lost, in sentences. */
  readonly summary: string;
  /** Ids of the damaged file that are not in its replacement. */
  readonly lost: readonly string[];
  /** Where the original is now. */
  readonly movedTo?: string;
}

export interface HeldLock {
  readonly file: string;
  readonly holder: string;
  readonly pid: number;
  readonly since: string;
  /** For a holder that cannot be seen from here: the end of its lease, unless it renews the lease before. */
  readonly freeAt?: string;
}
