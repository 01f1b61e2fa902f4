import type { Run } from '../protocol/run.js';
import { upstreamOf, type Workflow, type WorkflowStep } from '../protocol/workflow.js';
import { hasAskedFirst, reviewedBy } from './clarify-first.js';
import {
  type AskedRound,
  askedHumans,
  clarificationKey,
  ENOUGH_FAILURES,
  isHumanFirst,
  type Progress,
  progressOf,
  refusalIn,
  type StepState,
  stateOf,
} from './step-state.js';

/*
 * What comes next in a run: a pure function of its journal and of the workflow it began with. Every action can be
 * repeated without harm until its facts are in the journal, so any executor that performs actions and appends their
 * facts carries the run: this process, the one that resumes after it was killed, or a durable one elsewhere.
 *
 * A step begins when all it needs has ended. It takes turns until a reply leaves nothing open: what a reply asks, and
 * what else its agent has asked in any way, is settled first (clarifications are routed in parallel, humans are waited
 * for) and then there is another turn. A turn that fails is tried once more; failing twice, doing again what was
 * refused, repeating too often, or being sent back too often asks a human what next, unless the step is optional. So
 * does a step that says it is done while its output is missing.
 */

export type Action =
  | { readonly type: 'begin-step'; readonly step: string; readonly attempt: number }
  | {
      readonly type: 'take-turn';
      readonly step: string;
      readonly attempt: number;
      readonly turn: number;
      readonly isRetry: boolean;
    }
  | { readonly type: 'route'; readonly clarificationId: string; readonly round: number }
  | {
      readonly type: 'ask-what-next';
      readonly step: string;
      readonly turn: number;
      readonly reason: string;
      /** The missing output. */
      readonly missing?: string;
    }
  | {
      readonly type: 'end-step';
      readonly step: string;
      readonly attempt: number;
      readonly outcome: 'done' | 'failed' | 'skipped';
      readonly reason?: string;
      /** A human says that the output is there now. */
      readonly isSaidToBeThere?: boolean;
    }
  | { readonly type: 'reopen'; readonly steps: readonly string[]; readonly by: string; readonly turn: number }
  | {
      readonly type: 'ask-budget';
      readonly what: 'cost' | 'tokens';
      readonly used: number;
      readonly limit: number;
      /** How often a human was asked before. */
      readonly times: number;
    }
  | { readonly type: 'stop'; readonly reason: string }
  | { readonly type: 'finish' };

export interface Decision {
  /** They may be carried out in parallel. */
  readonly actions: readonly Action[];
  /** Questions that humans have to answer before some step can go on. */
  readonly waitingOn: readonly string[];
  /**
   * Questions that the targets of clarifications asked: those clarifications are routed again once the questions have
   * ended.
   */
  readonly awaited?: readonly string[];
}

/** An agent that asks again and again must not go on for ever. */
export const MAX_TURNS = 50;

export function decide(run: Pick<Run, 'journal' | 'definition'>, workflow: Workflow): Decision {
  const progress = progressOf(run);
  const routes = progress.asked
    .filter((round) => isToBeRouted(round, progress))
    .map(({ clarificationId, round }): Action => ({ type: 'route', clarificationId, round }));
  const decisions = workflow.steps.map((step) => decideStep(step, workflow, progress));
  const actions = [...routes, ...decisions.flatMap((decision) => decision.actions)];
  const stop = actions.find(({ type }) => type === 'stop');
  if (stop !== undefined) return { actions: [stop], waitingOn: [] };
  const awaited = [...progress.settled.values()].flatMap((settlement) => {
    const { questionId } = settlement;
    return questionId !== undefined && isHumanFirst(settlement) && !progress.ended.has(questionId) ? [questionId] : [];
  });
  const isOver = workflow.steps.every(({ id }) => stateOf(progress, id).outcome !== undefined);
  if (isOver && routes.length === 0) return { actions: [{ type: 'finish' }], waitingOn: [] };
  return { actions, waitingOn: [...new Set(decisions.flatMap(({ waitingOn }) => waitingOn))], awaited };
}

