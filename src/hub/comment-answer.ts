import { HUB } from '../protocol/ids.js';
import type { Issue, IssueComment } from '../protocol/issue.js';
import type { Question, QuestionPart } from '../protocol/question.js';
import { answererOf, isFallback } from '../protocol/question-answerers.js';
import { decisionOf } from '../protocol/question-decision.js';
import type { BasePorts } from './ports.js';

/**
 * Humans' answers join the conversation of the issue, each part in the name of its answerer. The comments name the
 * question, so that they are written once however often this is called.
 */
export async function commentAnswer(ports: Pick<BasePorts, 'store'>, question: Question): Promise<void> {
  const { id, issueNumber, resolvedAt } = question;
  // Issue 0 stands for no issue: it has no conversation to read.
  if (resolvedAt === undefined || issueNumber === 0) return;
  const comments = commentsOf(question, resolvedAt);
  if (comments.length === 0) return;
  const issue = await ports.store.issues.read(issueNumber);
  if (issue === undefined || hasComment(issue, id)) return;
  await ports.store.issues.update(issueNumber, (current) => ({
    next: hasComment(current, id) ? current : withComments(current, comments, resolvedAt),
    result: undefined,
  }));
}

/**
 * If a human answered some of it, the fallbacks of the other parts are included; without any answer there is no
 * comment.
 */
function commentsOf(question: Question, created: string): readonly IssueComment[] {
  const { id, questions, responses = [] } = question;
  const bodies = new Map<string | undefined, string[]>();
  for (const part of questions) {
    const response = responses.find(({ questionId }) => questionId === part.id);
    if (response === undefined) continue;
    const isTaken = isFallback(question, response);
    const author = isTaken ? HUB : answererOf(question, response)?.principal;
    const text = `${textOf(question, part)}${isTaken ? ' (the fallback: nobody answered in time)' : ''}`;
    bodies.set(author, [...(bodies.get(author) ?? []), text]);
  }
  if ([...bodies.keys()].every((author) => author === HUB)) return [];
  return [...bodies].map(([author, texts]) => ({
    ...(author !== undefined && { author }),
    body: texts.join('\n\n'),
    created,
    questionId: id,
  }));
}

/** As it was when the question ended: a late answer is a choice of its own. */
function textOf(question: Question, { id, header, text }: QuestionPart): string {
  const title = header ?? text;
  return `${title}${/[?:.]$/.test(title) ? '' : ':'} ${decisionOf({ ...question, lateResponses: [] }, id)}`;
}

function hasComment({ comments }: Issue, questionId: string): boolean {
  return comments.some((comment) => comment.questionId === questionId);
}

function withComments(issue: Issue, comments: readonly IssueComment[], updated: string): Issue {
  return { ...issue, comments: [...issue.comments, ...comments], updated };
}
