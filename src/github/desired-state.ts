import type { Assumption } from '../protocol/assumption.js';
import { type ClarificationLedger, hasExpired, isActive } from '../protocol/clarification.js';
import { fnv1a64 } from '../protocol/derived-id.js';
import { ACTIVE_LABEL, type GitHubMirror, STALE_LABEL } from '../protocol/github.js';
import { escalationQuestionId } from '../protocol/ids.js';
import type { Issue, IssueComment } from '../protocol/issue.js';
import type { Question } from '../protocol/question.js';
import { agentComment, assumptionComment, questionComment, roundComment } from '../render/github-comment.js';
import { commentName, named } from './comment-name.js';

/* Derives from the records what GitHub should show of an issue. Pure. */

/** All records about one issue. */
export interface IssueRecords {
  readonly issue: Issue;
  readonly ledger: ClarificationLedger;
  readonly questions: readonly Question[];
  readonly assumptions: readonly Assumption[];
  readonly mirror: GitHubMirror;
  /** When the records were read: some labels change with time alone. */
  readonly now: string;
}

export interface Audience {
  readonly mention: readonly string[];
  /** Whether the author of a comment is an agent or unknown. */
  readonly isAgent: (author: string | undefined) => boolean;
}

export interface DesiredComment {
  readonly name: string;
  /** For people: `round 1 of CLR-42-001`. */
  readonly what: string;
  /** Comments appear in the order of these times. */
  readonly at: string;
  readonly body: string;
  readonly hash: string;
  /** The issue's own comment, if this one shows a comment that was written here. */
  readonly local?: IssueComment;
}

function desiredComments(records: IssueRecords, audience: Audience): readonly DesiredComment[] {
  const { mirror } = records;
  const notes = mirror.notes.map(({ name, body, at }) => desired(name, `a note (${name.split(':')[0]})`, at, body));
  return [
    ...rounds(records),
    ...questions(records, audience),
    ...assumptions(records),
    ...ownComments(records, audience),
    ...notes,
  ].toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at));
}

/** The labels of ours that the issue should have. */
function desiredLabels({ ledger, now }: Pick<IssueRecords, 'ledger' | 'now'>): readonly string[] {
  const active = ledger.clarifications.filter(isActive);
  const isStale = active.some((record) => record.status === 'stale' || hasExpired(record, now));
  return [...(active.length > 0 ? [ACTIVE_LABEL] : []), ...(isStale ? [STALE_LABEL] : [])];
}

/**
 * The labels that the issue has on GitHub, in small letters: for GitHub, a label is the same in any letters. The copy
 * shows our own changes only after the next look at GitHub.
 */
export function shownLabels({ issue, mirror: { shown } }: Pick<IssueRecords, 'issue' | 'mirror'>): readonly string[] {
  const labels = shown !== undefined && shown.copy === copyOf(issue) ? shown.labels : issue.labels;
  return labels.map((label) => label.toLowerCase());
}

/** Identifies a version of the copy. The time alone does not: labels can change twice in one of GitHub's seconds. */
export function copyOf({ github, labels }: Issue): string {
  return fnv1a64(JSON.stringify([github, labels]));
}

function rounds({ ledger: { clarifications } }: IssueRecords): readonly DesiredComment[] {
  return clarifications.flatMap((record) =>
    record.thread
      .filter(({ type }) => type === 'question')
      // A question that was asked again after a retry belongs to the same round.
      .filter(({ round }, index, all) => all.findIndex((other) => other.round === round) === index)
      .map(({ round, timestamp }) =>
        desired(
          commentName('round', `${record.id}/${round}`, record.created),
          `round ${round} of ${record.id}`,
          timestamp,
          roundComment(record, round),
        ),
      ),
  );
}

/** A question that ended before GitHub could show it is shown afterwards, unless its outcome does not matter. */
function questions({ questions: all, ledger, mirror }: IssueRecords, { mention }: Audience): readonly DesiredComment[] {
  return all.flatMap((question) => {
    const { id, createdAt, status, outcome, kind, sourceId } = question;
    const name = questionName(question);
    const isShown = mirror.posted.some((postedComment) => postedComment.name === name);
    if (!isShown && status !== 'open' && (outcome === 'superseded' || outcome === 'unreachable')) return [];
    const escalatedRecord =
      kind === 'escalation' ? ledger.clarifications.find((record) => record.id === sourceId) : undefined;
    // If the record went on after an escalation, that escalation keeps the words of its question.
    const isPresent =
      escalatedRecord !== undefined && escalationQuestionId(escalatedRecord.id, escalatedRecord.round) === id;
    const body = questionComment(question, { mention, record: isPresent ? escalatedRecord : undefined });
    return [desired(name, `question ${id}`, createdAt, body)];
  });
}

