import { isDeepStrictEqual } from 'node:util';
import { supersedeGone } from '../inbox/supersede.js';
import type { Journal } from '../ports/journal.js';
import type { LocatedWorkflow } from '../ports/workflows.js';
import { AgentXError, messageOf } from '../protocol/errors.js';
import { makeRunId } from '../protocol/ids.js';
import type { Issue } from '../protocol/issue.js';
import { createRun, isFinished, type Run, stepsUnderWay, transition, type WorkTree } from '../protocol/run.js';
import type { Workflow } from '../protocol/workflow.js';
import { matchesCondition } from '../workflow/step-order.js';
import { asBegun, clarifiesFirst, clarifyingFirst } from './clarify-first.js';
import type { RunPorts } from './ports.js';
import { type Progress, progressOf, stateOf } from './step-state.js';
import { plannedTree, requireSamePlace } from './work-place.js';

export interface OpenedRun {
  readonly run: Run;
  /** As it was when the run began, with the lines of its file as long as the file is unchanged. */
  readonly located: LocatedWorkflow;
  readonly isResumed: boolean;
  readonly notice?: string;
}

interface OpenRequest {
  readonly issue: Issue;
  /** The latest run of the issue, as the journal has it. */
  readonly last: Run | undefined;
  /** The name of a workflow, instead of the one for the issue's type. */
  readonly workflow?: string;
  readonly clarifyFirst?: boolean;
  /** In the repository's own folder, whatever the settings say. */
  readonly here?: boolean;
}

/** Whether the last run of an issue is over and there is nothing more to do. */
export function isOver(run: Run, issue: Issue): boolean {
  return run.status === 'done' && issue.taskStatus === 'done';
}

/**
 * Whether a run ended after `before` was read: a caller that waited to carry it on gets its end as the result, even if
 * it failed or a human stopped it.
 */
export function hasEndedSince(run: Run, runBefore: Run | undefined): boolean {
  return isFinished(run) && (runBefore?.id !== run.id || !isFinished(runBefore));
}

/** The run that goes on, or a new one if the last one has ended. */
export async function openRun(ports: RunPorts, journal: Journal, request: OpenRequest): Promise<OpenedRun> {
  const { last } = request;
  if (last !== undefined && !isFinished(last)) {
    const resumedRun = await resumed(ports, last, request);
    await requireRunners(ports, request.issue, resumedRun);
    await supersedeGone(ports, request.issue.number);
    return resumedRun;
  }
  const fileWorkflow = await load(ports, request);
  const located = request.clarifyFirst === true ? clarifyingFirst(ports, fileWorkflow) : fileWorkflow;
  await requireRunners(ports, request.issue, { located });
  const workTree = await plannedTree(ports, request);
  const at = ports.clock.now();
  const run = transition(newRun(located, request, { at, workTree }), { type: 'start', at });
  await journal.begin(run);
  await supersedeGone(ports, request.issue.number);
  return { run, located, isResumed: false };
}

interface NewRunFacts {
  readonly at: string;
  readonly workTree: WorkTree | undefined;
}

function newRun(
  { workflow: definition }: LocatedWorkflow,
  { issue, workflow, last: previous }: OpenRequest,
  { at, workTree }: NewRunFacts,
): Run {
  const { number: issueNumber } = issue;
  const id = makeRunId(issueNumber, at, previous?.id);
  const requestedField = workflow === undefined ? {} : { requested: workflow };
  const previousField = previous === undefined ? {} : { previous };
  const treeField = workTree === undefined ? {} : { workTree };
  return createRun({
    id,
    issueNumber,
    workflow: definition.workflow.name,
    definition,
    at,
    ...requestedField,
    ...previousField,
    ...treeField,
  });
}

/** A run ends with the workflow it began with, whatever became of the file. */
async function resumed(ports: Pick<RunPorts, 'workflows'>, run: Run, request: OpenRequest): Promise<OpenedRun> {
  const { issue, workflow, clarifyFirst } = request;
  const { requested, definition } = run;
  requireSamePlace(run, request);
  if (clarifyFirst === true && !clarifiesFirst(definition ?? { steps: [] })) throw hasBegun(run);
  if (workflow !== undefined && workflow !== (requested ?? run.workflow)) throw otherWorkflow(run, workflow);
  const loading = load(ports, requested === undefined ? { issue } : { issue, workflow: requested });
  const fileWorkflow =
    definition === undefined ? await loading : await loading.then((located) => asBegun(definition, located), messageOf);
  if (
    typeof fileWorkflow !== 'string' &&
    (definition === undefined || isDeepStrictEqual(definition, fileWorkflow.workflow))
  ) {
    return { run, located: fileWorkflow, isResumed: true };
  }
  const [file, change] =
    typeof fileWorkflow === 'string' ? [run.workflow, fileWorkflow] : [fileWorkflow.file, 'The file has changed'];
  if (definition === undefined) throw otherWorkflow(run, run.workflow);
  return {
    run,
    located: { workflow: definition, file, lineOf: () => undefined },
    isResumed: true,
    notice: `${file}: ${change.replace(/\.$/, '')}. The run goes on with the workflow it began with. A step that is tried again takes the new one.`,
  };
}

