import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { MirrorStore } from '../ports/mirror.js';
import type { Store } from '../ports/store.js';
import type { AnsweredBy } from '../protocol/question.js';
import type { GitHubClient } from './client.js';
import type { Audience } from './desired.js';
import type { GivenAnswer } from './read-answer.js';

/** What people decide on GitHub, carried out as on any other surface. */
export interface Decisions {
  /** CONFLICT if another answer was first, INVALID_INPUT if it is no answer. */
  answer(questionId: string, by: AnsweredBy, given: GivenAnswer): Promise<void>;
  end(questionId: string, by: AnsweredBy, how: 'decline' | 'dismiss'): Promise<void>;
  /** An issue was closed there: its questions have no asker any more. */
  closed(issueNumber: number): Promise<void>;
}

export interface SyncPorts {
  readonly store: Store;
  readonly mirror: MirrorStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly repo: string;
  readonly audience: Audience;
  /** The name of the category for discussions; the first that takes them without it. */
  readonly discussionCategory?: string | undefined;
  readonly decisions: Decisions;
  /** Opened when GitHub is first asked; for the repository of the settings, or another name of it. */
  readonly client: (repo?: string) => Promise<GitHubClient>;
}
