import { suggestion } from '../protocol/did-you-mean.js';
import { parseAgentName, RESERVED_NAMES } from '../protocol/ids.js';
import { isUpstream, type Workflow, type WorkflowStep } from '../protocol/workflow.js';
import { ALLOWED_CONDITIONS, findCycle, readCondition } from './step-order.js';
import type { Problem } from './toml-document.js';

/** The first error between the steps of a workflow, which a schema of one step cannot see. */
export function findProblem(workflow: Workflow, agents: readonly string[]): Problem | undefined {
  const { steps } = workflow;
  return (
    firstOf(steps, (step, index) => duplicateProblem(steps, step, index)) ??
    firstOf(steps, (step, index) => needsProblem(steps, step, index)) ??
    cycleProblem(workflow) ??
    firstOf(steps, (step, index) => agentProblem(step, index, agents)) ??
    firstOf(steps, conditionProblem)
  );
}

/** What is allowed but hardly intended; each sentence comes with its place. */
export function findWarnings(workflow: Workflow): readonly Problem[] {
  return workflow.steps.flatMap((step, index) =>
    step.can_clarify.flatMap((agent) => {
      const path = ['steps', index, 'can_clarify'];
      const stepsOfAgent = workflow.steps.filter((other) => other.agent === agent && other.id !== step.id);
      if (stepsOfAgent.length === 0 || stepsOfAgent.some((other) => isUpstream(workflow, other.id, step.id))) return [];
      const laterStep = stepsOfAgent.find((other) => isUpstream(workflow, step.id, other.id));
      const objection = laterStep
        ? `whose step '${laterStep.id}' comes later and has made nothing yet`
        : 'whose step runs at the same time: the hub will refuse it';
      return [{ path, problem: `step '${step.id}' may ask '${agent}', ${objection}.` }];
    }),
  );
}

/** The same steps with `pm` and other aliases spelt out. */
export function resolveAliases(workflow: Workflow): Workflow {
  const steps = workflow.steps.map((step) => ({
    ...step,
    agent: parseAgentName(step.agent),
    can_clarify: [...new Set(step.can_clarify.map(parseAgentName))],
  }));
  return { ...workflow, steps };
}

function firstOf(
  steps: readonly WorkflowStep[],
  check: (step: WorkflowStep, index: number) => Problem | undefined,
): Problem | undefined {
  for (const [index, step] of steps.entries()) {
    const problem = check(step, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function duplicateProblem(steps: readonly WorkflowStep[], { id }: WorkflowStep, index: number): Problem | undefined {
  if (steps.findIndex((step) => step.id === id) === index) return undefined;
  return { path: ['steps', index, 'id'], problem: `the step id '${id}' is taken. Each step needs an 'id' of its own.` };
}

function needsProblem(steps: readonly WorkflowStep[], step: WorkflowStep, index: number): Problem | undefined {
  const ids = steps.map(({ id }) => id);
  const missingId = step.needs.find((id) => !ids.includes(id));
  if (missingId === undefined) return undefined;
  const others = ids.filter((id) => id !== step.id);
  const allowed = others.length > 0 ? suggestion(missingId, others) : ' There is no other step to need.';
  return {
    path: ['steps', index, 'needs'],
    problem: `'needs' of step '${step.id}' names '${missingId}', which is no step of this workflow.${allowed}`,
  };
}

function cycleProblem(workflow: Workflow): Problem | undefined {
  const cycle = findCycle(workflow);
  if (cycle === undefined) return undefined;
  const index = workflow.steps.findIndex(({ id }) => id === cycle[0]);
  return {
    path: ['steps', index, 'needs'],
    problem: `'needs' goes in a circle: ${cycle.map((id) => `'${id}'`).join(' needs ')}. One of them must not need the next.`,
  };
}

function agentProblem(step: WorkflowStep, index: number, agents: readonly string[]): Problem | undefined {
  const agentKeys = [
    { key: 'agent', names: [step.agent] },
    { key: 'can_clarify', names: step.can_clarify },
  ];
  for (const { key, names } of agentKeys) {
    const wrongName = names.find((name) => !agents.includes(name) || RESERVED_NAMES.includes(name));
    if (wrongName === undefined) continue;
    const objection = RESERVED_NAMES.includes(wrongName)
      ? 'a reserved name. For a person, name an agent whose table in config.toml has runner = "human".'
      : `no agent.${suggestion(wrongName, agents)} Others need a table [agents.${wrongName}] in config.toml.`;
    return {
      path: ['steps', index, key],
      problem: `'${key}' of step '${step.id}' names '${wrongName}', which is ${objection}`,
    };
  }
  return undefined;
}

function conditionProblem({ id, condition }: WorkflowStep, index: number): Problem | undefined {
  if (condition === undefined || readCondition(condition) !== undefined) return undefined;
  return {
    path: ['steps', index, 'condition'],
    problem: `'condition' of step '${id}' is '${condition}'. Allowed: ${ALLOWED_CONDITIONS}.`,
  };
}
