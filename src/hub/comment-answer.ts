import type { Issue, IssueComment } from '../protocol/issue.js';
import { latestResponses, type Question } from '../protocol/question.js';
import type { HubPorts } from './ports.js';

/**
 * A human's answer joins the conversation of the issue, in the name of whoever gave it. The comment names the question,
 * so that it is written once however often this is called.
 */
export async function commentAnswer(ports: HubPorts, question: Question): Promise<void> {
  const { id, issueNumber, outcome, resolvedAt } = question;
  // Issue 0 is none: nobody reads its conversation.
  if (outcome !== 'answered' || resolvedAt === undefined || issueNumber === 0) return;
  const issue = await ports.store.issues.read(issueNumber);
  if (issue === undefined || hasComment(issue, id)) return;
  const comment = commentOf(question, resolvedAt);
  await ports.store.issues.update(issueNumber, (current) => ({
    next: hasComment(current, id) ? current : withComment(current, comment),
    result: undefined,
  }));
}

/** The chosen options and what was typed beside them, a line each. */
export function decisionOf(question: Question, partId?: string): string {
  const responses = latestResponses(question).filter(({ questionId }) => partId === undefined || questionId === partId);
  const lines = responses.flatMap(({ questionId, optionIds = [], answer }) => {
    const options = question.questions.find(({ id }) => id === questionId)?.options ?? [];
    const chosen = options.filter(({ id }) => optionIds.includes(id)).map(({ label }) => label);
    const labels = chosen.join(', ');
    return answer === undefined || answer === labels ? [labels] : [...chosen, answer];
  });
  return lines.filter((line) => line !== '').join('\n');
}

function commentOf(question: Question, created: string): IssueComment {
  const said = question.questions.map(({ id, header, text }) => {
    const asked = header ?? text;
    return `${asked}${/[?:.]$/.test(asked) ? '' : ':'} ${decisionOf(question, id)}`;
  });
  const comment = { body: said.join('\n\n'), created, questionId: question.id };
  const { answeredBy } = question;
  return answeredBy === undefined ? comment : { author: answeredBy.principal, ...comment };
}

function hasComment({ comments }: Issue, questionId: string): boolean {
  return comments.some((comment) => comment.questionId === questionId);
}

function withComment(issue: Issue, comment: IssueComment): Issue {
  return { ...issue, comments: [...issue.comments, comment], updated: comment.created };
}
