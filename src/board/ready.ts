import type { ListedClarification } from '../ports/store.js';
import type { AgentXError } from '../protocol/errors.js';
import { escalationQuestionId } from '../protocol/ids.js';
import { type Issue, type IssueSummary, priorityOf } from '../protocol/issue.js';
import type { QuestionSummary } from '../protocol/question-summary.js';
import type { RunStanding } from '../protocol/run-standing.js';
import type { BoardPorts } from './ports.js';
import { runStandings } from './standings.js';

/** A run that could go on but has no process. */
export type LeftRun = Pick<RunStanding, 'id' | 'status' | 'ended'> & { readonly goOn: string };

export interface WithRun {
  readonly run?: LeftRun;
}

export interface BlockedIssue<I = Issue> extends WithRun {
  readonly issue: I;
  readonly reason: string;
  readonly clarificationId?: string;
  readonly questionId?: string;
}

export interface ReadyQueue<I = Issue> {
  readonly ready: readonly (I & WithRun)[];
  readonly blocked: readonly BlockedIssue<I>[];
}

interface Damaged {
  /** What could not be read; the rest is listed all the same. */
  readonly damaged: readonly AgentXError[];
}

export interface BoardState {
  readonly issues: readonly IssueSummary[];
  readonly active: readonly ListedClarification[];
  readonly openQuestions: readonly Pick<QuestionSummary, 'id' | 'issueNumber' | 'blocking'>[];
  readonly runs?: readonly RunStanding[];
}

/** The most urgent first, without opening unchanged issues. Pass `active` if it was read just now. */
export async function readySummaries(
  { store }: Pick<BoardPorts, 'store'>,
  active?: readonly ListedClarification[],
): Promise<ReadyQueue<IssueSummary> & Damaged> {
  const [issues, waiting, questions] = await Promise.all([
    store.issues.summaries(),
    active === undefined ? store.ledgers.list({ active: true }) : { items: active, damaged: [] },
    store.questions.summaries({ status: 'open' }),
  ]);
  const openQuestions = questions.items;
  const runs = await runStandings(store, new Set(issues.items.map(({ number }) => number)), openQuestions);
  const queue = queueOf({ issues: issues.items, active: waiting.items, openQuestions, runs: runs.items });
  return { ...queue, damaged: [...issues.damaged, ...waiting.damaged, ...questions.damaged, ...runs.damaged] };
}

/** The same with the whole issues. */
export async function readyQueue(
  ports: Pick<BoardPorts, 'store'>,
  active?: readonly ListedClarification[],
): Promise<ReadyQueue & Damaged> {
  const { ready, blocked, damaged } = await readySummaries(ports, active);
  // An issue removed a moment ago is left out.
  const wholeIssue = async ({ number, run }: IssueSummary & WithRun) => {
    const issue = await ports.store.issues.read(number);
    return issue === undefined ? [] : { ...issue, ...(run && { run }) };
  };
  return {
    ready: (await Promise.all(ready.map(wholeIssue))).flat(),
    blocked: (
      await Promise.all(
        blocked.map(async (block) => [await wholeIssue(block.issue)].flat().map((issue) => ({ ...block, issue }))),
      )
    ).flat(),
    damaged,
  };
}

/**
 * Work in progress and finished work is in neither list, unless it waits for something. Work of an interrupted run is
 * ready, whatever status the dead process left.
 */
