import * as z from 'zod/mini';
import { AgentXError } from './errors.js';
import { AgentName, ClarificationId, IssueNumber, QuestionId, RunId } from './ids.js';
import { QuestionOutcome } from './question.js';
import type { Shape } from './shape.js';
import { Timestamp } from './timestamp.js';
import { Usage } from './usage.js';
import { Workflow } from './workflow.js';

/*
 * A run is `created`, then `running`; it is `paused` while humans are asked (`waitingOn` names their questions) and
 * runs again when resumed. It ends `done`, `failed` or `stopped` and then never changes, with one exception: a human
 * may have steps of a done run reworked. Then the run is paused until a command runs it again. Beside its status it has
 * a phase: `planning` until the first engineer or coder step starts, `execution` from then on.
 *
 * Every event joins the journal, and so does every fact about the work (`record`). The journal is all that a resumed
 * run, in this process or another, needs to know what comes next; nothing in it is ever changed or removed. An agent's
 * exact words are in its session, under an id that follows from run, step and attempt.
 */

export const RunStatus = z.enum(['created', 'running', 'paused', 'done', 'failed', 'stopped']);
export type RunStatus = z.infer<typeof RunStatus>;

/** What became of one thing that a reply asked for. `refused` says why nothing did. */
export const ActResult = z.looseObject({
  /** `artifact/0`, `clarify/1`, `question/0`, ...: its kind and its place in the reply. */
  act: z.string(),
  /** The step does not go on before this is settled. */
  blocking: z.boolean(),
  clarificationId: z.exactOptional(ClarificationId),
  round: z.exactOptional(z.int()),
  questionId: z.exactOptional(QuestionId),
  path: z.exactOptional(z.string()),
  issueNumber: z.exactOptional(IssueNumber),
  assumptionId: z.exactOptional(z.string()),
  /** What an agent found out, so that no human had to be asked. */
  found: z.exactOptional(z.looseObject({ by: AgentName, question: z.string(), answer: z.string() })),
  /** Not done while the reply's own questions are open; a later turn does it, with that turn's number in `from`. */
  held: z.exactOptional(z.boolean()),
  from: z.exactOptional(z.int()),
  refused: z.exactOptional(z.looseObject({ code: z.string(), message: z.string() })),
});
export type ActResult = Shape<typeof ActResult>;

const at = Timestamp;
const step = z.string();
const turn = z.int();
const reason = z.string();
/** What a turn took: of a model, and of time. */
const turnCost = { usage: z.exactOptional(Usage), workMs: z.exactOptional(z.int().check(z.gte(0))) };

