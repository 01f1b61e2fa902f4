import type { ActResult, Run, RunFact } from '../protocol/run.js';

/** What the journal says of one step. A step that is reopened starts anew but goes on counting its turns. */
export interface StepState {
  readonly isStarted: boolean;
  readonly attempt: number;
  readonly outcome?: 'done' | 'failed' | 'skipped';
  /** Turns taken, over all attempts. */
  readonly turns: number;
  /** Turns since the step was started, reopened or tried again. */
  readonly turnsSince: number;
  /** Failed turns in a row, and turns in which the same was refused again. */
  readonly failures: number;
  /** How often a reply wanted another iteration without waiting for an answer. */
  readonly iterations: number;
  /** The rounds in which this attempt asks. */
  readonly asked: readonly AskedRound[];
  /** Whether something that held the step up ended after its last turn: the agent must get it. */
  readonly hasNews: boolean;
  /** How often this step's review sent work back. */
  readonly sentBack: number;
  /** What attempts before this one asked humans, and waited for. */
  readonly askedBefore: readonly string[];
  readonly last?: LastTurn;
  readonly whatNext?: { readonly questionId: string; readonly turn: number };
}

export interface AskedRound {
  readonly clarificationId: string;
  readonly round: number;
  readonly blocking: boolean;
}

type LastTurn = Extract<RunFact, { type: 'turn-ended' | 'turn-failed' | 'turn-handed' }>;

export interface Progress {
  readonly steps: ReadonlyMap<string, StepState>;
  /** Every round of the run, by replies or otherwise. */
  readonly asked: readonly AskedRound[];
  /** By `clarificationKey`. */
  readonly settled: ReadonlyMap<string, Extract<RunFact, { type: 'clarification-settled' }>>;
  readonly ended: ReadonlyMap<string, Extract<RunFact, { type: 'question-ended' }>>;
}

type Draft = { -readonly [Key in keyof StepState]: StepState[Key] };

const UNTOUCHED: StepState = {
  isStarted: false,
  attempt: 0,
  turns: 0,
  turnsSince: 0,
  failures: 0,
  iterations: 0,
  asked: [],
  hasNews: false,
  sentBack: 0,
  askedBefore: [],
};

/** Pure: the journal, read once from its beginning. */
export function progressOf({ journal, definition }: Pick<Run, 'journal' | 'definition'>): Progress {
  const steps = new Map<string, Draft>();
  const needsOf = new Map((definition?.steps ?? []).map(({ id, needs }) => [id, needs]));
  const reopenedSteps = new Set<string>();
  // What it needs may have been reopened before the process that started it knew. A need that a human added to the
  // workflow since is no reason to do it again.
  const isReady = (step: string) =>
    (needsOf.get(step) ?? []).every((id) => !reopenedSteps.has(id) || steps.get(id)?.outcome !== undefined);
  const asked: AskedRound[] = [];
  const settled = new Map<string, Extract<RunFact, { type: 'clarification-settled' }>>();
  const ended = new Map<string, Extract<RunFact, { type: 'question-ended' }>>();
  const change = (step: string, next: (state: Draft) => StepState) => {
    steps.set(step, next(steps.get(step) ?? { ...UNTOUCHED }));
  };
  for (const entry of journal) {
    switch (entry.type) {
      case 'step-started':
        change(entry.step, (state) => (isReady(entry.step) ? begun : begunTooEarly)(state, entry.attempt));
        break;
      case 'turn-ended':
      case 'turn-failed':
      case 'turn-handed':
        change(entry.step, (state) => {
          takeTurn(state, entry);
          return state;
        });
        if (entry.type === 'turn-ended') asked.push(...roundsIn(entry.acts));
        break;
      case 'clarification-noticed':
        asked.push(entry);
        change(entry.step, (state) => withNews({ ...state, asked: [...state.asked, entry] }, entry));
        break;
      case 'clarification-settled':
        settled.set(clarificationKey(entry), entry);
        for (const step of steps.keys()) change(step, (state) => withNews(state, entry));
        break;
      case 'question-ended':
        ended.set(entry.questionId, entry);
        for (const [step, state] of steps) {
          if (state.whatNext?.questionId === entry.questionId && isAnotherTry(entry)) change(step, triedAgain);
        }
        break;
      case 'asked-what-next': {
        const { questionId, turn } = entry;
        change(entry.step, (state) => ({ ...state, whatNext: { questionId, turn } }));
        break;
      }
      case 'step-ended':
        // A step that was reopened while it ended has not ended; a step that its condition skips was never started.
        change(entry.step, (state) =>
          state.isStarted || entry.outcome === 'skipped' ? { ...state, outcome: entry.outcome } : state,
        );
        break;
      case 'reopened':
        if (entry.by !== undefined) change(entry.by, (state) => ({ ...state, sentBack: state.sentBack + 1 }));
        for (const step of entry.steps) {
          reopenedSteps.add(step);
          change(step, reopened);
        }
        break;
      default:
        break;
    }
  }
  return { steps, asked, settled, ended };
}

