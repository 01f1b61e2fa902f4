import type { AgentStatusEntry } from './agent-status.js';
import type { Assumption } from './assumption.js';
import type { ClarificationStatus } from './clarification.js';
import type { ClarificationEventPayload } from './events.js';
import type { TaskStatus } from './issue.js';
import type { Question } from './question.js';
import type { RunStanding } from './run-standing.js';

/*
 * What `/ws` sends. A client is greeted with `hello`, then told what happens in the project, in numbered messages;
 * `resync` says that what it missed is no longer known, so that it has to look again.
 */

export type SocketMessage = FeedMessage | Hello | { readonly type: 'resync' };

interface Hello {
  readonly type: 'hello';
  /** Numbers count within an epoch; a server that starts anew begins another. */
  readonly epoch: string;
  readonly seq: number;
}

export type FeedMessage = FeedNews & { readonly projectId: string; readonly seq: number };

/** A message before it has its number. */
export type FeedNews =
  | { readonly type: 'notification.added' | 'notification.updated'; readonly notification: Question }
  | QuestionResolved
  | ClarificationNews
  | ({ readonly type: 'agent.status'; readonly agent: string } & AgentStatusEntry)
  | TaskUpdated
  | RunUpdated
  | { readonly type: 'assumption.updated'; readonly assumption: Assumption };

/** Of a question whose file was removed it is not known how it ended. */
interface QuestionResolved extends Pick<Question, 'source' | 'sourceId' | 'outcome' | 'answeredBy' | 'responses'> {
  readonly type: 'notification.resolved';
  readonly notificationId: string;
}

interface ClarificationNews extends Omit<ClarificationEventPayload, 'timestamp'> {
  readonly type: `clarification.${'requested' | Exclude<ClarificationStatus, 'pending'>}`;
}

interface TaskUpdated {
  readonly type: 'task.updated';
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly assignee: string | null;
  readonly block_reason: string | null;
  /** Of the board. */
  readonly column: string;
}

interface RunUpdated extends Pick<RunStanding, 'issueNumber' | 'status' | 'phase' | 'waitingOn' | 'goOn'> {
  readonly type: 'run.updated';
  readonly runId: string;
}
