export const CHANGED_KINDS = [
  'questions',
  'clarifications',
  'agents',
  'issues',
  'runs',
  'assumptions',
  'observations',
] as const;
export type ChangedKind = (typeof CHANGED_KINDS)[number];

/** What any process may have changed. */
export type Change = ChangedDocument | { readonly kind: 'everything'; readonly id: '' };

export interface ChangedDocument {
  readonly kind: ChangedKind;
  /** A question's id, or the number of the document's issue; empty for the agents, which share one. */
  readonly id: string;
}
