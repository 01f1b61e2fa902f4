import * as z from 'zod/mini';
import { IssueNumber } from './ids.js';
import type { Shape } from './shape.js';
import { Timestamp } from './timestamp.js';

export const TaskStatus = z.enum(['open', 'in_progress', 'blocked', 'done']);
export type TaskStatus = z.infer<typeof TaskStatus>;

/**
 * `questionId` is the question that the comment answers, so that it is written once. `commentId` and `url` are
 * GitHub's.
 */
export const IssueComment = z.looseObject({
  author: z.exactOptional(z.string()),
  body: z.string(),
  created: Timestamp,
  questionId: z.exactOptional(z.string()),
  commentId: z.exactOptional(z.int()),
  url: z.exactOptional(z.string()),
});
export type IssueComment = Shape<typeof IssueComment>;

/** An issue at the last look at GitHub: a field that differs from it was changed here. */
const SeenOnGitHub = z.looseObject({
  url: z.string(),
  state: z.enum(['open', 'closed']),
  assignee: z.nullable(z.string()),
  updated: Timestamp,
  /** The number of comments on GitHub; the copy may lack older ones. */
  comments: z.exactOptional(z.int()),
  /** When a sync found the issue deleted or transferred to another repository. */
  gone: z.exactOptional(Timestamp),
  /** Where it was transferred to: `octocat/attic#3`. */
  movedTo: z.exactOptional(z.string()),
});
export type SeenOnGitHub = Shape<typeof SeenOnGitHub>;

/** `status` is the board's column, free text; `taskStatus` is what agents and the ready queue use. */
export const Issue = z.looseObject({
  number: IssueNumber,
  title: z.string(),
  body: z.string(),
  labels: z.array(z.string()),
  status: z.string(),
  state: z.enum(['open', 'closed']),
  assignee: z.nullable(z.string()),
  taskStatus: TaskStatus,
  block_reason: z.nullable(z.string()),
  created: Timestamp,
  updated: Timestamp,
  comments: z.array(IssueComment),
  /** Its cause, so that the same cause does not create it twice. */
  origin: z.exactOptional(z.string()),
  /** Only in GitHub mode. */
  github: z.exactOptional(SeenOnGitHub),
});
export type Issue = Shape<typeof Issue>;

/** A draft with the number that a store gives it, which comes first in its file. */
export function numbered(draft: Omit<Issue, 'number'>, number: number): Issue {
  return Object.assign({ number }, draft, { number });
}

/** What the ready queue needs of an issue; the rest can be long. */
export interface IssueSummary extends Pick<Issue, 'number' | 'title' | 'labels' | 'taskStatus' | 'block_reason'> {
  readonly blockedBy?: readonly number[];
  readonly blocks?: readonly number[];
}

/** Null for closed or done issues: they are in no queue. */
export function summaryOf(issue: Issue): IssueSummary | null {
  if (issue.state !== 'open' || issue.taskStatus === 'done') return null;
  const { number, title, labels, taskStatus, block_reason } = issue;
  const { blockedBy, blocks } = dependenciesOf(issue);
  return {
    number,
    title,
    labels,
    taskStatus,
    block_reason,
    ...(blockedBy.length > 0 && { blockedBy }),
    ...(blocks.length > 0 && { blocks }),
  };
}

export type IssueType = 'feature' | 'story' | 'bug' | 'epic';

const TYPES: ReadonlyMap<string, IssueType> = new Map([
  ['type:feature', 'feature'],
  ['type:story', 'story'],
  ['type:bug', 'bug'],
  ['type:epic', 'epic'],
]);

export const TYPE_LABELS: readonly string[] = [...TYPES.keys()];

export function typeOf(issue: Pick<Issue, 'labels'>): IssueType {
  for (const label of issue.labels) {
    const type = TYPES.get(label.toLowerCase());
    if (type !== undefined) return type;
  }
  return 'story';
}

/** 0 is the most urgent; undefined without a priority label. Of several labels the most urgent counts. */
export function priorityOf(issue: Pick<Issue, 'labels'>): number | undefined {
  const digits = issue.labels
    .map((label) => /^priority:p(\d)$/i.exec(label)?.[1])
    .filter((digit) => digit !== undefined);
  return digits.length === 0 ? undefined : Math.min(...digits.map(Number));
}

export interface IssueDependencies {
  readonly blockedBy: readonly number[];
  readonly blocks: readonly number[];
}

/** Reads `Blocked-by: #3, #5` and `Blocks: #9` anywhere in the body, also with the word in bold. */
export function dependenciesOf(issue: Pick<Issue, 'body'>): IssueDependencies {
  return {
    blockedBy: referencesAfter(/\bblocked-by:\*{0,2}[ \t]*((?:#\d{1,15}[ \t,]*)+)/gi, issue.body),
    blocks: referencesAfter(/\bblocks:\*{0,2}[ \t]*((?:#\d{1,15}[ \t,]*)+)/gi, issue.body),
  };
}

function referencesAfter(pattern: RegExp, body: string): readonly number[] {
  const numbers = [...body.matchAll(pattern)].flatMap((match) => [...(match[1] ?? '').matchAll(/#(\d+)/g)]);
  return [...new Set(numbers.map((match) => Number(match[1])))];
}
