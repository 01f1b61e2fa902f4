import type { AgentStatus, AgentStatusEntry } from './agent-status.js';
import type { ClarificationStatus } from './clarification.js';
import type { TaskStatus } from './issue.js';
import type { Question, QuestionOutcome } from './question.js';
import type { RunUsage } from './run-usage.js';
import { type Timestamp, toEpochMs } from './timestamp.js';

/** `timestamp` is epoch milliseconds in every payload. */
export interface Timed {
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

/** What an agent does, for `agent-status-changed`. */
export function statusChanged(
  agent: string,
  activity: Pick<AgentStatusEntry, 'status' | 'issue' | 'clarificationId' | 'waitingOn' | 'respondingTo'>,
  at: Timestamp,
): AgentStatusChangedPayload {
  const { status, issue: issueNumber, clarificationId = null, waitingOn = null, respondingTo = null } = activity;
  return { agent, issueNumber, status, clarificationId, waitingOn, respondingTo, timestamp: toEpochMs(at) };
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

export interface RunEventPayload extends Timed {
  readonly runId: string;
  readonly issueNumber: number;
}

export interface RunStepPayload extends RunEventPayload {
  readonly step: string;
  readonly agent: string;
  readonly title: string;
}

export interface RunStartedPayload extends RunEventPayload {
  readonly title: string;
  readonly workflow: string;
  readonly steps: number;
  /** Whether it continues the work of an earlier process. */
  readonly isResumed: boolean;
  /** For a run with a work tree of its own. */
  readonly branch?: RunBranch;
  /** What a person who watches should know first, such as a workflow file that changed since the run began. */
  readonly notice?: string;
}

/** How far a run came before it ended or paused. */
export interface RunResult {
  readonly runId: string;
  readonly issueNumber: number;
  /** A run that a human stopped has failed, with the reason. */
  readonly status: 'done' | 'paused' | 'failed';
  readonly summary: RunSummary;
  /** Questions that must be answered before it can go on. */
  readonly waitingOn: readonly string[];
  readonly reason?: string;
  /** For a run that waits for humans: what they are asked, escalations with both positions. */
  readonly text?: string;
  /** For a run with a work tree of its own. */
  readonly branch?: RunBranch;
  /** What a person should know of its end, such as work that could not be committed. */
  readonly notice?: string;
}

/** The branch that holds the work of a run, for a person to review. */
export interface RunBranch {
  readonly name: string;
  /** The commit that it began with. */
  readonly base: string;
  /** Its work tree, from the repository. */
  readonly folder: string;
}

/** The figures of the last line. */
export interface RunSummary {
  readonly iterations: number;
  readonly tools: number;
  readonly rounds: number;
  readonly escalations: number;
  readonly artifacts: readonly string[];
  readonly durationMs: number;
  /** Tokens, cost and time by step; absent in events of earlier versions. */
  readonly usage?: RunUsage;
}

export interface AgentXEventMap {
  readonly 'run-started': RunStartedPayload;
  readonly 'step-started': RunStepPayload;
  readonly 'step-skipped': RunStepPayload & { readonly reason: string };
  /** An agent begins or ends a turn; `text` is what it said, `artifacts` what it wrote. */
  readonly 'turn-started': RunStepPayload & { readonly turn: number };
  /** What an agent says and does while it takes its turn; none of it counts before the turn has ended. */
  readonly 'turn-progress': RunStepPayload & {
    readonly turn: number;
    /** A piece of its text. */
    readonly text?: string;
    /** A tool that it calls, and what for. */
    readonly tool?: string;
    readonly about?: string;
  };
  readonly 'turn-ended': RunStepPayload & {
    /** What the agent's program wrote to stderr. */
    readonly stderr?: string;
    readonly turn: number;
    readonly text?: string;
    readonly artifacts: readonly string[];
    readonly refused: readonly { readonly code: string; readonly message: string }[];
    readonly durationMs: number;
  };
  readonly 'turn-failed': RunStepPayload & {
    readonly turn: number;
    readonly error: string;
    readonly durationMs: number;
  };
  readonly 'step-ended': RunStepPayload & { readonly outcome: 'done' | 'failed' | 'skipped'; readonly reason?: string };
  /** A review sent work back. */
  readonly 'steps-reopened': RunEventPayload & {
    readonly steps: readonly string[];
    readonly by?: string;
    readonly reason?: string;
  };
  readonly 'run-paused': RunEventPayload & { readonly waitingOn: readonly string[] };
  readonly 'run-resumed': RunEventPayload;
  readonly 'run-finished': Timed & RunResult;
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
