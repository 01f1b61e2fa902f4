import * as z from 'zod/mini';
import { AgentXError } from './errors.js';
import { IssueNumber } from './ids.js';
import type { Shape } from './shape.js';
import { Timestamp } from './timestamp.js';

/* What is kept of GitHub beside the records themselves: where to go on reading, and what was posted. */

/** The labels that say what agents wait for. */
export const ACTIVE_LABEL = 'clarification:active';
export const STALE_LABEL = 'clarification:stale';

/** The most that GitHub takes in one comment or one description. */
const MAX_GITHUB_CHARACTERS = 65_536;
/** The same with room for what we add to it: its name. */
export const MAX_GITHUB_TEXT = MAX_GITHUB_CHARACTERS - 1_000;

/** `retryAt`: asking earlier would be in vain. */
const Trouble = z.looseObject({
  at: Timestamp,
  message: z.string(),
  retryAt: z.exactOptional(Timestamp),
  tries: z.exactOptional(z.int()),
});
export type Trouble = Shape<typeof Trouble>;

/** One for the repository. */
export const GitHubSync = z.looseObject({
  repo: z.string(),
  /** The latest change of an issue that was seen, and the tag of the answer that showed it. */
  since: z.exactOptional(Timestamp),
  etag: z.exactOptional(z.string()),
  /** The same for comments. */
  commentsSince: z.exactOptional(Timestamp),
  /** As whom the token writes, known after its first comment. */
  login: z.exactOptional(z.string()),
  /** Issues of which something is still to be sent. */
  unsent: z.array(IssueNumber),
  /** Issues that comments are being posted to: it is not known which of those without an id GitHub has. */
  sending: z.exactOptional(z.array(IssueNumber)),
  trouble: z.exactOptional(Trouble),
});
export type GitHubSync = Shape<typeof GitHubSync>;

/** A comment of ours that GitHub has, or refused. */
const PostedComment = z.looseObject({
  name: z.string(),
  id: z.exactOptional(z.int()),
  /** Of a discussion, which has this instead of an `id`. Without one, it is not known whether GitHub has it. */
  node: z.exactOptional(z.string()),
  url: z.exactOptional(z.string()),
  /** By GitHub's clock. */
  at: z.exactOptional(Timestamp),
  /** Of the text that GitHub has. */
  hash: z.exactOptional(z.string()),
  /** Why GitHub does not take this text, or `deleted`: then it is not sent again. */
  refused: z.exactOptional(z.string()),
});
export type PostedComment = Shape<typeof PostedComment>;

/** Text for an issue that follows from no record: a reply to a person, a digest. */
const Note = z.looseObject({
  name: z.string(),
  /** Of a discussion. */
  title: z.exactOptional(z.string()),
  body: z.string(),
  at: Timestamp,
});
export type Note = Shape<typeof Note>;

/** One for each issue that something was posted to; that of issue 0 is for discussions. */
export const GitHubMirror = z.looseObject({
  issueNumber: IssueNumber,
  posted: z.array(PostedComment),
  /** The labels of ours that were put on from here. Those that another machine put on are its own to take off. */
  labels: z.exactOptional(z.array(z.string())),
  /** Which labels of ours the issue had after the last change of them, and which copy of it did not show that yet. */
  shown: z.exactOptional(z.looseObject({ labels: z.array(z.string()), copy: z.string() })),
  notes: z.array(Note),
  /** Comments of people that were looked at, by id and time of change. */
  taken: z.array(z.string()),
  trouble: z.exactOptional(Trouble),
});
export type GitHubMirror = Shape<typeof GitHubMirror>;

export function emptyMirror(issueNumber: number): GitHubMirror {
  return { issueNumber, posted: [], notes: [], taken: [] };
}

/** An issue that GitHub has not got yet. */
const IssueDraft = z.looseObject({
  id: z.string(),
  at: Timestamp,
  title: z.string(),
  body: z.string(),
  labels: z.array(z.string()),
  origin: z.exactOptional(z.string()),
  /** Whether an agent wrote it, so that it must reach no person. */
  isByAgent: z.exactOptional(z.boolean()),
  /** Whether it was on its way: then GitHub may have it. */
  isSent: z.exactOptional(z.boolean()),
  refused: z.exactOptional(z.string()),
});
export type IssueDraft = Shape<typeof IssueDraft>;

/** The draft that an issue became because GitHub could not be asked: an error about that is none about the issue. */
export function keptDraftOf(error: unknown): string | undefined {
  const draft = error instanceof AgentXError ? error.details.draft : undefined;
  return typeof draft === 'string' ? draft : undefined;
}

export const IssueDrafts = z.looseObject({ drafts: z.array(IssueDraft) });
export type IssueDrafts = Shape<typeof IssueDrafts>;

/** A comment as GitHub has it. */
export const RemoteComment = z.looseObject({
  id: z.int(),
  issueNumber: IssueNumber,
  body: z.string(),
  login: z.string(),
  isBot: z.boolean(),
  /** What its author is to the repository, in GitHub's words. */
  association: z.string(),
  url: z.string(),
  created: Timestamp,
  updated: Timestamp,
});
export type RemoteComment = Shape<typeof RemoteComment>;

/** What a webhook brought: kept until it is dealt with, and its id for a while longer. */
const Delivery = z.looseObject({
  id: z.string(),
  at: Timestamp,
  isDone: z.boolean(),
  comment: z.exactOptional(RemoteComment),
  /** The id of a comment that a person deleted: what comes of it later is too late. */
  deleted: z.exactOptional(z.int()),
});
export type Delivery = Shape<typeof Delivery>;

export const Deliveries = z.looseObject({ deliveries: z.array(Delivery) });
export type Deliveries = Shape<typeof Deliveries>;

/** What one sync did. */
export interface SyncReport {
  readonly repo: string;
  /** Issues that were new or had changed there. */
  readonly received: number;
  /** Requests that changed something there. */
  readonly sent: number;
  /** Questions that a person answered there. */
  readonly answered: readonly string[];
  /** Issues that were found to be deleted there or transferred to another repository, and are closed here now. */
  readonly gone: readonly GoneIssue[];
  /** What GitHub has not got yet, in words. */
  readonly unsent: readonly UnsentItem[];
  /** Why it ended early. */
  readonly trouble?: Trouble;
}

export interface GoneIssue {
  readonly issueNumber: number;
  /** `octocat/attic#3`; without it, the issue was deleted. */
  readonly movedTo?: string;
}

export interface UnsentItem {
  readonly issueNumber?: number;
  readonly what: string;
  readonly why?: string;
}

/** How current the copy of GitHub's issues is. */
export interface CopyState {
  readonly repo: string;
  /** When GitHub was last asked. */
  readonly checkedAt?: string;
  readonly trouble?: Trouble;
}
