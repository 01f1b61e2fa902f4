import type { LocatedWorkflow } from '../ports/workflows.js';
import { suggestion } from '../protocol/did-you-mean.js';
import { AgentXError } from '../protocol/errors.js';
import { parseAgentName } from '../protocol/ids.js';
import { DEFAULT_MAX_ROUNDS_BLOCKING, DEFAULT_MAX_ROUNDS_NON_BLOCKING } from '../protocol/limits.js';
import { areParallel, type WorkflowStep } from '../protocol/workflow.js';

/** Resolves an alias and refuses an agent that the project does not have, with the names that it has. */
export function requireKnownAgent(agents: readonly string[], value: string): string {
  const agent = parseAgentName(value);
  if (agents.includes(agent)) return agent;
  throw new AgentXError('INVALID_INPUT', `There is no agent '${agent}'.${suggestion(agent, agents)}`, {
    agent,
    allowed: agents,
  });
}

export interface ScopedAsk {
  readonly from: string;
  readonly to: string;
  /** By default as the step allows. */
  readonly blocking?: boolean;
  /** The requester's step, if it names one. */
  readonly stepId?: string;
  /** The steps that are under way on the issue, of all agents. */
  readonly running?: readonly string[];
}

/** What the workflow grants to an ask. */
export interface Scope {
  readonly step: WorkflowStep;
  readonly blocking: boolean;
  readonly maxRounds: number;
  readonly slaMinutes: number;
}

/** The scope guard. Throws SCOPE_VIOLATION with the agents that may be asked and where that is written. */
export function scopeOf(located: LocatedWorkflow, ask: ScopedAsk): Scope {
  const step = scopingStep(located, ask);
  const allowed = step.can_clarify.map(parseAgentName);
  if (allowed.length === 0) throw noList(located, step, ask);
  if (!allowed.includes(ask.to)) throw notListed(located, step, { ...ask, allowed });
  const blocking = ask.blocking ?? step.clarify_blocking_allowed;
  if (blocking && !step.clarify_blocking_allowed) throw notBlocking(located, step, ask);
  if (isParallelSibling(located, step, ask.to)) throw sibling(located, step, ask);
  return {
    step,
    blocking,
    maxRounds: step.clarify_max_rounds ?? (blocking ? DEFAULT_MAX_ROUNDS_BLOCKING : DEFAULT_MAX_ROUNDS_NON_BLOCKING),
    slaMinutes: step.clarify_sla_minutes,
  };
}

/** Whom an agent may ask, over its steps that are under way, or in its first one. */
export function whomItMayAsk(
  located: LocatedWorkflow,
  { from, running }: { readonly from: string; readonly running: readonly string[] },
): readonly string[] {
  const own = located.workflow.steps.filter((step) => step.agent === from);
  const atWork = own.filter(({ id }) => running.includes(id));
  const steps = atWork.length > 0 ? atWork : own.slice(0, 1);
  const names = steps.flatMap((step) =>
    step.can_clarify.map(parseAgentName).filter((to) => !isParallelSibling(located, step, to)),
  );
  return [...new Set(names)];
}

/** Of several current steps of an agent, one that may ask the target. */
function scopingStep({ workflow, file }: LocatedWorkflow, { from, to, stepId, running = [] }: ScopedAsk): WorkflowStep {
  const own = workflow.steps.filter((step) => step.agent === from);
  const atWork = own.filter(({ id }) => running.includes(id));
  const mayAsk = atWork.find(({ can_clarify }) => can_clarify.map(parseAgentName).includes(to));
  const step = stepId === undefined ? (mayAsk ?? atWork[0] ?? own[0]) : own.find(({ id }) => id === stepId);
  if (step !== undefined) return step;
  const agents = [...new Set(workflow.steps.map(({ agent }) => agent))];
  const what = stepId === undefined ? 'no step' : `no step '${stepId}'`;
  throw new AgentXError(
    'SCOPE_VIOLATION',
    `Agent '${from}' has ${what} in workflow '${workflow.workflow.name}' and cannot clarify there. ` +
      `Agents with a step in ${file}: ${agents.join(', ')}.`,
    { from, file, agents, ...(stepId === undefined ? {} : { step: stepId }) },
  );
}

/** An agent that works at the same time has no finished work to be asked about, and may ask back for ever. */
function isParallelSibling({ workflow }: LocatedWorkflow, step: WorkflowStep, to: string): boolean {
  const steps = workflow.steps.filter(({ agent }) => agent === to);
  return steps.length > 0 && steps.every((other) => areParallel(workflow, step.id, other.id));
}

function noList(located: LocatedWorkflow, step: WorkflowStep, ask: ScopedAsk): AgentXError {
  return violation(located, step, {
    ...ask,
    message: `Agent '${ask.from}' cannot clarify with '${ask.to}'. Allowed: nobody.`,
    where: (place) => `Step '${step.id}' has no can_clarify list (${place}).`,
  });
}

function notListed(
  located: LocatedWorkflow,
  step: WorkflowStep,
  ask: ScopedAsk & { readonly allowed: readonly string[] },
): AgentXError {
  return violation(located, step, {
    ...ask,
    key: 'can_clarify',
    message: `Agent '${ask.from}' cannot clarify with '${ask.to}'. Allowed: ${ask.allowed.join(', ')}.`,
    where: (place) => `The list is can_clarify of step '${step.id}' in ${place}.`,
  });
}

function notBlocking(located: LocatedWorkflow, step: WorkflowStep, ask: ScopedAsk): AgentXError {
  return violation(located, step, {
    ...ask,
    key: 'clarify_blocking_allowed',
    message: `Agent '${ask.from}' cannot wait for '${ask.to}'. Allowed: non-blocking clarifications.`,
    where: (place) => `clarify_blocking_allowed of step '${step.id}' is false in ${place}.`,
  });
}

function sibling(located: LocatedWorkflow, step: WorkflowStep, ask: ScopedAsk): AgentXError {
  return violation(located, step, {
    ...ask,
    key: 'can_clarify',
    message:
      `Agent '${ask.from}' cannot clarify with '${ask.to}', whose work runs in parallel. ` +
      'Allowed: agents of earlier or later steps.',
    where: (place) => `No step of '${ask.to}' needs step '${step.id}' or is needed by it in ${place}.`,
  });
}

interface Violation extends ScopedAsk {
  readonly message: string;
  readonly where: (place: string) => string;
  readonly key?: string;
  readonly allowed?: readonly string[];
}

function violation(located: LocatedWorkflow, step: WorkflowStep, refusal: Violation): AgentXError {
  const { message, where, key, from, to, allowed = [] } = refusal;
  const line = (key === undefined ? undefined : located.lineOf(step.id, key)) ?? located.lineOf(step.id);
  const place = line === undefined ? located.file : `${located.file}, line ${line}`;
  return new AgentXError('SCOPE_VIOLATION', `${message} ${where(place)}`, {
    from,
    to,
    allowed,
    file: located.file,
    line,
    step: step.id,
  });
}
