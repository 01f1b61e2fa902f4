import type { IssueStore } from '../ports/store.js';
import { AgentXError } from '../protocol/errors.js';
import { MAX_GITHUB_TEXT } from '../protocol/github.js';
import type { Issue } from '../protocol/issue.js';

/**
 * The issues of GitHub mode. The store holds a copy of them. A new issue gets its number from GitHub, and a text that
 * is too long for GitHub is refused here.
 */
export function gitHubIssues(copy: IssueStore, create: IssueStore['create']): IssueStore {
  return {
    ...copy,
    create: async (draft) => {
      requireShort('description', draft.body);
      return create(draft);
    },
    update: (number, update) =>
      copy.update(number, (issue) => {
        const change = update(issue);
        requireShortComments(issue, change.next);
        return change;
      }),
  };
}

function requireShortComments(earlierIssue: Issue, { comments }: Issue): void {
  if (comments === earlierIssue.comments) return;
  for (const { body, questionId, commentId } of comments.slice(earlierIssue.comments.length)) {
    if (questionId === undefined && commentId === undefined) requireShort('comment', body);
  }
}

function requireShort(what: string, text: string): void {
  if (text.length <= MAX_GITHUB_TEXT) return;
  throw new AgentXError(
    'INVALID_INPUT',
    `The ${what} has ${text.length} characters. GitHub takes up to ${MAX_GITHUB_TEXT}.`,
    {
      what,
      length: text.length,
      max: MAX_GITHUB_TEXT,
    },
  );
}
