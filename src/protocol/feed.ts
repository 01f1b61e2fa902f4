import type { AgentStatusEntry } from './agent-status.js';
import type { Assumption } from './assumption.js';
import type { ClarificationStatus } from './clarification.js';
import type { ClarificationEventPayload } from './events.js';
import type { TaskStatus } from './issue.js';
import type { Question } from './question.js';
import type { RunStanding } from './run-standing.js';

/*
 * What `/ws` sends. A client first gets `hello`, then numbered messages about what happens in the project. After
 * `resync` it must read everything again, because messages that it missed are no longer kept.
 */

export type SocketMessage = FeedMessage | Hello | { readonly type: 'resync' };

interface Hello {
  readonly type: 'hello';
  /** Numbers count within an epoch; a restarted server begins a new one. */
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
  | { readonly type: 'assumption.updated'; readonly assumption: Assumption }
  | { readonly type: 'memory.updated'; readonly issueNumber: number };

/** If the question's file was removed, the outcome is unknown. */
interface QuestionResolved
  extends Pick<Question, 'source' | 'sourceId' | 'outcome' | 'answeredBy' | 'responses' | 'reason'> {
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
  /** The column on the board. */
  readonly column: string;
}

interface RunUpdated extends Pick<RunStanding, 'issueNumber' | 'status' | 'phase' | 'waitingOn' | 'goOn'> {
  readonly type: 'run.updated';
  readonly runId: string;
}