export function questionName({ id, createdAt }: Question): string {
  return commentName('question', id, createdAt);
}

function assumptions({ assumptions: all, issue }: IssueRecords): readonly DesiredComment[] {
  return all.flatMap((assumption) => {
    const { id, createdAt = issue.created } = assumption;
    if (id === undefined) return [];
    const name = commentName('assumption', id, createdAt);
    return [desired(name, `assumption ${id}`, createdAt, assumptionComment(assumption))];
  });
}

/**
 * Comments that were written here. Comments that repeat a person's answer are left out, because the question shows the
 * answer. A comment that came from GitHub has GitHub's id.
 */
function ownComments({ issue, mirror }: IssueRecords, { isAgent }: Audience): readonly DesiredComment[] {
  const localComments = issue.comments.filter(({ questionId }) => questionId === undefined);
  return localComments.flatMap((comment) => {
    const name = ownCommentName(issue, comment);
    const isPosted = mirror.posted.some((postedComment) => postedComment.name === name);
    if (comment.commentId !== undefined && !isPosted) return [];
    const { author, body, created } = comment;
    const text = isAgent(author) ? agentComment(author, body) : body;
    return [{ ...desired(name, 'a comment', created, text), local: comment }];
  });
}

/** Two comments with the same author, time and text are one. */
export function ownCommentName({ number, created }: Issue, comment: IssueComment): string {
  const { author = '', body, created: at } = comment;
  return commentName('comment', fnv1a64([author, at, body].join('\n')), `${number}/${created}`);
}

function desired(name: string, what: string, at: string, text: string): DesiredComment {
  const body = named(name, text);
  return { name, what, at, body, hash: fnv1a64(body) };
}

/** What a sync should send for an issue. */
export interface Plan {
  readonly posts: readonly DesiredComment[];
  readonly edits: readonly { readonly id: number; readonly comment: DesiredComment }[];
  readonly addLabels: readonly string[];
  readonly removeLabels: readonly string[];
  readonly state?: 'open' | 'closed';
  /** Comments that GitHub has refused and would refuse again, with its reason. */
  readonly refused: readonly { readonly comment: DesiredComment; readonly why: string }[];
}

export function planOf(records: IssueRecords, audience: Audience): Plan {
  const { issue, mirror } = records;
  const postedByName = new Map(mirror.posted.map((one) => [one.name, one]));
  const comments = desiredComments(records, audience);
  const isRefused = ({ name, hash }: DesiredComment) => {
    const one = postedByName.get(name);
    return one?.refused === DELETED || (one?.refused !== undefined && one.hash === hash);
  };
  const acceptable = comments.filter((comment) => !isRefused(comment));
  const labels = desiredLabels(records);
  const currentLabels = shownLabels(records);
  const isGone = issue.github === undefined || issue.github.gone !== undefined;
  if (isGone) return { posts: [], edits: [], addLabels: [], removeLabels: [], refused: [] };
  return {
    posts: acceptable.filter(({ name }) => postedByName.get(name)?.id === undefined),
    edits: acceptable.flatMap((comment) => {
      const one = postedByName.get(comment.name);
      return one?.id === undefined || one.hash === comment.hash ? [] : [{ id: one.id, comment }];
    }),
    addLabels: labels.filter((label) => !currentLabels.includes(label)),
    removeLabels: (mirror.labels ?? []).filter((label) => currentLabels.includes(label) && !labels.includes(label)),
    ...(issue.state !== issue.github?.state && { state: issue.state }),
    refused: comments.filter(isRefused).flatMap((comment) => {
      const why = postedByName.get(comment.name)?.refused;
      return why === undefined || why === DELETED ? [] : [{ comment, why }];
    }),
  };
}

/** A comment of ours that a person deleted is not posted again. */
export const DELETED = 'deleted';

export function isEmptyPlan({ posts, edits, addLabels, removeLabels, state }: Plan): boolean {
  return posts.length + edits.length + addLabels.length + removeLabels.length === 0 && state === undefined;
}
