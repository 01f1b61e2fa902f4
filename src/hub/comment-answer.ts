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
  const { issueNumber, resolvedAt } = question;
  // Issue 0 stands for no issue: it has no conversation to read.
  if (resolvedAt === undefined || issueNumber === 0) return;
  const inTime = commentsOf(question, resolvedAt);
  const late = lateCommentsOf(question);
  if (inTime.length + late.length === 0) return;
  const missingIn = ({ comments }: Issue): readonly IssueComment[] => {
    const written = comments.filter(({ questionId }) => questionId === question.id);
    const isWritten = ({ created, author }: IssueComment) =>
      written.some((comment) => comment.created === created && comment.author === author);
    return [...(written.length > 0 ? [] : inTime), ...late.filter((comment) => !isWritten(comment))];
  };
  const issue = await ports.store.issues.read(issueNumber);
  if (issue === undefined || missingIn(issue).length === 0) return;
  await ports.store.issues.update(issueNumber, (current) => ({
    next: withComments(current, missingIn(current)),
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

/** What is to become of the work after a late answer is a question of its own. */
function lateCommentsOf(question: Question): readonly IssueComment[] {
  const { id: questionId, questions, lateResponses = [] } = question;
  return lateResponses.map(({ responses, answeredBy, at }) => {
    const texts = questions
      .filter(({ id }) => responses.some((response) => response.questionId === id))
      .map((part) => `${titleOf(part)} ${decisionOf({ ...question, kept: [] }, part.id)} (late, after the fallback)`);
    return { author: answeredBy.principal, body: texts.join('\n\n'), created: at, questionId };
  });
}

/** As it was when the question ended. */
function textOf(question: Question, part: QuestionPart): string {
  return `${titleOf(part)} ${decisionOf({ ...question, lateResponses: [] }, part.id)}`;
}

function titleOf({ header, text }: QuestionPart): string {
  const title = header ?? text;
  return `${title}${/[?:.]$/.test(title) ? '' : ':'}`;
}

function withComments(issue: Issue, comments: readonly IssueComment[]): Issue {
  const updated = comments.at(-1)?.created ?? issue.updated;
  return comments.length === 0 ? issue : { ...issue, comments: [...issue.comments, ...comments], updated };
}
