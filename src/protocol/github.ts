import * as z from 'zod/mini';
import { AgentXError } from './errors.js';
import { IssueNumber } from './ids.js';
import type { Shape } from './shape.js';
import { Timestamp } from './timestamp.js';

/* What AgentX keeps about GitHub beside the records: where to go on reading, and which comments were posted. */

/** The labels that say what agents wait for. */
export const ACTIVE_LABEL = 'clarification:active';
export const STALE_LABEL = 'clarification:stale';

/** The longest comment or description that GitHub accepts. */
const MAX_GITHUB_CHARACTERS = 65_536;
/** The same with room for the name that we add. */
export const MAX_GITHUB_TEXT = MAX_GITHUB_CHARACTERS - 1_000;

/** `retryAt`: asking earlier would be in vain. */
const Trouble = z.looseObject({
  at: Timestamp,
  message: z.string(),
  retryAt: z.exactOptional(Timestamp),
  tries: z.exactOptional(z.int()),
});
export type Trouble = Shape<typeof Trouble>;

/** The state of the sync; one for the repository. */
export const GitHubSync = z.looseObject({
  repo: z.string(),
  /** The latest change of an issue that a sync saw, and the tag of the response that showed it. */
  since: z.exactOptional(Timestamp),
  etag: z.exactOptional(z.string()),
  /** The same for comments. */
  commentsSince: z.exactOptional(Timestamp),
  /** The account to which the token belongs, known after the first comment. */
  login: z.exactOptional(z.string()),
  /** Issues with changes that are still to be sent. */
  unsent: z.array(IssueNumber),
  /** Issues to which a sync posts comments: GitHub may have comments of theirs that have no id here. */
  sending: z.exactOptional(z.array(IssueNumber)),
  trouble: z.exactOptional(Trouble),
});
export type GitHubSync = Shape<typeof GitHubSync>;

/** A comment of ours that GitHub has, or refused. */
const PostedComment = z.looseObject({
  name: z.string(),
  id: z.exactOptional(z.int()),
  /** A discussion has this instead of an `id`. Without it, GitHub may or may not have the discussion. */
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

/** One for each issue with a comment of ours; issue 0 stands for discussions. */
export const GitHubMirror = z.looseObject({
  issueNumber: IssueNumber,
  posted: z.array(PostedComment),
  /** The labels of ours that this machine put on. Each machine takes off only its own labels. */
  labels: z.exactOptional(z.array(z.string())),
  /** The labels of ours after their last change, and the version of the copy that did not show the change yet. */
  shown: z.exactOptional(z.looseObject({ labels: z.array(z.string()), copy: z.string() })),
  notes: z.array(Note),
  /** People's comments that a sync has handled, by id and time of change. */
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
  /** Whether an agent wrote it: then its text must mention no person. */
  isByAgent: z.exactOptional(z.boolean()),
  /** Whether a sync began to send it: then GitHub may have it. */
  isSent: z.exactOptional(z.boolean()),
  /** Why GitHub does not take this text: then it is not sent again. */
  refused: z.exactOptional(z.string()),
  /** Why GitHub did not take it, if it may take it later. */
  trouble: z.exactOptional(Trouble),
});
export type IssueDraft = Shape<typeof IssueDraft>;

/** The draft that was kept because GitHub could not be reached; undefined for an error about the issue itself. */
export function keptDraftOf(error: unknown): string | undefined {
  const draft = error instanceof AgentXError ? error.details.draft : undefined;
  return typeof draft === 'string' ? draft : undefined;
}

export const IssueDrafts = z.looseObject({
  drafts: z.array(IssueDraft),
  /** The numbers that GitHub gave to the last of them: the command that made one may have waited for a sync. */
  sent: z.exactOptional(z.array(z.looseObject({ id: z.string(), number: IssueNumber }))),
});
export type IssueDrafts = Shape<typeof IssueDrafts>;

/** A comment on GitHub. */
export const RemoteComment = z.looseObject({
  id: z.int(),
  issueNumber: IssueNumber,
  body: z.string(),
  login: z.string(),
  isBot: z.boolean(),
  /** The relation of its author to the repository, in GitHub's words. */
  association: z.string(),
  url: z.string(),
  created: Timestamp,
  updated: Timestamp,
});
export type RemoteComment = Shape<typeof RemoteComment>;

/** A delivery of a webhook: kept until it is handled, and its id for a while longer. */
const Delivery = z.looseObject({
  id: z.string(),
  at: Timestamp,
  isDone: z.boolean(),
  comment: z.exactOptional(RemoteComment),
  /** The id of a comment that a person deleted, and its issue; later deliveries about the comment are ignored. */
  deleted: z.exactOptional(z.int()),
  issueNumber: z.exactOptional(IssueNumber),
});
export type Delivery = Shape<typeof Delivery>;

export const Deliveries = z.looseObject({ deliveries: z.array(Delivery) });
export type Deliveries = Shape<typeof Deliveries>;

/** What one sync did. */
export interface SyncReport {
  readonly repo: string;
  /** Issues that were new on GitHub or had changed there. */
  readonly received: number;
  /** Requests that changed something on GitHub. */
  readonly sent: number;
  /** Questions that a person answered on GitHub. */
  readonly answered: readonly string[];
  /** Issues that this sync found deleted or transferred to another repository, and closed here. */
  readonly gone: readonly GoneIssue[];
  /** The changes that GitHub has not got yet, in words. */
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
