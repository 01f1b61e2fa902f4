import type { AgentStatus } from './agent-status.js';
import type { ClarificationStatus } from './clarification.js';
import type { TaskStatus } from './issue.js';
import type { Question, QuestionOutcome } from './question.js';

/** `timestamp` is epoch milliseconds in every payload. */
interface Timed {
  readonly timestamp: number;
}

export interface ClarificationEventPayload extends Timed {
  readonly clarificationId: string;
  readonly issueNumber: number;
  readonly fromAgent: string;
  readonly toAgent: string;
  readonly topic: string;
  readonly blocking: boolean;
  readonly round: number;
  readonly status: ClarificationStatus;
}

export interface MemoryEventPayload extends Timed {
  readonly agent: string;
  readonly issueNumber: number;
  readonly count: number;
  readonly totalTokens: number;
  readonly observationIds: readonly string[];
}

export interface ContextCompactedPayload extends Timed {
  readonly agent: string;
  readonly issueNumber: number;
  readonly sessionId: string;
  readonly originalTokens: number;
  readonly compactedTokens: number;
  readonly summary: string;
}

export interface AgentStatusChangedPayload extends Timed {
  readonly agent: string;
  readonly issueNumber: number | null;
  readonly status: AgentStatus;
  readonly clarificationId: string | null;
  readonly waitingOn: string | null;
  readonly respondingTo: string | null;
}

export interface NotificationAddedPayload extends Timed {
  readonly projectId: string;
  readonly notification: Question;
}

export interface NotificationResolvedPayload extends Timed {
  readonly notificationId: string;
  readonly projectId: string;
  readonly source: Question['source'];
  readonly sourceId: string;
  readonly outcome: QuestionOutcome;
}

export interface TaskUpdatedPayload extends Timed {
  readonly projectId: string;
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly assignee: string | null;
  readonly block_reason: string | null;
}

export interface AgentXEventMap {
  readonly 'clarification-requested': ClarificationEventPayload;
  readonly 'clarification-answered': ClarificationEventPayload;
  readonly 'clarification-stale': ClarificationEventPayload;
  readonly 'clarification-resolved': ClarificationEventPayload;
  readonly 'clarification-escalated': ClarificationEventPayload;
  readonly 'clarification-abandoned': ClarificationEventPayload;
  readonly 'memory-stored': MemoryEventPayload;
  readonly 'memory-recalled': MemoryEventPayload;
  readonly 'context-compacted': ContextCompactedPayload;
  readonly 'agent-status-changed': AgentStatusChangedPayload;
  readonly 'notification-added': NotificationAddedPayload;
  readonly 'notification-resolved': NotificationResolvedPayload;
  readonly 'task-updated': TaskUpdatedPayload;
}

export type AgentXEventName = keyof AgentXEventMap;

/** An effect of a transition: this event is to be sent once the record is written. */
export type EmitEffect<Name extends AgentXEventName = AgentXEventName> = {
  readonly [N in Name]: { readonly type: 'emit'; readonly name: N; readonly payload: AgentXEventMap[N] };
}[Name];
