export type ChangedKind = 'questions' | 'clarifications' | 'agents' | 'issues' | 'runs' | 'assumptions';

/** What another process may have changed. */
export interface Change {
  readonly kind: ChangedKind;
  /** A question's id, or the number of the document's issue; empty for the agents, which share one. */
  readonly id: string;
}