/** Turns are counted per step over the whole run, attempts too: a step that is reopened goes on counting. */
export const RunFact = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('step-started'), at, step, attempt: z.int() }),
  z.looseObject({
    type: z.literal('turn-ended'),
    at,
    step,
    turn,
    status: z.enum(['done', 'failed', 'continue']),
    acts: z.array(ActResult),
    ...turnCost,
    /** Why a person cannot do it: they are not asked again automatically. */
    reason: z.exactOptional(reason),
    /** The runner goes on by itself: the next turn is no further iteration. */
    partial: z.exactOptional(z.boolean()),
    /** The step's declared output, if the agent says that it is done but the file is missing. */
    missing: z.exactOptional(z.string()),
    review: z.exactOptional(
      z.looseObject({
        verdict: z.enum(['approved', 'rejected']),
        cause: z.exactOptional(reason),
        body: z.exactOptional(z.string()),
      }),
    ),
  }),
  /** The agent's program failed, or its output was no reply. */
  z.looseObject({ type: z.literal('turn-failed'), at, step, turn, error: z.string(), ...turnCost }),
  /** The step belongs to a person, who was asked through the inbox. */
  z.looseObject({ type: z.literal('turn-handed'), at, step, turn, questionId: QuestionId }),
  /** A round in which the step's agent asks without a reply of the run; seen in the ledger. */
  z.looseObject({
    type: z.literal('clarification-noticed'),
    at,
    step,
    clarificationId: ClarificationId,
    round: z.int(),
    blocking: z.boolean(),
  }),
  z.looseObject({
    type: z.literal('clarification-settled'),
    at,
    clarificationId: ClarificationId,
    round: z.int(),
    status: z.string(),
    /**
     * For an escalated one, or one whose target asks a human itself: the question that must end first. A round may be
     * settled again: answered, and then handed to a human.
     */
    questionId: z.exactOptional(QuestionId),
    /** What its target, and those that the target asked, used of a model for this round. */
    usage: z.exactOptional(Usage),
  }),
  z.looseObject({
    type: z.literal('question-ended'),
    at,
    questionId: QuestionId,
    outcome: QuestionOutcome,
    optionIds: z.array(z.string()),
  }),
  z.looseObject({ type: z.literal('asked-what-next'), at, step, turn, reason, questionId: QuestionId }),
  /** The run has used what it may: a human decides whether it may use as much again. */
  z.looseObject({
    type: z.literal('asked-budget'),
    at,
    what: z.enum(['cost', 'tokens']),
    used: z.number(),
    limit: z.number(),
    questionId: QuestionId,
  }),
  /** A human had a step tried again: from here on the run follows the workflow in its present file. */
  z.looseObject({ type: z.literal('workflow-renewed'), at, definition: Workflow }),
  z.looseObject({
    type: z.literal('step-ended'),
    at,
    step,
    outcome: z.enum(['done', 'failed', 'skipped']),
    reason: z.exactOptional(reason),
  }),
  /** Steps to be done again, with all that depend on them. `by` is the step whose review sent them back. */
  z.looseObject({
    type: z.literal('reopened'),
    at,
    steps: z.array(step),
    by: z.exactOptional(step),
    /** A human's choice to have them done again. */
    questionId: z.exactOptional(QuestionId),
  }),
]);
export type RunFact = Shape<typeof RunFact>;

export const JournalEntry = z.discriminatedUnion('type', [
  RunFact,
  z.looseObject({ type: z.literal(['created', 'start', 'resume', 'finish', 'enter-execution']), at }),
  z.looseObject({ type: z.literal('pause'), at, waitingOn: z.array(QuestionId) }),
  z.looseObject({ type: z.literal(['fail', 'stop']), at, reason }),
]);
export type JournalEntry = Shape<typeof JournalEntry>;

/** A copy of the repository with a branch of its own, in which the agents of one run work. */
export const WorkTree = z.looseObject({
  branch: z.string(),
  /** The commit that the branch began with. */
  base: z.string(),
  /** The folder of the project in it; empty unless the project is a part of the repository. */
  inside: z.string(),
});
export type WorkTree = Shape<typeof WorkTree>;

export const Run = z.looseObject({
  id: RunId,
  issueNumber: IssueNumber,
  workflow: z.string(),
  /** The workflow that was asked for by name, if it does not follow from the issue's type. */
  requested: z.exactOptional(z.string()),
  /** The workflow as it was when the run began, or when a human last had a step of it tried again. */
  definition: z.exactOptional(Workflow),
  /** Absent for a run in the repository's own folder. */
  workTree: z.exactOptional(WorkTree),
  status: RunStatus,
  phase: z.enum(['planning', 'execution']),
  startedAt: Timestamp,
  updatedAt: Timestamp,
  waitingOn: z.array(QuestionId),
  journal: z.array(JournalEntry),
  /** The turns and reviews of earlier runs of the issue: their journals are gone. */
  past: z.exactOptional(z.array(RunFact)),
});
export type Run = Shape<typeof Run>;

export type RunEvent =
  | { type: 'start' | 'resume' | 'finish' | 'enter-execution'; at: string }
  | { type: 'pause'; at: string; waitingOn: readonly string[] }
  | { type: 'fail' | 'stop'; at: string; reason: string }
  | { type: 'record' | 'rework'; at: string; facts: readonly RunFact[] };

export const RUN_TRANSITIONS: Readonly<Record<RunStatus, Readonly<Partial<Record<RunEvent['type'], RunStatus>>>>> = {
  created: { start: 'running', fail: 'failed', stop: 'stopped' },
  running: {
    pause: 'paused',
    finish: 'done',
    fail: 'failed',
    stop: 'stopped',
    'enter-execution': 'running',
    record: 'running',
  },
  paused: { resume: 'running', fail: 'failed', stop: 'stopped', record: 'paused' },
  done: { rework: 'paused' },
  failed: {},
  stopped: {},
};