export function stateOf({ steps }: Progress, step: string): StepState {
  return steps.get(step) ?? UNTOUCHED;
}

/** The target waits for a human before it can answer: the round is still to be settled. */
export function isHumanFirst({ status, questionId }: Extract<RunFact, { type: 'clarification-settled' }>): boolean {
  return questionId !== undefined && status !== 'escalated';
}

export function clarificationKey(one: { readonly clarificationId: string; readonly round: number }): string {
  return `${one.clarificationId}/${one.round}`;
}

/** Every answer but these asks for another try; a person's text goes into the brief. */
const NO_TRY = ['skip', 'stop', 'there'];

export function isAnotherTry({ outcome, optionIds }: Extract<RunFact, { type: 'question-ended' }>): boolean {
  return outcome === 'answered' && !optionIds.some((id) => NO_TRY.includes(id));
}

/** Why nothing came of a reply that waits for nothing else. A turn with the same refusal again has failed. */
export function refusalIn(turn: LastTurn | undefined): string | undefined {
  const held = turn?.type === 'turn-ended' ? turn.acts.filter(({ blocking }) => blocking) : [];
  const refusals = held.flatMap(({ refused }) => refused?.message ?? []);
  return refusals.length > 0 && refusals.length === held.length ? refusals.join(' ') : undefined;
}

/** So many failures in a row go to a human. */
export const ENOUGH_FAILURES = 2;

function isFinal(turn: LastTurn): boolean {
  return turn.type === 'turn-ended' && turn.reason !== undefined;
}

function roundsIn(acts: readonly ActResult[]): readonly AskedRound[] {
  return acts.flatMap(({ clarificationId, round, blocking }) =>
    clarificationId === undefined || round === undefined ? [] : [{ clarificationId, round, blocking }],
  );
}

/** The end of a round is news to the step that waits for it. A reply that was only waiting is no iteration. */
function withNews(state: StepState, one: { readonly clarificationId: string; readonly round: number }): StepState {
  const key = clarificationKey(one);
  if (state.hasNews || !state.asked.some((other) => other.blocking && clarificationKey(other) === key)) return state;
  return { ...state, hasNews: true, iterations: state.iterations - (goesRound(state.last) ? 1 : 0) };
}

function goesRound(turn: LastTurn | undefined): boolean {
  if (turn?.type !== 'turn-ended' || turn.partial === true) return false;
  return turn.status === 'continue' && !turn.acts.some(isWaitedFor);
}

function isWaitedFor({ blocking, round, questionId }: ActResult): boolean {
  return blocking && (round ?? questionId) !== undefined;
}

/** Changes the state in place: a long journal has hundreds of turns, and a copy takes longer than all the rest. */
function takeTurn(state: Draft, turn: LastTurn): void {
  const rounds = turn.type === 'turn-ended' ? roundsIn(turn.acts) : [];
  const isRefusedAgain = refusalIn(turn) !== undefined && refusalIn(turn) === refusalIn(state.last);
  if (rounds.length > 0) state.asked = [...state.asked, ...rounds];
  state.hasNews = false;
  delete state.whatNext;
  state.last = turn;
  state.turns = turn.turn;
  state.turnsSince += 1;
  if (turn.type === 'turn-handed') return;
  const isFailure =
    turn.type === 'turn-failed' ||
    isRefusedAgain ||
    (turn.status === 'failed' && !turn.acts.some(({ blocking }) => blocking));
  state.failures = isFailure ? state.failures + (isFinal(turn) ? ENOUGH_FAILURES : 1) : 0;
  if (goesRound(turn)) state.iterations += 1;
}

/** A turn that ended after its step was reopened belongs to the attempt before. */
function begun(state: StepState, attempt: number): StepState {
  const { turns, sentBack, askedBefore } = state;
  return { ...UNTOUCHED, turns, sentBack, askedBefore, isStarted: true, attempt };
}

function begunTooEarly(state: StepState, attempt: number): StepState {
  return { ...reopened(state), attempt };
}

function triedAgain({ whatNext: _, ...state }: StepState): StepState {
  return { ...state, turnsSince: 0, failures: 0, iterations: 0, sentBack: 0 };
}

/** Its questions to humans stay open: the next attempt waits for the answers, and gets them. */
function reopened(state: StepState): StepState {
  const { turns, sentBack, attempt, askedBefore } = state;
  return { ...UNTOUCHED, turns, sentBack, attempt, askedBefore: [...askedBefore, ...askedHumans(state)] };
}

/** The questions to humans that its last reply waits for. */
export function askedHumans({ last }: Pick<StepState, 'last'>): readonly string[] {
  const acts = last?.type === 'turn-ended' ? last.acts : [];
  return acts.flatMap(({ blocking, questionId }) => (blocking && questionId !== undefined ? [questionId] : []));
}
