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
import type { Autonomy } from '../protocol/autonomy.js';
import type { Workflow } from '../protocol/workflow.js';

/*
 * A function names the ports that it and its callees use, and gets no others: one of the sets below, which are named for
 * what they allow, or a few ports picked from one.
 */

/** To change what is stored and tell of it. Questions and statuses need no more. */
export interface BasePorts {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly log: Log;
}

/** To keep decisions and find them again. */
export interface DecisionPorts {
  readonly store: Store;
  readonly log: Log;
  /** Whether what is decided is kept, and answers the same question when it is asked again. */
  readonly remembers?: boolean;
}

/** To change a clarification: an escalation opens a question, and the decision of a resolved clarification is kept. */
export interface RecordPorts extends BasePorts, DecisionPorts {
  readonly projectId: string;
}

/** To know which agent is upstream of which: by the workflow of an issue, or else by the order of the configuration. */
export interface OrderPorts {
  readonly store: Store;
  readonly log: Log;
  readonly workflows: Workflows;
  /** Known agents in the order of the configuration. */
  readonly agents: readonly string[];
}

/** To open a clarification or another round of one, without having its target answer. */
export interface AskPorts extends RecordPorts, OrderPorts {
  /** Whether an agent is a person, and no more of its runner; CONFIG_ERROR if it cannot be started. */
  readonly runnerFor: (agent: string) => Pick<Runner, 'isHuman'>;
}

/** To resolve a clarification: artifacts get what was clarified, unless a person has the agent asked again. */
export interface ResolvePorts extends AskPorts {
  /** Adds what was clarified on an issue to the artifacts that its workflow names. */
  readonly writeAnswers?: (issueNumber: number, workflow?: Workflow) => Promise<void>;
}

/** To tell an agent everything that it needs. */
export interface BriefPorts {
  readonly store: Store;
  readonly log: Log;
  readonly workflows: Workflows;
  readonly artifacts: Artifacts;
  readonly roles: Roles;
  readonly settings: { readonly autonomy: Autonomy };
  /** What the project remembers, for an agent that starts or is asked. Without it, agents are told nothing of it. */
  readonly recall?: Recall;
}

/** To have an agent take a turn. */
export interface TurnPorts {
  readonly store: Store;
  readonly runnerFor: RunnerFor;
  readonly clock: Clock;
  /** Breaks off whatever waits for an agent or for time: it rejects with the reason, and nothing more is recorded. */
  readonly signal?: AbortSignal;
}

/** To have an agent answer, with everything that may follow from its reply. */
export interface RoutePorts extends ResolvePorts, BriefPorts, TurnPorts {
  readonly runnerFor: RunnerFor;
  /** Without it, targets can ask other agents only. */
  readonly humans?: Humans;
  /** The wait before the one retry of a failed target. */
  readonly retryMs: number;
}
