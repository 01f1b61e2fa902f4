import { type ClarificationRecord, lastQuestion, type ThreadEntry } from '../protocol/clarification.js';
import { escalationQuestionId, HUMAN } from '../protocol/ids.js';
import { isAskedInside, parseOrigin } from '../protocol/origin.js';
import type { Run, RunFact } from '../protocol/run.js';
import { isBefore } from '../protocol/timestamp.js';
import type { WorkflowStep } from '../protocol/workflow.js';
import type { RunContext } from './context.js';
import { whatHolds } from './decide.js';
import { clarificationKey, isHumanFirst, type Progress, progressOf, type StepState, stateOf } from './step-state.js';

/*
 * Agents ask not only by their replies: a program calls `agentx ask` during its turn, a human escalates an answered
 * clarification or follows it up in another terminal, a sweep finds one that is late. All of this is in the ledger and
 * none of it in the journal, which alone decides what comes next. So before a turn begins, before it ends and before a
 * step ends, the run reads the ledger, and what is new to the journal joins it as facts.
 */

/** The ledger, read for a step of a run. */
export interface StepLedger {
  readonly run: Run;
  readonly step: WorkflowStep;
  /** The ledger of the issue. */
  readonly clarifications: readonly ClarificationRecord[];
}

/** The ledger as it is now, beside the journal. The followers of the run are shown what others wrote into it. */
export async function readLedger(
  { ports, issueNumber, journal, teller }: RunContext<'store'>,
  step: WorkflowStep,
): Promise<StepLedger> {
  const { clarifications } = await ports.store.ledgers.read(issueNumber);
  teller.tell(clarifications);
  return { run: journal.run, step, clarifications };
}

interface LedgerNews {
  /** What is new to the journal. */
  readonly facts: readonly RunFact[];
  /** Whether the step has to wait, given these facts. */
  readonly isHeld: boolean;
  /** Whether the step's agent must get news first. */
  readonly hasNews: boolean;
}

/** Pure: what has become of a step's clarifications, in this process or another. */
export function ledgerNews(ledger: StepLedger, at: string): LedgerNews {
  const { run, step } = ledger;
  const { heard, news } = noticeIn({ ...ledger, at });
  const facts = [...heard, ...news];
  const progress = progressOf({ ...run, journal: [...run.journal, ...facts] });
  const state = stateOf(progress, step.id);
  return { facts, isHeld: whatHolds(state, progress).length > 0, hasNews: state.hasNews };
}

interface Noticing extends StepLedger {
  /** The turn that has just ended, if one has. */
  readonly turn?: EndedTurn;
  readonly at: string;
}

export interface EndedTurn {
  /** The origin of what was asked from inside the turn. */
  readonly origin: string;
  readonly startedAt: string;
  /** Clarifications whose answers the agent had: in its brief, or because it asked from inside the turn. */
  readonly answered: readonly string[];
}

export interface Noticed {
  /** What the agent already knows, because it asked and got the answer in its turn: only to be counted. */
  readonly heard: readonly RunFact[];
  /** What it does not know yet, or waits for. */
  readonly news: readonly RunFact[];
}

/** Pure: the facts about the clarifications of a step's agent that the journal lacks. */
export function noticeIn(noticing: Noticing): Noticed {
  const { run, step, clarifications } = noticing;
  const heard: RunFact[] = [];
  const news: RunFact[] = [];
  const ownRecords = clarifications.filter((one) => isOwn(one, step.agent));
  if (ownRecords.length === 0) return { heard, news };
  const progress = progressOf(run);
  for (const record of ownRecords) {
    for (const question of record.thread.filter(({ type }) => type === 'question')) {
      const facts = factsOf(noticing, progress, { record, question });
      (isHeard(noticing, { record, question }) ? heard : news).push(...facts);
    }
  }
  return { heard, news };
}

/**
 * Answered clarifications for which the step must say whether the answer suffices. Those of another step are left to
 * that step.
 */
export function answeredFor({ run, step, clarifications }: StepLedger): readonly ClarificationRecord[] {
  const answeredRecords = clarifications.filter((record) => isOwn(record, step.agent) && record.status === 'answered');
  if (answeredRecords.length === 0) return [];
  const progress = progressOf(run);
  const otherIds = otherSteps(run, progress, step.id).map(({ clarificationId }) => clarificationId);
  const isLeft = (record: ClarificationRecord) =>
    otherIds.includes(record.id) || isAskedElsewhere({ run, step }, progress, originOf(record, lastQuestion(record)));
  return answeredRecords.filter((record) => !isLeft(record));
}

/** Those of them that the agent asked from inside the turn, and so knows without a brief. */
export function answeredInside(ledger: StepLedger, turn: string): readonly ClarificationRecord[] {
  return answeredFor(ledger).filter((record) => record.blocking && isInside(turn, record, lastQuestion(record)));
}

/**
 * What the agent knows when a turn ends, unless another process has followed up meanwhile. A killed run may already
 * have resolved it in the agent's name; carried out again, the turn ends in the same facts.
 */
export function answeredIn({ step, clarifications }: StepLedger, turn: EndedTurn): readonly ClarificationRecord[] {
  return clarifications.filter((record) => {
    const { id, status, thread } = record;
    const isTaken = status === 'answered' || (status === 'resolved' && thread.at(-1)?.from === step.agent);
    return turn.answered.includes(id) && isTaken && hasHeard(turn, record, lastQuestion(record));
  });
}

/** The rounds whose answers the agent had in its turn: what its reply says of a clarification is about these. */
export function heardRounds({ clarifications }: StepLedger, turn: EndedTurn): ReadonlyMap<string, number> {
  const heardRecords = clarifications.filter(({ id }) => turn.answered.includes(id));
  const rounds = heardRecords.map((record) => {
    const question = record.thread.findLast((entry) => entry.type === 'question' && hasHeard(turn, record, entry));
    return [record.id, question?.round ?? record.round] as const;
  });
  return new Map(rounds);
}

