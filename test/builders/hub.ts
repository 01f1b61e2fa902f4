import type { AskRequest } from '../../src/hub/ask.js';
import { requireRecord } from '../../src/hub/change-record.js';
import type { RoutePorts } from '../../src/hub/ports.js';
import type { Clock } from '../../src/ports/clock.js';
import type { AgentXEvent, EventBus } from '../../src/ports/event-bus.js';
import type { Log } from '../../src/ports/log.js';
import type { Recall } from '../../src/ports/recall.js';
import type { RunnerFor } from '../../src/ports/runner.js';
import type { Store } from '../../src/ports/store.js';
import type { LocatedWorkflow } from '../../src/ports/workflows.js';
import { type AgentStatusEvent, applyStatusEvent, statusForIssue } from '../../src/protocol/agent-status.js';
import type { Brief } from '../../src/protocol/brief.js';
import type { ClarificationRecord } from '../../src/protocol/clarification.js';
import { AgentXError } from '../../src/protocol/errors.js';
import type { AgentXEventMap, AgentXEventName } from '../../src/protocol/events.js';
import { KNOWN_AGENTS, parseClarificationId } from '../../src/protocol/ids.js';
import { parseWith } from '../../src/protocol/parse.js';
import type { Reply } from '../../src/protocol/reply.js';
import { Workflow } from '../../src/protocol/workflow.js';
import { openInMemoryStore } from '../../src/storage/in-memory/store.js';
import { AT } from './clarification.js';
import { anIssue } from './issue.js';

/** A bus that remembers everything; listeners hear at once. */
export interface RecordingBus extends EventBus {
  readonly events: readonly AgentXEvent[];
  names(): readonly AgentXEventName[];
}

export function recordingBus(): RecordingBus {
  const events: AgentXEvent[] = [];
  const listeners = new Map<AgentXEventName, Set<(event: AgentXEvent) => void>>();
  return {
    events,
    names: () => events.map(({ name }) => name),
    history: () => events,
    emit(name, payload) {
      const event = eventOf(name, payload);
      events.push(event);
      for (const listener of listeners.get(name) ?? []) listener(event);
    },
    on(name, listener) {
      const ownListener = (event: AgentXEvent) => {
        if (isNamed(event, name)) listener(event.payload);
      };
      const ofName = listeners.get(name) ?? new Set();
      listeners.set(name, ofName.add(ownListener));
      return () => ofName.delete(ownListener);
    },
  };
}

function eventOf<Name extends AgentXEventName>(name: Name, payload: AgentXEventMap[Name]): AgentXEvent {
  const event = { name, payload };
  if (isEvent(event)) return event;
  throw new Error('unreachable');
}

const isEvent = (event: { readonly name: AgentXEventName; readonly payload: unknown }): event is AgentXEvent =>
  event.payload !== undefined;

const isNamed = <Name extends AgentXEventName>(
  event: { readonly name: AgentXEventName; readonly payload: unknown },
  name: Name,
): event is { readonly name: Name; readonly payload: AgentXEventMap[Name] } => event.name === name;

/** A clock that moves only when a test moves it or a sleep begins. */
export interface FixedClock extends Clock {
  readonly sleeps: readonly number[];
  advance(milliseconds: number): void;
}

export function fixedClock(at: string = AT, duringSleep: () => unknown = () => undefined): FixedClock {
  let now = Date.parse(at);
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => new Date(now).toISOString(),
    advance: (milliseconds) => {
      now += milliseconds;
    },
    sleep: async (milliseconds) => {
      sleeps.push(milliseconds);
      now += milliseconds;
      await duringSleep();
    },
  };
}

