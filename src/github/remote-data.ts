import * as z from 'zod/mini';
import { AgentXError } from '../protocol/errors.js';
import type { RemoteComment } from '../protocol/github.js';

/* What GitHub returns: its data as schemas, and the records that AgentX makes of them. */

export interface RemoteIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly state: 'open' | 'closed';
  readonly assignee: string | null;
  readonly created: string;
  readonly updated: string;
  readonly comments: number;
  readonly url: string;
  /** A pull request has a number like an issue, but is none. */
  readonly isPullRequest: boolean;
}

export interface RemoteRepository {
  readonly name: string;
  readonly hasIssues: boolean;
  readonly isArchived: boolean;
  readonly isPrivate: boolean;
  /** Whether the token may write; undefined if GitHub does not say. */
  readonly mayWrite?: boolean;
}

export interface SentComment {
  readonly id: number;
  readonly url: string;
  readonly at: string;
  readonly login: string;
}

const Login = z.nullish(z.looseObject({ login: z.string(), type: z.optional(z.string()) }));
export const LabelData = z.union([z.string(), z.looseObject({ name: z.optional(z.nullable(z.string())) })]);
export const Repository = z.looseObject({
  full_name: z.string(),
  private: z.optional(z.boolean()),
  has_issues: z.optional(z.boolean()),
  archived: z.optional(z.boolean()),
  permissions: z.optional(z.record(z.string(), z.boolean())),
});
export const Permission = z.looseObject({ permission: z.string() });

/** Only the fields that we use: GitHub adds fields at any time. */
export const IssueData = z.looseObject({
  number: z.int(),
  title: z.string(),
  body: z.nullish(z.string()),
  labels: z.array(LabelData),
  state: z.string(),
  assignee: Login,
  assignees: z.nullish(z.array(Login)),
  created_at: z.string(),
  updated_at: z.string(),
  comments: z.optional(z.int()),
  html_url: z.string(),
  pull_request: z.optional(z.unknown()),
});

export const CommentData = z.looseObject({
  id: z.int(),
  body: z.nullish(z.string()),
  user: Login,
  author_association: z.optional(z.string()),
  html_url: z.string(),
  issue_url: z.optional(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});

export function issueOf(data: z.output<typeof IssueData>): RemoteIssue {
  return {
    number: data.number,
    title: sound(data.title),
    body: sound(data.body ?? ''),
    labels: data.labels.map(labelOf).filter((label) => label !== ''),
    state: data.state === 'closed' ? 'closed' : 'open',
    assignee: data.assignee?.login ?? data.assignees?.[0]?.login ?? null,
    created: data.created_at,
    updated: data.updated_at,
    comments: data.comments ?? 0,
    url: data.html_url,
    isPullRequest: data.pull_request !== undefined && data.pull_request !== null,
  };
}

/** Empty if the comment does not say to which issue it belongs. */
export function commentOf(data: z.output<typeof CommentData>): readonly RemoteComment[] {
  const [, number] = /\/issues\/(\d{1,15})$/.exec(data.issue_url ?? '') ?? [];
  if (number === undefined) return [];
  return [
    {
      id: data.id,
      issueNumber: Number(number),
      body: sound(data.body ?? '').replaceAll('\r\n', '\n'),
      login: data.user?.login ?? 'ghost',
      isBot: data.user?.type === 'Bot',
      association: data.author_association ?? 'NONE',
      url: data.html_url,
      created: data.created_at,
      updated: data.updated_at,
    },
  ];
}

export const labelOf = (label: z.output<typeof LabelData>): string =>
  sound(typeof label === 'string' ? label : (label.name ?? ''));

export const sentCommentOf = ({ id, html_url, created_at, user }: z.output<typeof CommentData>): SentComment => ({
  id,
  url: html_url,
  at: created_at,
  login: user?.login ?? '',
});

/** Text that can be stored: GitHub accepts characters that our files do not. */
function sound(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8').replaceAll('\u0000', '');
}

/** A proxy, or something else that is not GitHub, may answer in its own way. */
export function parsed<S extends z.core.$ZodType>(schema: S, what: string, data: unknown): z.output<S> {
  const result = z.safeParse(schema, data);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.map(String).join('.') ?? '';
  throw new AgentXError('STORE_ERROR', `What answers for ${what} is not GitHub, or has changed: see '${place}'.`, {
    what,
  });
}
