import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { AgentXError } from '../protocol/errors.js';
import type { RemoteComment } from '../protocol/github.js';
import { failureOf, movedTo, transferred } from './failure.js';

/* Every request to GitHub, one function each: docs/github.md lists them. */

export interface ClientOptions {
  /** `https://api.github.com`, or the address of GitHub Enterprise. */
  readonly url: string;
  /** `owner/name` */
  readonly repo: string;
  readonly token: string;
  readonly now: () => string;
  readonly signal?: AbortSignal | undefined;
  /** A request that takes longer is given up. */
  readonly patienceMs?: number;
}

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

export interface IssuePage {
  readonly issues: readonly RemoteIssue[];
  readonly etag?: string;
}

export interface RemoteRepository {
  readonly name: string;
  readonly hasIssues: boolean;
  readonly isArchived: boolean;
  readonly isPrivate: boolean;
  /** What the token may do; undefined where GitHub does not say. */
  readonly mayWrite?: boolean;
}

export interface Sent {
  readonly id: number;
  readonly url: string;
  readonly at: string;
  readonly login: string;
}

export const PAGE_SIZE = 100;
const PATIENCE_MS = 30_000;

export type GitHubClient = Awaited<ReturnType<typeof openClient>>;

export async function openClient(options: ClientOptions) {
  const { Octokit, throttling } = await import('./sdk.js');
  const { repo, signal, patienceMs = PATIENCE_MS } = options;
  const [owner = '', name = ''] = repo.split('/');
  const at = { owner, repo: name };
  const settings = {
    auth: options.token,
    baseUrl: options.url.replace(/\/+$/, ''),
    userAgent: 'agentx',
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
  };
  // GitHub itself asks for a pause between writes. An own installation has no such limit unless it sets one, and says so in
  // its answer (failure.ts).
  const octokit = isGitHubItself(options.url)
    ? new (Octokit.plugin(throttling))({
        ...settings,
        throttle: { onRateLimit: isShort, onSecondaryRateLimit: isShort },
      })
    : new Octokit(settings);

  let last: Promise<unknown> = Promise.resolve();
  /** GitHub wants requests one after the other. */
  const inTurn = <T>(send: () => Promise<T>): Promise<T> => {
    const own = last.then(send);
    last = own.catch(nothing);
    return own;
  };

  const request = (what: string, route: string, parameters: Readonly<Record<string, unknown>> = {}) =>
    inTurn(() => send(what, route, parameters));

  const send = (what: string, route: string, parameters: Readonly<Record<string, unknown>>) =>
    patiently(what, async (request) => {
      const once = () => octokit.request(route, { ...at, ...parameters, request });
      // GitHub may have done what a failed POST asked for: repeating it is for callers who looked.
      const response = await (route.startsWith('POST') ? once() : retried(once, request.signal));
      const { status, headers } = response;
      if (status < 300 || status >= 400) return response;
      const isOfOne = 'issue_number' in parameters || 'comment_id' in parameters;
      throw await redirected(what, headers.location, isOfOne);
    });

  /** A repository that still has its name has one issue less: that one was transferred. */
  const redirected = async (what: string, location: unknown, isOfOne: boolean) => {
    const name = await newName(location);
    const [, number] = /\/issues\/(\d{1,15})(?:$|[/?])/.exec(String(location)) ?? [];
    if (!isOfOne || !(await hasItsName())) return movedTo(repo, String(location), name);
    return transferred(what, name === undefined ? 'another repository' : `${name}${number ? `#${number}` : ''}`);
  };

  const hasItsName = async (): Promise<boolean> => {
    const { status } = await octokit.request('GET /repos/{owner}/{repo}', { ...at, request: { redirect: 'manual' } });
    return status === 200;
  };

  /** A request with its limit of time. What it throws says what to do. */
  const patiently = async <T>(
    what: string,
    send: (request: { readonly redirect: 'manual'; readonly signal: AbortSignal }) => Promise<T>,
  ): Promise<T> => {
    const patience = patienceOf(patienceMs, signal);
    try {
      // A redirect would turn a POST into a GET.
      return await send({ redirect: 'manual', signal: patience.signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw failureOf(patience.signal.aborted ? lateError(patienceMs) : error, {
        what,
        repo,
        nowMs: Date.parse(options.now()),
      });
    } finally {
      patience.end();
    }
  };

  /** Asked of the same server only: the token goes nowhere else. */
  const newName = async (location: unknown): Promise<string | undefined> => {
    const base = new URL(options.url);
    const target =
      typeof location === 'string' && URL.canParse(location, options.url) ? new URL(location, base) : undefined;
    const [, id] = /\/repositories\/(\d+)/.exec(target?.pathname ?? '') ?? [];
    if (target?.protocol !== base.protocol || target.host !== base.host || id === undefined) return undefined;
    try {
      const { data } = await octokit.request('GET /repositories/{id}', { id, request: { redirect: 'manual' } });
      return z.parse(Repository, data).full_name;
    } catch {
      return undefined; // Then the message does without it.
    }
  };

  /** In GraphQL, once: GitHub may have done what a failed change asked for, and the next sync looks again. */
  const graphql = <S extends z.core.$ZodType>(
    schema: S,
    what: string,
    query: string,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<z.output<S>> =>
    inTurn(() =>
      patiently(what, async (request) => parsed(schema, what, await octokit.graphql(query, { ...variables, request }))),
    );

  const read = async <S extends z.core.$ZodType>(
    schema: S,
    what: string,
    route: string,
    parameters = {},
  ): Promise<z.output<S>> => parsed(schema, what, (await request(what, route, parameters)).data);

  return {
    repo,
    graphql,

    async repository(): Promise<RemoteRepository> {
      const found = await read(Repository, 'the repository', 'GET /repos/{owner}/{repo}');
      const { full_name, has_issues = true, archived = false, permissions } = found;
      return {
        name: full_name,
        hasIssues: has_issues,
        isArchived: archived,
        isPrivate: found.private ?? false,
        ...(permissions && {
          mayWrite: permissions.push === true || permissions.admin === true || permissions.maintain === true,
        }),
      };
    },

    /** False if it was there already. */
    async makeLabel(label: {
      readonly name: string;
      readonly color: string;
      readonly description: string;
    }): Promise<boolean> {
      try {
        await request(`the label ${label.name}`, 'POST /repos/{owner}/{repo}/labels', label);
        return true;
      } catch (error) {
        if (error instanceof AgentXError && /already_exists/.test(error.message)) return false;
        throw error;
      }
    },

    /** Those that changed since then, oldest change first. */
    async issues({ since, page = 1 }: Cursor): Promise<readonly RemoteIssue[]> {
      const data = await read(z.array(IssueData), 'the issues', 'GET /repos/{owner}/{repo}/issues', {
        state: 'all',
        sort: 'updated',
        direction: 'asc',
        per_page: PAGE_SIZE,
        ...(since !== undefined && { since }),
        ...(page > 1 && { page }),
      });
      return data.map(issueOf);
    },

    /** Those that changed last, latest change first; undefined if nothing differs from the answer with this tag. */
    async latestIssues(etag: string | undefined): Promise<IssuePage | undefined> {
      try {
        const { data, headers } = await request('the issues', 'GET /repos/{owner}/{repo}/issues', {
          state: 'all',
          sort: 'updated',
          direction: 'desc',
          per_page: PAGE_SIZE,
          ...(etag !== undefined && { headers: { 'if-none-match': etag } }),
        });
        const issues = parsed(z.array(IssueData), 'the issues', data).map(issueOf);
        return { issues, ...(headers.etag !== undefined && { etag: headers.etag }) };
      } catch (error) {
        if (error instanceof AgentXError && error.details.status === 304) return undefined;
        throw error;
      }
    },

    /** Comments on all issues, oldest change first. */
    async comments({ since, page = 1 }: Cursor): Promise<readonly RemoteComment[]> {
      const data = await read(z.array(CommentData), 'the comments', 'GET /repos/{owner}/{repo}/issues/comments', {
        sort: 'updated',
        direction: 'asc',
        per_page: PAGE_SIZE,
        ...(since !== undefined && { since }),
        ...(page > 1 && { page }),
      });
      return data.flatMap(commentOf);
    },

    async commentsOf(issue_number: number): Promise<readonly RemoteComment[]> {
      const all: RemoteComment[] = [];
      for (let page = 1; ; page++) {
        const what = `the comments on #${issue_number}`;
        const data = await read(
          z.array(CommentData),
          what,
          'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
          { issue_number, per_page: PAGE_SIZE, ...(page > 1 && { page }) },
        );
        all.push(...data.flatMap((comment) => commentOf({ issue_url: `/issues/${issue_number}`, ...comment })));
        if (data.length < PAGE_SIZE) return all;
      }
    },

    /** Throws if it is not there any more; what it throws says where it is, if that is known. */
    async requireIssue(issue_number: number): Promise<void> {
      await request(`#${issue_number}`, 'GET /repos/{owner}/{repo}/issues/{issue_number}', { issue_number });
    },

    async createIssue(draft: { readonly title: string; readonly body: string; readonly labels: readonly string[] }) {
      return issueOf(await read(IssueData, 'the issue', 'POST /repos/{owner}/{repo}/issues', draft));
    },

    async setState(issue_number: number, state: 'open' | 'closed'): Promise<RemoteIssue> {
      const state_reason = state === 'closed' ? 'completed' : 'reopened';
      const route = 'PATCH /repos/{owner}/{repo}/issues/{issue_number}';
      return issueOf(await read(IssueData, `#${issue_number}`, route, { issue_number, state, state_reason }));
    },

    async comment(issue_number: number, body: string): Promise<Sent> {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';
      return sentOf(await read(CommentData, `a comment on #${issue_number}`, route, { issue_number, body }));
    },

    async edit(issueNumber: number, comment_id: number, body: string): Promise<Sent> {
      const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}';
      return sentOf(await read(CommentData, `a comment on #${issueNumber}`, route, { comment_id, body }));
    },

    async removeComment(issueNumber: number, comment_id: number): Promise<void> {
      try {
        const route = 'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}';
        await request(`a comment on #${issueNumber}`, route, { comment_id });
      } catch (error) {
        // It is not there: another was quicker.
        if (!(error instanceof AgentXError) || error.details.status !== 404) throw error;
      }
    },

    /** Returns the labels that the issue has then. */
    async addLabels(issue_number: number, labels: readonly string[]): Promise<readonly string[]> {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels';
      const data = await read(z.array(LabelData), `labels of #${issue_number}`, route, { issue_number, labels });
      return data.map(labelOf);
    },

    async removeLabel(issue_number: number, name: string): Promise<void> {
      try {
        const route = 'DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}';
        await request(`the label ${name} of #${issue_number}`, route, { issue_number, name });
      } catch (error) {
        // It is not there: a person was quicker.
        if (!(error instanceof AgentXError) || error.details.status !== 404) throw error;
      }
    },

    /** `admin`, `write`, `read` or `none`; undefined if the token may not ask. */
    async permissionOf(username: string): Promise<string | undefined> {
      try {
        const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';
        return (await read(Permission, `the permission of ${username}`, route, { username })).permission;
      } catch (error) {
        if (!(error instanceof AgentXError)) throw error;
        if (error.details.status === 404) return 'none';
        if (error.details.status === 403 && error.details.retryAt === undefined) return undefined;
        throw error;
      }
    },
  };
}

interface Cursor {
  readonly since?: string | undefined;
  readonly page?: number;
}

const nothing = () => {};

/** A wait of a few seconds is waited for; a longer one ends the sync, and the next one goes on. */
const isShort = (retryAfterSeconds: number, _options: unknown, _octokit: unknown, retryCount: number): boolean =>
  retryAfterSeconds <= 3 && retryCount < 2;

const isGitHubItself = (url: string): boolean => new URL(url).hostname === 'api.github.com';

const WAITS_MS = [1_000, 4_000, 9_000];

/** Again after a failure that may pass, until it is over. */
async function retried<T>(send: () => Promise<T>, isOver: AbortSignal): Promise<T> {
  for (const wait of WAITS_MS) {
    try {
      return await send();
    } catch (error) {
      if (isOver.aborted || !isPassing(error)) throw error;
    }
    await sleep(wait, undefined, { signal: isOver });
  }
  return send();
}

/** GitHub failed, or could not be reached. */
function isPassing(error: unknown): boolean {
  return error instanceof Error && 'status' in error && Number(error.status) >= 500;
}

/** Ends with the outer signal, or after some time. By hand: a signal of the platform would stay with the outer one. */
function patienceOf(milliseconds: number, outer: AbortSignal | undefined) {
  const controller = new AbortController();
  const stop = () => controller.abort();
  const timer = setTimeout(stop, milliseconds);
  if (outer?.aborted) stop();
  outer?.addEventListener('abort', stop);
  const end = () => {
    clearTimeout(timer);
    outer?.removeEventListener('abort', stop);
  };
  return { signal: controller.signal, end };
}

function lateError(patienceMs: number): Error {
  return Object.assign(new Error(`it did not answer within ${patienceMs / 1000} s`), { status: 500 });
}

const Login = z.nullish(z.looseObject({ login: z.string(), type: z.optional(z.string()) }));
const LabelData = z.union([z.string(), z.looseObject({ name: z.optional(z.nullable(z.string())) })]);
const Repository = z.looseObject({
  full_name: z.string(),
  private: z.optional(z.boolean()),
  has_issues: z.optional(z.boolean()),
  archived: z.optional(z.boolean()),
  permissions: z.optional(z.record(z.string(), z.boolean())),
});
const Permission = z.looseObject({ permission: z.string() });

/** Only what is used: GitHub adds fields at any time. */
const IssueData = z.looseObject({
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

function issueOf(data: z.output<typeof IssueData>): RemoteIssue {
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

/** Nothing if it does not say which issue it belongs to. */
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

const labelOf = (label: z.output<typeof LabelData>): string =>
  sound(typeof label === 'string' ? label : (label.name ?? ''));

const sentOf = ({ id, html_url, created_at, user }: z.output<typeof CommentData>): Sent => ({
  id,
  url: html_url,
  at: created_at,
  login: user?.login ?? '',
});

/** Text that can be stored: GitHub takes characters that no file of ours does. */
function sound(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8').replaceAll('\u0000', '');
}

/** A proxy, or something else that is not GitHub, may answer in its own way. */
function parsed<S extends z.core.$ZodType>(schema: S, what: string, data: unknown): z.output<S> {
  const result = z.safeParse(schema, data);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.map(String).join('.') ?? '';
  throw new AgentXError('STORE_ERROR', `What answers for ${what} is not GitHub, or has changed: see '${place}'.`, {
    what,
  });
}