interface LogLine {
  readonly level: keyof Log;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface RecordingLog extends Log {
  readonly lines: readonly LogLine[];
}

export function recordingLog(): RecordingLog {
  const lines: LogLine[] = [];
  const at =
    (level: keyof Log) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      lines.push({ level, message, fields });
    };
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** One turn of a scripted agent: a text, a failure, or a function of its brief. */
export type Turn = string | Error | Reply | ((brief: Brief) => string | Reply | Promise<string | Reply>);

interface ScriptedRunners {
  readonly runnerFor: RunnerFor;
  /** Every brief that an agent was given, in order. */
  readonly briefs: readonly Brief[];
}

/** Agents that play their turns; the last turn is repeated. An agent without turns has no runner. */
function scriptedRunners(turns: Readonly<Record<string, readonly Turn[]>>): ScriptedRunners {
  const briefs: Brief[] = [];
  const turnsPlayed = new Map<string, number>();
  const runnerFor: RunnerFor = (agent) => {
    const script = turns[agent];
    if (script === undefined) throw new AgentXError('CONFIG_ERROR', `Agent '${agent}' has no runner.`, { agent });
    return {
      run: async (brief) => {
        briefs.push(brief);
        const index = turnsPlayed.get(agent) ?? 0;
        turnsPlayed.set(agent, index + 1);
        const turn = script[Math.min(index, script.length - 1)] ?? '';
        if (turn instanceof Error) throw turn;
        const reply = typeof turn === 'function' ? await turn(brief) : turn;
        return typeof reply === 'string' ? { text: reply } : reply;
      },
    };
  };
  return { runnerFor, briefs };
}

/** Steps as a file has them: product-manager, then ux-designer and architect side by side, engineer, reviewer. */
const FEATURE_STEPS: readonly Readonly<Record<string, unknown>>[] = [
  { id: 'prd', title: 'PRD', agent: 'product-manager', output: 'docs/prd/PRD-{{issue_number}}.md' },
  { id: 'ux', title: 'UX', agent: 'ux-designer', needs: ['prd'], can_clarify: ['product-manager', 'architect'] },
  {
    id: 'design',
    title: 'Design',
    agent: 'architect',
    needs: ['prd'],
    output: 'docs/adr/ADR-{{issue_number}}-{{slug}}.md',
    can_clarify: ['product-manager', 'engineer'],
  },
  {
    id: 'implement',
    title: 'Implement',
    agent: 'engineer',
    needs: ['ux', 'design'],
    can_clarify: ['architect', 'product-manager'],
  },
  {
    id: 'review',
    title: 'Review',
    agent: 'reviewer',
    needs: ['implement'],
    can_clarify: ['engineer', 'architect'],
    clarify_blocking_allowed: false,
  },
];

/** A workflow in a file in which a step stands on line 10, 20, ... and its keys on the line after. */
export function aWorkflow(steps: readonly Readonly<Record<string, unknown>>[] = FEATURE_STEPS): LocatedWorkflow {
  const workflow = parseWith(Workflow, { workflow: { name: 'feature' }, steps }, 'The workflow');
  return {
    workflow,
    file: '.agentx/workflows/feature.toml',
    lineOf: (stepId, key) => {
      const index = workflow.steps.findIndex(({ id }) => id === stepId);
      if (index < 0) return undefined;
      return key === undefined ? 10 * (index + 1) : 10 * (index + 1) + 1;
    },
  };
}

/** The feature workflow with other fields in one of its steps. */
export function aWorkflowWith(stepId: string, fields: Readonly<Record<string, unknown>>): LocatedWorkflow {
  return aWorkflow(FEATURE_STEPS.map((step) => (step.id === stepId ? { ...step, ...fields } : step)));
}

export interface TestHub extends RoutePorts {
  readonly bus: RecordingBus;
  readonly log: RecordingLog;
  readonly briefs: readonly Brief[];
}

export interface TestHubOptions {
  readonly turns?: Readonly<Record<string, readonly Turn[]>>;
  readonly workflow?: LocatedWorkflow;
  readonly store?: Store;
  readonly clock?: Clock;
  readonly artifacts?: Readonly<Record<string, string>>;
  /** The role texts of agents. */
  readonly roles?: Readonly<Record<string, string>>;
  readonly agents?: readonly string[];
  /** How many issues there are, from number 1 on. */
  readonly issues?: number;
  readonly remembers?: boolean;
  readonly recall?: Recall;
}

/** A hub in memory with a few issues, in which every agent answers at once unless its turns say otherwise. */
export async function aHub(options: TestHubOptions = {}): Promise<TestHub> {
  const { store = openInMemoryStore(), clock = fixedClock(), artifacts = {}, agents = KNOWN_AGENTS } = options;
  const { issues = 3, workflow = aWorkflow() } = options;
  for (let number = 1; number <= issues; number++) {
    await store.issues.create(anIssue({ body: `The body of #${number}` }));
  }
  const answers = Object.fromEntries(agents.map((agent) => [agent, [`The ${agent} has spoken.`]]));
  const { runnerFor, briefs } = scriptedRunners({ ...answers, ...options.turns });
  return {
    store,
    bus: recordingBus(),
    clock,
    log: recordingLog(),
    runnerFor,
    briefs,
    workflows: { forIssue: async () => workflow, named: async () => workflow },
    roles: { of: async (agent) => options.roles?.[agent] },
    artifacts: {
      read: async (paths) =>
        paths.flatMap((path) => {
          const content = artifacts[path];
          return content === undefined ? [] : [{ path, content }];
        }),
    },
    agents,
    settings: {
      autonomy: {
        scopeChanges: 'requires_approval',
        architectureDecisions: 'requires_approval',
        dependencyModifications: 'automated',
      },
    },
    retryMs: 30_000,
    projectId: 'shop',
    ...(options.remembers === undefined ? {} : { remembers: options.remembers }),
    ...(options.recall === undefined ? {} : { recall: options.recall }),
  };
}

/** A blocking ask of the engineer to the architect on issue 1. */
export function anAsk(fields: Partial<AskRequest> = {}): AskRequest {
  return {
    issueNumber: 1,
    from: 'engineer',
    to: 'architect',
    topic: 'Database adapter',
    question: 'SQLite or PostgreSQL?',
    blocking: true,
    ...fields,
  };
}

/** The coded error with which an attempt ends; anything else it does fails the test. */
export async function refused(attempt: Promise<unknown>): Promise<AgentXError> {
  const outcome = await attempt.catch((error: unknown) => error);
  if (outcome instanceof AgentXError) return outcome;
  throw new Error(`Nothing was refused: ${String(outcome)}`);
}

/** What the status file says of an agent on an issue. */
export async function statusOf(hub: RoutePorts, agent: string, issueNumber = 1) {
  const { status, clarificationId, waitingOn, respondingTo } = statusForIssue(
    (await hub.store.statuses.read())[agent],
    issueNumber,
  );
  return { status, clarificationId, waitingOn, respondingTo };
}

/** Gives an agent work, so that there is something to interrupt and to return to. */
export async function atWork(hub: RoutePorts, agent: string, issueNumber = 1): Promise<void> {
  await statusEvent(hub, agent, { type: 'assign', issue: issueNumber, at: hub.clock.now() });
}

/** The agent has finished with the issue. */
export async function doneWith(hub: RoutePorts, agent: string, issueNumber = 1): Promise<void> {
  await statusEvent(hub, agent, { type: 'set', issue: issueNumber, at: hub.clock.now(), status: 'done' });
}

async function statusEvent(hub: RoutePorts, agent: string, event: AgentStatusEvent): Promise<void> {
  await hub.store.statuses.update([agent], (file) => ({
    next: { ...file, [agent]: applyStatusEvent(file[agent], event) },
    result: undefined,
  }));
}

export async function recordOf(hub: RoutePorts, clarificationId: string): Promise<ClarificationRecord> {
  const { issueNumber } = parseClarificationId(clarificationId);
  return requireRecord(await hub.store.ledgers.read(issueNumber), clarificationId);
}
