import type { ActiveClarification } from '../ports/store.js';
import type { AgentXError } from '../protocol/errors.js';
import { escalationQuestionId } from '../protocol/ids.js';
import { dependenciesOf, type Issue, priorityOf } from '../protocol/issue.js';
import type { Question } from '../protocol/question.js';
import type { BoardPorts } from './ports.js';

export interface BlockedIssue {
  readonly issue: Issue;
  readonly reason: string;
  readonly clarificationId?: string;
  readonly questionId?: string;
}

export interface ReadyQueue {
  readonly ready: readonly Issue[];
  readonly blocked: readonly BlockedIssue[];
}

export interface BoardState {
  readonly issues: readonly Issue[];
  readonly active: readonly ActiveClarification[];
  readonly openQuestions: readonly Question[];
}

/** The most urgent first. `damaged` is what could not be read; it keeps nobody from the rest. */
export async function readyQueue(
  ports: Pick<BoardPorts, 'store'>,
): Promise<ReadyQueue & { readonly damaged: readonly AgentXError[] }> {
  const [issues, active, questions] = await Promise.all([
    ports.store.issues.list(),
    ports.store.ledgers.listActive(),
    ports.store.questions.listOpen(),
  ]);
  const queue = queueOf({ issues: issues.items, active: active.items, openQuestions: questions.items });
  return { ...queue, damaged: [...issues.damaged, ...active.damaged, ...questions.damaged] };
}

/** Work that somebody is at, or that is done, is in neither list, unless it waits for something. */
export function queueOf({ issues, active, openQuestions }: BoardState): ReadyQueue {
  const open = issues.filter(isUnfinished).toSorted(byUrgency);
  const clarifications = firstByIssue(active.filter(holdsUp));
  const questions = firstByIssue(openQuestions.filter(({ blocking }) => blocking));
  const questionIds = new Set(openQuestions.map(({ id }) => id));
  const blockers = blockersOf(open);

  const blockOf = (issue: Issue): BlockedIssue | undefined => {
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

  const judged = open.map((issue) => ({ issue, block: blockOf(issue) }));
  return {
    ready: judged.flatMap(({ issue, block }) => (block === undefined && issue.taskStatus === 'open' ? [issue] : [])),
    blocked: judged.flatMap(({ block }) => block ?? []),
  };
}

function waitingForClarification(
  issue: Issue,
  { record }: ActiveClarification,
  openQuestionIds: ReadonlySet<string>,
): BlockedIssue {
  const isEscalated = record.status === 'escalated';
  const reason = `BLOCKED: Clarification ${record.id} pending from ${isEscalated ? 'you' : record.to}`;
  const questionId = escalationQuestionId(record.id, record.round);
  const blocked = { issue, reason, clarificationId: record.id };
  return isEscalated && openQuestionIds.has(questionId) ? { ...blocked, questionId } : blocked;
}

/** An answered record waits for its requester, who can go on. */
function holdsUp({ record }: ActiveClarification): boolean {
  return record.blocking && record.status !== 'answered';
}

function isUnfinished(issue: Issue): boolean {
  return issue.state === 'open' && issue.taskStatus !== 'done';
}

function byUrgency(left: Issue, right: Issue): number {
  const least = 10;
  return (priorityOf(left) ?? least) - (priorityOf(right) ?? least) || left.number - right.number;
}

function firstByIssue<T extends { readonly issueNumber: number }>(items: readonly T[]): ReadonlyMap<number, T> {
  const first = new Map<number, T>();
  for (const item of items) if (!first.has(item.issueNumber)) first.set(item.issueNumber, item);
  return first;
}

/**
 * What each issue waits for, as it says itself or as others say of it. Only direct neighbours count, so a cycle merely
 * blocks all that are in it.
 */
function blockersOf(open: readonly Issue[]): ReadonlyMap<number, readonly number[]> {
  const numbers = new Set(open.map(({ number }) => number));
  const blockers = new Map<number, Set<number>>();
  const add = (blocked: number, blocker: number) => {
    if (blocked === blocker || !numbers.has(blocker)) return;
    blockers.set(blocked, (blockers.get(blocked) ?? new Set()).add(blocker));
  };
  for (const issue of open) {
    const { blockedBy, blocks } = dependenciesOf(issue);
    for (const blocker of blockedBy) add(issue.number, blocker);
    for (const blocked of blocks) add(blocked, issue.number);
  }
  return new Map([...blockers].map(([number, found]) => [number, [...found].toSorted((a, b) => a - b)]));
}
