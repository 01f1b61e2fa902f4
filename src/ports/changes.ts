export type ChangedKind = 'questions' | 'clarifications' | 'agents' | 'issues' | 'runs' | 'assumptions';

/** What another process may have changed. */
export interface Change {
  readonly kind: ChangedKind;
  /** A question's id, or the number of the issue whose document it is; empty for the agents, who share one. */
  readonly id: string;
}
