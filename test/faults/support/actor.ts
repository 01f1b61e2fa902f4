/** The input and the report of the program `actor`. */
export interface ActorConfig {
  readonly root: string;
  readonly act: ActName;
  readonly name: string;
  /** A signal that it sends itself at one call to the file system. */
  readonly fault?: {
    readonly signal: 'SIGKILL' | 'SIGSTOP';
    /** The name of a call, or its number among those that change something: from 1, and for `amid` among the writes. */
    readonly at: number | string;
    readonly when: 'before' | 'amid' | 'after';
  };
  readonly lockWaitMs?: number;
  /** Becomes this user first. */
  readonly uid?: number;
}

export type ActName =
  | 'one clarification'
  | 'three clarifications'
  | 'a question'
  | 'an issue'
  | 'a lock'
  | 'reading'
  | 'a session of a run'
  | 'a capture'
  | 'counting recalls'
  | 'compacting the memory'
  | 'restoring the memory'
  | 'rebuilding the memory';

export type ActorReport =
  | { readonly acknowledged: string }
  | { readonly refused: string; readonly message: string }
  | { readonly calls: number };