interface Round {
  readonly record: ClarificationRecord;
  readonly question: ThreadEntry;
}

/** What an agent asks while it composes an answer belongs to the agent that waits for that answer. */
function isOwn({ from, within }: ClarificationRecord, agent: string): boolean {
  return from === agent && within === undefined;
}

function factsOf({ run, step, at }: Noticing, progress: Progress, { record, question }: Round): readonly RunFact[] {
  const { id: clarificationId, blocking } = record;
  const { round } = question;
  const stand = standOf(record, round);
  const settledFact = settledAs(record, round, at);
  const key = clarificationKey({ clarificationId, round });
  const isSame = (other: { readonly clarificationId: string; readonly round: number }) =>
    clarificationKey(other) === key;
  const earlierSettlement = progress.settled.get(key);
  if (stateOf(progress, step.id).asked.some(isSame)) {
    if (
      earlierSettlement === undefined ||
      earlierSettlement.status === 'escalated' ||
      earlierSettlement.status === stand
    )
      return [];
    return isTakenUp(record, round) ? [settledFact] : [];
  }
  if (otherSteps(run, progress, step.id).some(isSame)) return [];
  if (isAskedElsewhere({ run, step }, progress, originOf(record, question))) return [];
  const isOpen = blocking && (isAsked(stand) || stand === 'escalated');
  const isNew = !progress.asked.some(isSame) && !isBefore(question.timestamp, run.startedAt);
  if (!isOpen && !isNew) return [];
  const noticedFact: RunFact = { type: 'clarification-noticed', at, step: step.id, clarificationId, round, blocking };
  return isAsked(stand) ? [noticedFact] : [noticedFact, settledFact];
}

/**
 * Pure: what has become of rounds whose targets wait for humans: a person may have answered for a target, or taken the
 * question from it.
 */
export function settledElsewhere(
  { run, clarifications }: Pick<StepLedger, 'run' | 'clarifications'>,
  at: string,
): readonly RunFact[] {
  const { settled, ended } = progressOf(run);
  const waiting = [...settled.values()].filter((one) => isHumanFirst(one) && !ended.has(one.questionId ?? ''));
  return waiting.flatMap(({ clarificationId, round }) => {
    const record = clarifications.find(({ id }) => id === clarificationId);
    return record === undefined || isAsked(standOf(record, round)) ? [] : [settledAs(record, round, at)];
  });
}

function settledAs(record: ClarificationRecord, round: number, at: string): RunFact {
  const { id: clarificationId } = record;
  const status = standOf(record, round);
  const question = status === 'escalated' ? { questionId: escalationQuestionId(clarificationId, round) } : {};
  return { type: 'clarification-settled', at, clarificationId, round, status, ...question };
}

function isAsked(stand: ClarificationRecord['status']): boolean {
  return stand === 'pending' || stand === 'stale';
}

/** A round that another one followed was answered. */
function standOf({ round: presentRound, status }: ClarificationRecord, round: number): ClarificationRecord['status'] {
  return round === presentRound ? status : 'answered';
}

/** An answered round that a human has taken up since: it waits for the human, or the human decided otherwise. */
function isTakenUp({ round: presentRound, status, thread }: ClarificationRecord, round: number): boolean {
  if (round !== presentRound) return false;
  if (status === 'escalated') return true;
  const isEscalated = thread.some((entry) => entry.type === 'escalation' && entry.round === round);
  return status === 'resolved' && isEscalated && thread.at(-1)?.from === HUMAN;
}

function isHeard({ turn, step }: Noticing, { record, question }: Round): boolean {
  const stand = standOf(record, question.round);
  if (!record.blocking || stand === 'abandoned') return true;
  if (turn === undefined || !hasHeard(turn, record, question)) return false;
  return stand === 'answered' || (stand === 'resolved' && record.thread.at(-1)?.from === step.agent);
}

/** Whether the answer to a question was in the brief of a turn, or given to the agent inside it. */
function hasHeard({ origin, startedAt, answered }: EndedTurn, record: ClarificationRecord, question: ThreadEntry) {
  if (isInside(origin, record, question)) return true;
  return answered.includes(record.id) && !isBefore(startedAt, question.timestamp);
}

/** Whether it was asked inside the turn, and the agent waited for the answer there. */
function isInside(turn: string, record: ClarificationRecord, question: ThreadEntry): boolean {
  return isAskedInside(turn, originOf(record, question)) && !record.unheard?.includes(turn);
}

/** The origin of the first round is in the record itself. */
function originOf({ origin }: ClarificationRecord, question: ThreadEntry): string | undefined {
  return question.round === 1 ? origin : question.origin;
}

/** Whether another step of the same agent asked, whose turn has not ended: the journal does not have it yet. */
function isAskedElsewhere(
  { run, step }: Pick<StepLedger, 'run' | 'step'>,
  progress: Progress,
  origin?: string,
): boolean {
  const cause = parseOrigin(origin);
  if (cause.by !== 'run' || cause.runId !== run.id || cause.step === undefined || cause.step === step.id) return false;
  return isUnderWay(stateOf(progress, cause.step));
}

function isUnderWay({ isStarted, outcome }: StepState): boolean {
  return isStarted && outcome === undefined;
}

/** The rounds of the other steps that are under way. */
function otherSteps({ definition }: Run, progress: Progress, step: string) {
  const others = (definition?.steps ?? []).filter(({ id }) => id !== step).map(({ id }) => stateOf(progress, id));
  return others.filter(isUnderWay).flatMap(({ asked }) => asked);
}
