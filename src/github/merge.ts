import type { RemoteComment } from '../protocol/github.js';
import type { Issue, IssueComment, SeenOnGitHub } from '../protocol/issue.js';
import { defused } from '../render/github-text.js';
import { readIssueName, readName } from './comment-name.js';
import { ownCommentName } from './desired-state.js';
import type { RemoteIssue } from './remote-data.js';

/* Merges the content of GitHub into the copy here. Pure; merging the same content again changes nothing. */

/**
 * GitHub decides about title, text and labels. State and assignee may have changed on both sides. A change on GitHub
 * since the last look wins; a change that was made only here stays and is sent.
 */
export function mergeIssue(local: Issue | undefined, remote: RemoteIssue): Issue {
  const remoteFields = seenOf(remote);
  const { text: body } = readIssueName(remote.body);
  if (local?.github === undefined) {
    const isOpen = remote.state === 'open';
    return {
      number: remote.number,
      title: remote.title,
      body,
      labels: [...remote.labels],
      status: isOpen ? 'Backlog' : 'Done',
      state: remote.state,
      assignee: remote.assignee,
      taskStatus: isOpen ? 'open' : 'done',
      block_reason: null,
      created: remote.created,
      updated: remote.updated,
      comments: [],
      github: remoteFields,
    };
  }
  const fieldsBefore = local.github;
  const next: Issue = {
    ...local,
    // An agent's text was made harmless before it was sent: the original stays here.
    title: remote.title === defused(local.title) ? local.title : remote.title,
    body: body === defused(local.body) ? local.body : body,
    labels: isSame(local.labels, remote.labels) ? local.labels : [...remote.labels],
    ...(remote.state !== fieldsBefore.state && remote.state !== local.state && stateChange(remote.state)),
    ...(remote.assignee !== fieldsBefore.assignee && { assignee: remote.assignee }),
    updated: Date.parse(remote.updated) > Date.parse(local.updated) ? remote.updated : local.updated,
    github: isSame(fieldsBefore, remoteFields) ? fieldsBefore : remoteFields,
  };
  return isSame(next, local) ? local : next;
}

/** The same change as closing or reopening the issue here. */
function stateChange(state: 'open' | 'closed'): Partial<Issue> {
  return state === 'closed'
    ? { state, status: 'Done', taskStatus: 'done', block_reason: null }
    : { state, status: 'Backlog', taskStatus: 'open', assignee: null, block_reason: null };
}

function seenOf({ url, state, assignee, updated, comments }: RemoteIssue): SeenOnGitHub {
  return { url, state, assignee, updated, comments };
}

/**
 * Comments of people join the conversation. Our own comments show records, so they are left out. Only comments that
 * were written here stay in the conversation, and get their address on GitHub.
 */
export function mergeComments(issue: Issue, remote: readonly RemoteComment[]): Issue {
  let comments: readonly IssueComment[] = issue.comments;
  for (const comment of remote) comments = withComment({ ...issue, comments }, comment);
  return comments === issue.comments ? issue : { ...issue, comments };
}

function withComment(issue: Issue, remote: RemoteComment): readonly IssueComment[] {
  const { comments } = issue;
  const ownName = readName(remote.body);
  if (ownName !== undefined && ownName.kind !== 'comment') return comments;
  const isIt = (comment: IssueComment) =>
    comment.commentId === remote.id || (ownName !== undefined && ownCommentName(issue, comment) === ownName.name);
  const index = comments.findIndex(isIt);
  const existingComment = comments[index];
  if (existingComment === undefined) return inOrder(comments, addedComment(remote, ownName?.text ?? remote.body));
  const next = {
    ...existingComment,
    ...(ownName === undefined && { body: remote.body }),
    commentId: remote.id,
    url: remote.url,
  };
  return isSame(next, existingComment) ? comments : comments.with(index, next);
}

const addedComment = ({ login, created, id, url }: RemoteComment, body: string): IssueComment => ({
  author: login,
  body,
  created,
  commentId: id,
  url,
});

function inOrder(comments: readonly IssueComment[], newComment: IssueComment): readonly IssueComment[] {
  const at = Date.parse(newComment.created);
  const place = comments.findLastIndex(({ created }) => Date.parse(created) <= at) + 1;
  return comments.toSpliced(place, 0, newComment);
}

function isSame(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
