import type { ObservationIndex } from '../protocol/observation.js';

export interface RecallRequest {
  readonly agent: string;
  readonly issueNumber: number;
  /** What it is about, in any words. */
  readonly query?: string | undefined;
  /** Only these, and none that a requester has rejected; otherwise what the issue knows, and what matches the query. */
  readonly among?: readonly Pick<ObservationIndex, 'id' | 'issueNumber'>[] | undefined;
  /** The ids of observations that the session has already. */
  readonly known?: ReadonlySet<string> | undefined;
  /** At most so many tokens; otherwise as configured. */
  readonly maxTokens?: number | undefined;
}

/** What the project remembers, for an agent that starts or asks for it. */
export interface Recall {
  /** A section for its prompt; empty if nothing is to be said. Never rejects: a session goes on without its memory. */
  recall(request: RecallRequest): Promise<string>;
}