export function queueOf({ issues, active, openQuestions, runs = [] }: BoardState): ReadyQueue<IssueSummary> {
  const openIssues = inOrderOfUrgency(issues);
  const clarifications = firstByIssue(active.filter(holdsUp));
  const questions = firstByIssue(openQuestions.filter(({ blocking }) => blocking));
  const questionIds = new Set(openQuestions.filter(({ blocking }) => blocking).map(({ id }) => id));
  const blockers = blockersOf(openIssues);

  const blockOf = (issue: IssueSummary): BlockedIssue<IssueSummary> | undefined => {
    const clarification = clarifications.get(issue.number);
    if (clarification !== undefined) return waitingForClarification(issue, clarification, questionIds);
    const question = questions.get(issue.number);
    if (question !== undefined) {
      return { issue, reason: `BLOCKED: Question ${question.id} pending from you`, questionId: question.id };
    }
    if (issue.taskStatus === 'blocked') return { issue, reason: `BLOCKED: ${issue.block_reason ?? 'no reason given'}` };
    const others = blockers.get(issue.number);
    return others === undefined ? undefined : { issue, reason: `BLOCKED: ${others.map((n) => `#${n}`).join(', ')}` };
  };

  const stoppedRuns = new Map(runs.map((run) => [run.issueNumber, leftRun(run)]));
  const judgements = openIssues.map((issue) => {
    const run = stoppedRuns.get(issue.number);
    return {
      issue,
      block: blockOf(issue),
      isFree: issue.taskStatus === 'open' || run !== undefined,
      more: run && { run },
    };
  });
  return {
    // The same object as was listed, where nothing is added to it: callers can remember what they made of it.
    ready: judgements.flatMap(({ issue, block, isFree, more }) =>
      block === undefined && isFree ? [more === undefined ? issue : { ...issue, ...more }] : [],
    ),
    blocked: judgements.flatMap(({ block, more }) => (block === undefined ? [] : [{ ...block, ...more }])),
  };
}

function leftRun({ id, status, ended, goOn }: RunStanding): LeftRun | undefined {
  return goOn === undefined ? undefined : { id, status, ended, goOn };
}

function waitingForClarification(
  issue: IssueSummary,
  { record }: ListedClarification,
  openQuestionIds: ReadonlySet<string>,
): BlockedIssue<IssueSummary> {
  const isEscalated = record.status === 'escalated';
  const questionIds = isEscalated ? [escalationQuestionId(record.id, record.round)] : (record.questions ?? []);
  const questionId = questionIds.find((id) => openQuestionIds.has(id));
  const isYours = isEscalated || questionId !== undefined;
  const reason = `BLOCKED: Clarification ${record.id} pending from ${isYours ? 'you' : record.to}`;
  const blockedIssue = { issue, reason, clarificationId: record.id };
  return questionId === undefined ? blockedIssue : { ...blockedIssue, questionId };
}

/** An answered record waits for its requester, which can go on. */
function holdsUp({ record }: ListedClarification): boolean {
  return record.blocking && record.status !== 'answered';
}

function inOrderOfUrgency(issues: readonly IssueSummary[]): IssueSummary[] {
  const least = 10;
  const rankedIssues = issues.map((issue) => ({ issue, rank: priorityOf(issue) ?? least }));
  rankedIssues.sort((left, right) => left.rank - right.rank || left.issue.number - right.issue.number);
  return rankedIssues.map(({ issue }) => issue);
}

function firstByIssue<T extends { readonly issueNumber: number }>(items: readonly T[]): ReadonlyMap<number, T> {
  const firstByIssue = new Map<number, T>();
  for (const item of items) if (!firstByIssue.has(item.issueNumber)) firstByIssue.set(item.issueNumber, item);
  return firstByIssue;
}

/**
 * What each issue waits for, according to itself or to others. Only direct neighbours count, so a cycle merely blocks
 * all issues in it.
 */
function blockersOf(openIssues: readonly IssueSummary[]): ReadonlyMap<number, readonly number[]> {
  const numbers = new Set(openIssues.map(({ number }) => number));
  const blockers = new Map<number, Set<number>>();
  const add = (blocked: number, blocker: number) => {
    if (blocked === blocker || !numbers.has(blocker)) return;
    blockers.set(blocked, (blockers.get(blocked) ?? new Set()).add(blocker));
  };
  for (const { number, blockedBy = [], blocks = [] } of openIssues) {
    for (const blocker of blockedBy) add(number, blocker);
    for (const blocked of blocks) add(blocked, number);
  }
  return new Map([...blockers].map(([number, found]) => [number, [...found].toSorted((a, b) => a - b)]));
}