/** The workflow in its present file, for a step that is tried again; it must have every step that is under way. */
export async function presentWorkflow(
  ports: Pick<RunPorts, 'workflows' | 'log'>,
  issue: Issue,
  run: Run,
): Promise<Workflow | undefined> {
  const { requested, definition } = run;
  const request = requested === undefined ? { issue } : { issue, workflow: requested };
  const located = await load(ports, request).catch((error: unknown) => {
    ports.log.warn('a step is tried again with the workflow as it was', { runId: run.id, error: messageOf(error) });
    return undefined;
  });
  if (located === undefined || definition === undefined) return undefined;
  const { workflow } = asBegun(definition, located);
  const ids = workflow.steps.map(({ id }) => id);
  return stepsUnderWay(run).every((step) => ids.includes(step)) ? workflow : undefined;
}

/** Refused before any work is done rather than after an hour; and nothing begins that cannot go on. */
async function requireRunners(
  { runnerFor, store }: Pick<RunPorts, 'runnerFor' | 'store'>,
  { labels }: Issue,
  { located, run = { journal: [] } }: { readonly located: LocatedWorkflow; readonly run?: Pick<Run, 'journal'> },
): Promise<void> {
  const progress = progressOf(run);
  const { isStopped, skipped } = await decidedByHumans({ store }, progress);
  if (isStopped) return;
  const toCome = located.workflow.steps.filter(
    (step) =>
      stateOf(progress, step.id).outcome === undefined && !skipped.includes(step.id) && matchesCondition(step, labels),
  );
  const agents = [...new Set(toCome.map(({ agent }) => agent))];
  for (const [index, agent] of agents.entries()) {
    try {
      runnerFor(agent);
    } catch (error) {
      throw withOthers(error, agents.slice(index + 1), runnerFor);
    }
  }
}

/** What humans decided about steps that could not go on, perhaps because their agents cannot be started any more. */
async function decidedByHumans({ store }: Pick<RunPorts, 'store'>, { steps }: Progress) {
  const decisions = await Promise.all(
    [...steps].map(async ([step, { whatNext }]) => {
      const question = whatNext === undefined ? undefined : await store.questions.read(whatNext.questionId);
      return { step, optionIds: (question?.responses ?? []).flatMap(({ optionIds = [] }) => optionIds) };
    }),
  );
  return {
    isStopped: decisions.some(({ optionIds }) => optionIds.includes('stop')),
    skipped: decisions.flatMap(({ step, optionIds }) => (optionIds.includes('skip') ? [step] : [])),
  };
}

/** Names all missing tables at once, not one after the other. */
function withOthers(error: unknown, agents: readonly string[], runnerFor: RunPorts['runnerFor']): unknown {
  if (!(error instanceof AgentXError) || error.code !== 'CONFIG_ERROR') return error;
  const unconfiguredAgents = agents.filter((agent) => !isConfigured(agent, runnerFor));
  if (unconfiguredAgents.length === 0) return error;
  return new AgentXError(error.code, `${error.message}\nAlso to be set up: ${unconfiguredAgents.join(', ')}.`, {
    ...error.details,
    others: unconfiguredAgents,
  });
}

function isConfigured(agent: string, runnerFor: RunPorts['runnerFor']): boolean {
  try {
    runnerFor(agent);
    return true;
  } catch (error) {
    return !(error instanceof AgentXError) || error.code !== 'CONFIG_ERROR';
  }
}

async function load(
  { workflows }: Pick<RunPorts, 'workflows'>,
  { issue, workflow }: Pick<OpenRequest, 'issue' | 'workflow'>,
): Promise<LocatedWorkflow> {
  return workflow === undefined ? workflows.forIssue(issue) : workflows.named(workflow);
}

/** Going on without the questions would do the work that was to wait for them. */
function hasBegun({ id, issueNumber }: Run): AgentXError {
  return new AgentXError(
    'INVALID_STATE',
    `The run of issue #${issueNumber} has begun already, and --clarify-first is for a new one. ` +
      `Go on with: agentx run ${issueNumber}.`,
    { runId: id, issueNumber },
  );
}

function otherWorkflow(run: Run, workflow: string): AgentXError {
  const began = run.requested ?? run.workflow;
  return new AgentXError(
    'INVALID_STATE',
    `The run of issue #${run.issueNumber} began with the workflow '${began}' and cannot go on with '${workflow}'.`,
    { runId: run.id, workflow, allowed: [began] },
  );
}
