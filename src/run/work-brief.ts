import { clarificationsFor } from '../hub/brief-clarifications.js';
import { idsIn } from '../memory/memory-injector.js';
import { autonomyBrief } from '../protocol/autonomy.js';
import type { Artifact, Brief } from '../protocol/brief.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { makeSessionId } from '../protocol/ids.js';
import type { Issue } from '../protocol/issue.js';
import { outcomeOf } from '../protocol/question-answerers.js';
import { decisionOf } from '../protocol/question-decision.js';
import type { ActResult } from '../protocol/run.js';
import { CLARIFY_FIRST, fillTemplate, upstreamOf, type Workflow, type WorkflowStep } from '../protocol/workflow.js';
import { originOf, type Place, type RunContext, requireStep } from './context.js';
import { heldParts } from './held-back.js';
import { actsOf, questionsOf, reviewsBehind, turnsOf } from './history.js';
import { progressOf, stateOf } from './step-state.js';
import { workPrompt } from './work-prompt.js';

/** The records behind a brief, read by the caller. */
export interface BriefSources {
  readonly issue: Issue;
  /** The ledger of the issue. */
  readonly clarifications: readonly ClarificationRecord[];
}

/** Everything that an agent gets for one turn of a step. */
export async function workBrief(
  context: RunContext<'store' | 'artifacts' | 'roles' | 'recall' | 'settings'>,
  place: Place,
  { issue, clarifications }: BriefSources,
): Promise<Brief> {
  const { ports } = context;
  const step = requireStep(context, place.step);
  const [artifacts, templates, answers, role] = await Promise.all([
    artifactsFor(context, step, issue),
    step.template === undefined ? [] : ports.artifacts.read([fillTemplate(step.template, issue)], issue.number),
    answersFor(context, step),
    ports.roles.of(step.agent),
  ]);
  const { number, title, body, labels } = issue;
  const brief = {
    kind: 'work' as const,
    agent: step.agent,
    ...(role === undefined ? {} : { role }),
    issue: { number, title, body, labels, ...(await conversationOf(context, issue, answers)) },
    step: stepFor(context, step, { place, issue, template: templates[0]?.content }),
    artifacts,
    clarifications: clarificationsFor(step.agent, clarifications),
    answers,
    refused: refusalsBefore(context, step.id).map(({ origin: _, ...refused }) => refused),
    ...(await heldBefore(context, place)),
    ...(await recalled(context, { place, step, issue })),
    autonomy: autonomyBrief(ports.settings),
  };
  return { ...brief, prompt: workPrompt(brief) };
}

/** In each turn of a session only what the earlier turns were not told. */
async function recalled(
  { ports, runId, issueNumber }: RunContext<'store' | 'recall'>,
  { place, step, issue }: { readonly place: Place; readonly step: WorkflowStep; readonly issue: Issue },
): Promise<Pick<Brief, 'memory'>> {
  if (ports.recall === undefined) return {};
  const session = await ports.store.sessions.read(makeSessionId(runId, step.id, place.attempt));
  const recalls = (session?.turns ?? []).map(({ brief }) => brief?.memory ?? '');
  const query = [issue.title, fillTemplate(step.title, issue), issue.body].join('\n');
  const memory = await ports.recall.recall({
    agent: step.agent,
    issueNumber,
    query,
    known: new Set(recalls.flatMap(idsIn)),
  });
  return memory === '' ? {} : { memory };
}

const MAX_COMMENTS = 20;

/** Without what `answers` contains anyway, and without answers to questions of other agents. */
async function conversationOf(
  { ports }: RunContext<'store'>,
  { comments }: Issue,
  answers: Brief['answers'],
): Promise<Pick<Brief['issue'], 'comments'>> {
  const ids = comments.flatMap(({ questionId }) => questionId ?? []);
  const questions = await Promise.all(ids.map((id) => ports.store.questions.read(id)));
  const deeper = questions
    .filter((question) => (question?.askedBy.chain.length ?? 1) > 1)
    .map((question) => question?.id);
  const knownIds = new Set([...deeper, ...answers.map(({ question }) => question)]);
  const untold = comments.filter(({ questionId }) => questionId === undefined || !knownIds.has(questionId));
  const latest = untold.slice(-MAX_COMMENTS).map(({ author, body }) => ({ ...(author && { author }), body }));
  return latest.length === 0 ? {} : { comments: latest };
}

interface StepFacts {
  readonly place: Place;
  readonly issue: Issue;
  readonly template: string | undefined;
}

