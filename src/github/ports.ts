import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { MirrorStore } from '../ports/mirror.js';
import type { Store } from '../ports/store.js';
import type { AnsweredBy } from '../protocol/question.js';
import type { GitHubClient } from './client.js';
import type { Audience } from './desired-state.js';
import type { GivenAnswer } from './read-answer.js';

/** Carries out the decisions that people make on GitHub, as on any other surface. */
export interface Decisions {
  /** CONFLICT if another answer came first, INVALID_INPUT if the text is no answer. */
  answer(questionId: string, by: AnsweredBy, answer: GivenAnswer): Promise<void>;
  end(questionId: string, by: AnsweredBy, how: 'decline' | 'dismiss'): Promise<void>;
  /** An issue was closed on GitHub, so no agent waits for its questions any more. */
  closed(issueNumber: number): Promise<void>;
}

export interface SyncPorts {
  readonly store: Store;
  readonly mirror: MirrorStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly repo: string;
  readonly audience: Audience;
  /** The category for discussions; without a name, the first category that takes them. */
  readonly discussionCategory?: string | undefined;
  readonly decisions: Decisions;
  /** Opened with the first request to GitHub, for the repository of the settings or for another name of it. */
  readonly client: (repo?: string) => Promise<GitHubClient>;
}
