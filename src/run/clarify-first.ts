import type { LocatedWorkflow } from '../ports/workflows.js';
import { AgentXError } from '../protocol/errors.js';
import { parseAct } from '../protocol/origin.js';
import { parseWith } from '../protocol/parse.js';
import type { RunFact } from '../protocol/run.js';
import { CLARIFY_FIRST, type Workflow, WorkflowStep } from '../protocol/workflow.js';
import type { RunPorts } from './ports.js';

/*
 * A run that is to clarify first has one step more than its workflow, before all others: an agent reads the issue and
 * asks everything unclear at once. The answers are in the briefs of all later steps. The step is in the run's snapshot
 * of the workflow, so that it is paused, resumed and shown like any other.
 */

const REQUIREMENTS_ENGINEER = 'requirements-engineer';

/** What the step's brief says beyond that of other steps. */
export const ASK_FIRST =
  'Nobody has begun. Read the issue and what is in the repository, and ask whatever is still unclear in one batch of ' +
  '"open_questions": [{"text", "header", "options": [{"label"}], "fallback": {"option", "reasoning", "risk"}}], each with ' +
  'two to four options and the one that is safe to take if nobody answers. You are not asked again: the answers go to ' +
  'everybody who works on the issue. Do not ask what the issue or the code already say, and do not begin the work. If ' +
  'everything is clear, say so and ask nothing.';

/** The first of these is an agent only if config.toml has a table for it. */
function askerOf({ agents }: Pick<RunPorts, 'agents'>): string {
  return agents.includes(REQUIREMENTS_ENGINEER) ? REQUIREMENTS_ENGINEER : 'product-manager';
}

/** The same workflow, in which nothing begins before the questions are answered. */
export function clarifyingFirst(ports: Pick<RunPorts, 'agents'>, located: LocatedWorkflow): LocatedWorkflow {
  const { workflow, file } = located;
  if (clarifiesFirst(workflow)) throw hasItsOwn(workflow, file);
  const title = 'Ask what is unclear about {{title}}';
  return before(located, parseWith(WorkflowStep, { id: CLARIFY_FIRST, title, agent: askerOf(ports) }, 'The step'));
}

export function clarifiesFirst({ steps }: Pick<Workflow, 'steps'>): boolean {
  return steps.some(({ id }) => id === CLARIFY_FIRST);
}

/** The present file, with the step in front that the run added when it began. */
export function asBegun(definition: Workflow, present: LocatedWorkflow): LocatedWorkflow {
  const first = definition.steps.find(({ id }) => id === CLARIFY_FIRST);
  return first === undefined || clarifiesFirst(present.workflow) ? present : before(present, first);
}

/** One batch and no more: an agent that has asked is done, unless something of the reply could not be carried out. */
export function hasAskedFirst({ id }: WorkflowStep, { acts }: Extract<RunFact, { type: 'turn-ended' }>): boolean {
  return (
    id === CLARIFY_FIRST &&
    acts.some(({ act, questionId }) => parseAct(act)?.kind === 'question' && questionId !== undefined) &&
    acts.every(({ refused, held }) => refused === undefined && held !== true)
  );
}

/** The steps whose work a step builds on; a step that only asked has no work to send back. */
export function reviewedBy({ needs }: Pick<WorkflowStep, 'needs'>): readonly string[] {
  return needs.filter((id) => id !== CLARIFY_FIRST);
}

function before(located: LocatedWorkflow, first: WorkflowStep): LocatedWorkflow {
  const { workflow } = located;
  const steps = workflow.steps.map((step) => (step.needs.length > 0 ? step : { ...step, needs: [first.id] }));
  return { ...located, workflow: { ...workflow, steps: [first, ...steps] } };
}

function hasItsOwn({ workflow }: Workflow, file: string): AgentXError {
  return new AgentXError(
    'INVALID_INPUT',
    `Workflow '${workflow.name}' has a step '${CLARIFY_FIRST}' of its own (${file}). Run it without --clarify-first.`,
    { workflow: workflow.name, file, step: CLARIFY_FIRST },
  );
}
