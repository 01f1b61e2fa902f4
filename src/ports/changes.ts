/** What another process may have changed. */
export type ChangedKind = 'questions' | 'clarifications' | 'agents' | 'issues' | 'runs' | 'assumptions';

/** Tells that something may have changed, never what: whoever wants to know looks again. */
export interface Changes {
  /** Returns the function that ends it. */
  watch(listener: (kind: ChangedKind) => void): () => void;
}