export interface NewRun {
  readonly id: string;
  readonly issueNumber: number;
  readonly workflow: string;
  readonly requested?: string;
  readonly definition?: Workflow;
  readonly workTree?: WorkTree;
  /** The run that it replaces. */
  readonly previous?: Run;
  readonly at: string;
}

export function createRun({ at, previous, ...fields }: NewRun): Run {
  const past = previous === undefined ? [] : pastOf(previous);
  return {
    ...fields,
    ...(past.length > 0 && { past }),
    status: 'created',
    phase: 'planning',
    startedAt: at,
    updatedAt: at,
    waitingOn: [],
    journal: [{ at, type: 'created' }],
  };
}

/** The outcome of each turn, without its acts, and what was sent back. */
function pastOf({ past = [], journal }: Run): readonly RunFact[] {
  const pastFacts = journal.flatMap((entry): readonly RunFact[] => {
    if (entry.type === 'turn-ended') return [{ ...entry, acts: [] }];
    const isUsage =
      (entry.type === 'turn-failed' || entry.type === 'clarification-settled') && entry.usage !== undefined;
    return entry.type === 'reopened' || isUsage ? [entry] : [];
  });
  return [...past, ...pastFacts];
}

export function transition(run: Run, event: Readonly<RunEvent>): Run {
  const status = RUN_TRANSITIONS[run.status][event.type];
  if (status === undefined) throw illegal(run, event.type);
  // The process that finishes it has not seen yet that it was sent back.
  if (event.type === 'finish' && isSentBack(run)) return run;
  const facts = 'facts' in event ? event.facts : [];
  const definition = facts.findLast((fact) => fact.type === 'workflow-renewed')?.definition ?? run.definition;
  return {
    ...run,
    ...(definition === undefined ? {} : { definition }),
    status,
    phase: event.type === 'enter-execution' ? 'execution' : run.phase,
    updatedAt: event.at,
    waitingOn: waitingAfter(run, event, status),
    journal: [...run.journal, ...('facts' in event ? event.facts : [event])],
  };
}

/** Whether steps were reopened and none of them was begun or skipped since. */
function isSentBack({ journal }: Run): boolean {
  const index = journal.findLastIndex(({ type }) => type === 'reopened');
  const entry = journal[index];
  if (entry?.type !== 'reopened') return false;
  return !journal.slice(index).some((laterEntry) => {
    const isBegun =
      laterEntry.type === 'step-started' || (laterEntry.type === 'step-ended' && laterEntry.outcome === 'skipped');
    return isBegun && entry.steps.includes(laterEntry.step);
  });
}

export function isFinished(run: Pick<Run, 'status'>): boolean {
  return run.status === 'done' || run.status === 'failed' || run.status === 'stopped';
}

/** Steps that have begun and not ended, in the order in which they began. */
export function stepsUnderWay({ journal }: Pick<Run, 'journal'>): readonly string[] {
  const stepsBegun = new Set<string>();
  for (const entry of journal) {
    if (entry.type === 'step-started') stepsBegun.add(entry.step);
    else if (entry.type === 'step-ended') stepsBegun.delete(entry.step);
    else if (entry.type === 'reopened') for (const step of entry.steps) stepsBegun.delete(step);
  }
  return [...stepsBegun];
}

function waitingAfter(run: Run, event: Readonly<RunEvent>, status: RunStatus): readonly string[] {
  if (event.type === 'pause') return event.waitingOn;
  return status === 'paused' ? run.waitingOn : [];
}

function illegal(run: Run, event: string): AgentXError {
  const allowed = Object.keys(RUN_TRANSITIONS[run.status]);
  const what = allowed.length > 0 ? allowed.join(', ') : 'nothing, it has ended';
  return new AgentXError(
    'INVALID_STATE',
    `Run ${run.id} is ${run.status}, which does not take '${event}'. Allowed: ${what}.`,
    {
      runId: run.id,
      status: run.status,
      event,
      allowed,
    },
  );
}