/** The target has not been asked yet, or the human whom the target asked first has answered. */
function isToBeRouted(round: { readonly clarificationId: string; readonly round: number }, progress: Progress) {
  const settlement = progress.settled.get(clarificationKey(round));
  if (settlement === undefined) return true;
  return isHumanFirst(settlement) && progress.ended.has(settlement.questionId ?? '');
}

/** The same action always has the same key: an action at work is not started twice. */
export function keyOf(action: Action): string {
  switch (action.type) {
    case 'begin-step':
    case 'end-step':
      return `${action.type}/${action.step}/${action.attempt}`;
    case 'take-turn':
    case 'ask-what-next':
      return `${action.type}/${action.step}/${action.turn}`;
    case 'route':
      return `route/${clarificationKey(action)}`;
    case 'ask-budget':
      return `ask-budget/${action.times}`;
    case 'reopen':
      return `reopen/${action.by}/${action.turn}`;
    default:
      return action.type;
  }
}

const NOTHING: Decision = { actions: [], waitingOn: [] };
const just = (action: Action): Decision => ({ actions: [action], waitingOn: [] });

function decideStep(step: WorkflowStep, workflow: Workflow, progress: Progress): Decision {
  const state = stateOf(progress, step.id);
  if (state.outcome !== undefined) return NOTHING;
  if (!step.needs.every((id) => stateOf(progress, id).outcome !== undefined)) return NOTHING;
  if (!state.isStarted) return just({ type: 'begin-step', step: step.id, attempt: state.attempt + 1 });
  if (state.whatNext !== undefined) return afterWhatNext(step, state, progress);
  const holdUp = heldUp(state, progress);
  if (holdUp !== undefined) return holdUp;
  const { last } = state;
  if (last === undefined) return another(step, state);
  if (last.type === 'turn-handed') {
    const isAnswered = progress.ended.has(last.questionId);
    return isAnswered ? another(step, { ...state, turns: last.turn - 1 }) : waitFor(last.questionId);
  }
  if (last.type === 'turn-failed') return afterFailure(step, state, last.error);
  const asks = last.acts.some((act) => act.blocking) && !hasAskedFirst(step, last);
  const refusal = refusalIn(last);
  if (refusal !== undefined && !state.hasNews && state.failures >= ENOUGH_FAILURES)
    return refused(step, state, refusal);
  if (asks || state.hasNews) return another(step, state);
  if (last.status === 'failed') return afterFailure(step, state, last.reason ?? 'it says that it failed');
  if (last.status === 'continue') return another(step, state);
  if (last.review?.verdict === 'rejected') return sendBack(step, state, workflow, progress);
  if (last.missing !== undefined) {
    return isTriedAgain(state) ? another(step, state) : withoutOutput(step, state, last.missing);
  }
  return just({ type: 'end-step', step: step.id, attempt: state.attempt, outcome: 'done' });
}

const A_ROUTE = '';

function heldUp(state: StepState, progress: Progress): Decision | undefined {
  const holders = whatHolds(state, progress);
  return holders.length === 0 ? undefined : { actions: [], waitingOn: holders.filter((id) => id !== A_ROUTE) };
}

/**
 * The questions that keep a step from going on: those of its last reply and of attempts before, and those behind every
 * round in which it asks, because an answered round may be handed to a human later. A route that is not over counts as
 * one without a name.
 */
export function whatHolds(state: StepState, progress: Progress): readonly string[] {
  const { asked, askedBefore } = state;
  const questions = [...askedBefore, ...askedHumans(state)].filter((id) => !progress.ended.has(id));
  const rounds = asked.filter(({ blocking }) => blocking).flatMap((round) => whatHoldsRound(round, progress));
  return [...new Set([...questions, ...rounds])];
}

function whatHoldsRound(round: AskedRound, { settled, ended }: Progress): readonly string[] {
  const settlement = settled.get(clarificationKey(round));
  if (settlement === undefined) return [A_ROUTE];
  const questionId = settlement.questionId;
  if (questionId === undefined) return [];
  if (!ended.has(questionId)) return [questionId];
  return isHumanFirst(settlement) ? [A_ROUTE] : [];
}

