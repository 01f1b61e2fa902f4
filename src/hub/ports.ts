import type { Artifacts } from '../ports/artifacts.js';
import type { Clock } from '../ports/clock.js';
import type { EventBus } from '../ports/event-bus.js';
import type { Humans } from '../ports/humans.js';
import type { Log } from '../ports/log.js';
import type { Recall } from '../ports/recall.js';
import type { Roles } from '../ports/roles.js';
import type { Runner, RunnerFor } from '../ports/runner.js';
import type { Store } from '../ports/store.js';
import type { Workflows } from '../ports/workflows.js';
import type { ClarificationRecord, ClarificationStatus } from '../protocol/clarification.js';
import { parseClarificationId } from '../protocol/ids.js';
import type { Workflow } from '../protocol/workflow.js';

/** What everything in the hub, the inbox and the monitor may use. */
export interface HubPorts {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly log: Log;
  readonly projectId: string;
  /** Whether what is decided is kept, and answers the same question when it is asked again. */
  readonly remembers?: boolean;
  /** Notes that a question has news for people. Absent if no channel reaches them. */
  readonly noteNews?: (questionId: string) => Promise<void>;
  /** Adds what was clarified on an issue to the artifacts that its workflow names. */
  readonly writeAnswers?: (issueNumber: number, workflow?: Workflow) => Promise<void>;
}

/** To change a clarification: a change may hand it to a person, or break a circle by the precedence of a workflow. */
export interface ChangePorts extends HubPorts {
  readonly workflows: Workflows;
  /** Known agents in the order of the configuration. */
  readonly agents: readonly string[];
  /** Whether an agent is a person, and no more of its runner; CONFIG_ERROR if it cannot be started. */
  readonly runnerFor: (agent: string) => Pick<Runner, 'isHuman'>;
}

/** To have an agent answer. */
export interface RoutePorts extends ChangePorts {
  readonly runnerFor: RunnerFor;
  readonly artifacts: Artifacts;
  readonly roles: Roles;
  /** What the project remembers, for an agent that starts or is asked. Without it, agents are told nothing of it. */
  readonly recall?: Recall;
  /** Without it, targets can ask other agents only. */
  readonly humans?: Humans;
  /** The wait before the one retry of a failed target. */
  readonly retryMs: number;
  /** Breaks off whatever waits for an agent or for time: it rejects with the reason, and nothing more is recorded. */
  readonly signal?: AbortSignal;
}

/** The result of every verb of the hub: the present state of the clarification. */
export interface HubResult {
  readonly clarificationId: string;
  readonly issueNumber: number;
  readonly status: ClarificationStatus;
  readonly round: number;
  /** The answer to the present round, once there is one. */
  readonly answer?: string;
  /** For a pending one: the questions that humans have to answer before its target can. */
  readonly waitingOn?: readonly string[];
  readonly record: ClarificationRecord;
}

export function resultOf(record: ClarificationRecord): HubResult {
  const { id, status, round } = record;
  const answer = record.thread.findLast((entry) => entry.type === 'answer' && entry.round === round)?.body;
  const result = { clarificationId: id, issueNumber: parseClarificationId(id).issueNumber, status, round, record };
  return answer === undefined ? result : { ...result, answer };
}