function stepFor(
  context: RunContext,
  step: WorkflowStep,
  { place, issue, template }: StepFacts,
): NonNullable<Brief['step']> {
  const run = context.journal.run;
  const reviews = reviewsBehind(run, step.id);
  const review = reviews.at(-1);
  return {
    id: step.id,
    title: fillTemplate(step.title, issue),
    ...(step.output === undefined ? {} : { output: fillTemplate(step.output, issue) }),
    can_clarify: step.can_clarify,
    ...(step.clarify_blocking_allowed ? {} : { clarify_blocking_allowed: false }),
    turn: place.turn,
    attempt: place.attempt,
    ...(step.iterate
      ? { iteration: stateOf(progressOf(run), step.id).iterations + 1, max_iterations: step.max_iterations }
      : {}),
    ...(step.completion_criteria === undefined ? {} : { completion_criteria: step.completion_criteria }),
    ...(template === undefined ? {} : { template }),
    ...(review === undefined ? {} : { review }),
    ...(reviews.length > 1 ? { reviews } : {}),
  };
}

/** What the steps before this one wrote, what they were to write, and what this one wrote itself. */
async function artifactsFor(
  context: RunContext<'artifacts'>,
  step: WorkflowStep,
  issue: Issue,
): Promise<readonly Artifact[]> {
  const authors = new Map<string, string>();
  for (const { id, agent, output } of stepsBefore(context.workflow, step)) {
    const writtenPaths = actsOf(context.journal.run, id).flatMap(({ path }) => path ?? []);
    const declaredPaths = output === undefined ? [] : [fillTemplate(output, issue)];
    for (const path of [...declaredPaths, ...writtenPaths]) authors.set(path, agent);
  }
  const artifacts = await context.ports.artifacts.read([...authors.keys()].slice(-MAX_ARTIFACTS), context.issueNumber);
  return artifacts.map((artifact) => ({ ...artifact, agent: authors.get(artifact.path) ?? step.agent }));
}

const MAX_ARTIFACTS = 30;

function stepsBefore(workflow: Workflow, step: WorkflowStep): readonly WorkflowStep[] {
  const upstream = upstreamOf(workflow, step.id);
  return [...workflow.steps.filter(({ id }) => upstream.has(id)), step];
}

/**
 * Every question that has ended, part by part, including those asked before all steps; one without an answer says how
 * it ended.
 */
async function answersFor({ ports, journal }: RunContext<'store'>, step: WorkflowStep): Promise<Brief['answers']> {
  const { run } = journal;
  const firstQuestions = actsOf(run, CLARIFY_FIRST).flatMap(({ questionId }) => questionId ?? []);
  const ids = new Set([...firstQuestions, ...questionsOf(run, step.id)]);
  const findings = actsOf(run, step.id).flatMap((act) =>
    act.found === undefined ? [] : [foundOut(act.act, act.found)],
  );
  const questions = await Promise.all([...ids].map((id) => ports.store.questions.read(id)));
  const answers = questions.flatMap((question) => {
    const questionOutcome = question?.outcome;
    if (question === undefined || questionOutcome === undefined) return [];
    return question.questions.map(({ id, text }) => {
      const outcome = outcomeOf(question, id) ?? questionOutcome;
      return { questionId: id, question: question.id, text, answer: decisionOf(question, id), outcome };
    });
  });
  return [...answers, ...findings];
}

function foundOut(questionId: string, { by, question, answer }: NonNullable<ActResult['found']>) {
  return { questionId, text: question, answer, outcome: 'answered' as const, from: by };
}

async function heldBefore(context: RunContext<'store'>, place: Place): Promise<Pick<Brief, 'held'>> {
  const { issues, artifacts } = await heldParts(context, place);
  if (issues.length + artifacts.length === 0) return {};
  return {
    held: { issues: issues.map(({ draft }) => draft.title), artifacts: artifacts.map(({ artifact }) => artifact.path) },
  };
}

/** What of the last reply was not carried out, by its origin; or why the whole turn failed. */
export function refusalsBefore(
  context: RunContext,
  step: string,
): readonly (Brief['refused'][number] & { readonly origin: string })[] {
  const { run } = context.journal;
  const last = turnsOf(run, step).at(-1);
  const failure = run.journal.findLast((entry) => entry.type === 'turn-failed' && entry.step === step);
  if (failure?.type === 'turn-failed' && failure.turn > (last?.turn ?? 0)) {
    return [{ code: 'AGENT_ERROR', message: failure.error, origin: originOf(context, failure, 'failed') }];
  }
  return (last?.acts ?? []).flatMap(({ act, refused }) =>
    refused === undefined ? [] : [{ ...refused, origin: originOf(context, { step, turn: last?.turn ?? 0 }, act) }],
  );
}