function another(step: WorkflowStep, state: StepState): Decision {
  if (state.iterations > 0 && state.iterations >= step.max_iterations) {
    return whatNext(step, state, `it went round ${state.iterations} times and is not done`);
  }
  if (state.turnsSince >= MAX_TURNS) return whatNext(step, state, `it took ${MAX_TURNS} turns and is not done`);
  const { id } = step;
  const { attempt, turns, failures } = state;
  return just({ type: 'take-turn', step: id, attempt, turn: turns + 1, isRetry: failures > 0 });
}

function afterFailure(step: WorkflowStep, state: StepState, error: string): Decision {
  if (state.failures < ENOUGH_FAILURES) return another(step, state);
  const isPersons = state.last?.type === 'turn-ended' && state.last.reason !== undefined;
  const reason = isPersons ? `it cannot be done: ${error}` : `it failed twice, the last time with: ${error}`;
  if (!step.optional) return whatNext(step, state, reason);
  return just({ type: 'end-step', step: step.id, attempt: state.attempt, outcome: 'failed', reason: error });
}

/** Told why, its agent does the same again. */
function refused(step: WorkflowStep, state: StepState, refusal: string): Decision {
  const reason = `it does again what was refused: ${refusal}`;
  if (!step.optional) return whatNext(step, state, reason);
  return just({ type: 'end-step', step: step.id, attempt: state.attempt, outcome: 'failed', reason });
}

/** A person wants another try, and there was no turn since. */
function isTriedAgain({ turnsSince }: StepState): boolean {
  return turnsSince === 0;
}

function withoutOutput(step: WorkflowStep, state: StepState, missingOutput: string): Decision {
  const reason = `it says that it is done, and its output ${missingOutput} is not there`;
  const { id } = step;
  if (!step.optional)
    return just({ type: 'ask-what-next', step: id, turn: state.turns, reason, missing: missingOutput });
  return just({ type: 'end-step', step: id, attempt: state.attempt, outcome: 'failed', reason });
}

function whatNext(step: WorkflowStep, { turns }: StepState, reason: string): Decision {
  return just({ type: 'ask-what-next', step: step.id, turn: turns, reason });
}

function afterWhatNext(step: WorkflowStep, state: StepState, progress: Progress): Decision {
  const { questionId = '' } = state.whatNext ?? {};
  const answer = progress.ended.get(questionId);
  if (answer === undefined) return waitFor(questionId);
  if (answer.optionIds.includes('skip')) {
    return just({
      type: 'end-step',
      step: step.id,
      attempt: state.attempt,
      outcome: 'skipped',
      reason: 'skipped by hand',
    });
  }
  if (answer.optionIds.includes('there')) {
    const holdUp = heldUp(state, progress);
    if (holdUp !== undefined) return holdUp;
    if (state.hasNews) return another(step, state);
    return just({ type: 'end-step', step: step.id, attempt: state.attempt, outcome: 'done', isSaidToBeThere: true });
  }
  return just({ type: 'stop', reason: `Step '${step.id}' was given up.` });
}

function waitFor(questionId: string): Decision {
  return { actions: [], waitingOn: [questionId] };
}

/** Everything that followed from the reviewed steps is done again as well, the review itself included. */
function sendBack(step: WorkflowStep, state: StepState, workflow: Workflow, progress: Progress): Decision {
  if (state.sentBack >= step.max_iterations) {
    return whatNext(step, state, `its review rejected the work ${state.sentBack + 1} times`);
  }
  const neededSteps = reviewedBy(step);
  const reviewedSteps = neededSteps.length > 0 ? neededSteps : [step.id];
  const steps = workflow.steps
    .filter(({ id }) => reviewedSteps.includes(id) || reviewedSteps.some((one) => upstreamOf(workflow, id).has(one)))
    .filter(({ id }) => id === step.id || stateOf(progress, id).isStarted)
    .map(({ id }) => id);
  return just({ type: 'reopen', steps, by: step.id, turn: state.turns });
}
