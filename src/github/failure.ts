import { AgentXError, type ErrorCode, messageOf } from '../protocol/errors.js';
import type { Trouble } from '../protocol/github.js';
import { shorten } from '../protocol/shorten.js';

/** What a failed request means for the other requests. */
export type FailureScope =
  /** GitHub cannot be reached, or wants no requests now: nothing can be sent. */
  | 'everything'
  /** This issue cannot be written to; others can. */
  | 'issue'
  /** GitHub refuses this text; it may take others. */
  | 'text';

/** Why GitHub did not carry out a request. */
export class GitHubFailure extends AgentXError {
  constructor(
    code: ErrorCode,
    message: string,
    readonly scope: FailureScope,
    details: Readonly<Record<string, unknown>> & { readonly status?: number; readonly retryAt?: string } = {},
  ) {
    super(code, message, details);
  }

  get status(): number | undefined {
    return typeof this.details.status === 'number' ? this.details.status : undefined;
  }

  /** Whether the issue was deleted or transferred. */
  get isGone(): boolean {
    return this.status === 410 || this.movedTo !== undefined;
  }

  /** Where the issue was transferred to. */
  get movedTo(): string | undefined {
    return typeof this.details.movedTo === 'string' ? this.details.movedTo : undefined;
  }

  get retryAt(): string | undefined {
    return typeof this.details.retryAt === 'string' ? this.details.retryAt : undefined;
  }
}

/** The record of a failure, kept until the next try. */
export function troubleOf(error: unknown, at: string): Trouble {
  const retryAt = error instanceof GitHubFailure ? error.retryAt : undefined;
  return { at, message: messageOf(error), ...(retryAt === undefined ? {} : { retryAt }) };
}

const FIRST_WAIT_MS = 60_000;
const MAX_WAIT_MS = 60 * 60_000;

/** The record of a failure of one issue. The more often an issue fails, the later is the next try. */
export function troubleAfter(earlierTrouble: Trouble | undefined, error: GitHubFailure, at: string): Trouble {
  const tries = (earlierTrouble?.tries ?? 0) + 1;
  const retryAt = new Date(Date.parse(at) + Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1))).toISOString();
  return { retryAt, ...troubleOf(error, at), tries };
}

/**
 * Whether it is too early for another try. The clock may have been put back since the failure: then its times say
 * nothing.
 */
export function isWaiting(trouble: Trouble | undefined, now: string): boolean {
  if (trouble?.retryAt === undefined) return false;
  const nowMs = Date.parse(now);
  return Date.parse(trouble.at) <= nowMs && nowMs < Date.parse(trouble.retryAt);
}

interface HttpFailure {
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly hasResponse: boolean;
}

export interface FailedRequest {
  /** The subject of the request, in words: `a comment on #42`. */
  readonly what: string;
  readonly repo: string;
  readonly nowMs: number;
}

/** Turns an error of the HTTP client into one that says what to do. */
export function failureOf(error: unknown, request: FailedRequest): unknown {
  const httpFailure = httpFailureIn(error);
  if (httpFailure === undefined) return error;
  const { what, repo } = request;
  const { status, hasResponse } = httpFailure;
  const reason = shorten(httpFailure.message.replace(/ - https?:\/\/\S+$/, ''), 300);
  const make = (code: ErrorCode, message: string, scope: FailureScope, more: { readonly retryAt?: string } = {}) =>
    new GitHubFailure(code, message, scope, { status, repo, ...more });
  if (!hasResponse) {
    return new GitHubFailure('STORE_ERROR', `GitHub cannot be reached: ${reason}.`, 'everything', { repo });
  }
  const limit = limitOf(httpFailure, request.nowMs);
  if (limit !== undefined) {
    return make('STORE_ERROR', `GitHub wants no requests until ${limit} (${reason}).`, 'everything', {
      retryAt: limit,
    });
  }
  if (status >= 500) return make('STORE_ERROR', `GitHub failed with ${status}: ${reason}.`, 'everything');
  switch (status) {
    case 401:
      return make(
        'UNAUTHORIZED',
        `GitHub does not accept the token: ${reason}. Set a valid GITHUB_TOKEN, or: gh auth login`,
        'everything',
      );
    case 403:
      return /\blocked\b/i.test(reason)
        ? make('UNAUTHORIZED', `The conversation is locked, so ${what} is not sent. Unlock it on GitHub.`, 'issue')
        : make(
            'UNAUTHORIZED',
            `The token may not do this in ${repo} (${what}): ${reason}. It needs read and write access to ${/discussion/.test(what) ? 'discussions' : 'issues'}.`,
            'issue',
          );
    case 404:
      return make(
        'NOT_FOUND',
        `GitHub finds nothing in ${repo} for this (${what}): it is not there, or the token may not see it.`,
        'issue',
      );
    case 410:
      return make('NOT_FOUND', `GitHub says that it is gone (${what}): ${reason}.`, 'issue');
    case 422:
      return make('INVALID_INPUT', `GitHub refuses ${what}: ${reason}.`, 'text');
    default:
      return make('STORE_ERROR', `GitHub answered ${status} (${what}): ${reason}.`, 'issue');
  }
}

/** The repository was renamed. */
export function movedTo(repo: string, location: string, newName: string | undefined): GitHubFailure {
  const name = newName === undefined ? 'another name' : `the name ${newName}`;
  const todo = newName === undefined ? 'Look it up' : `Write repo = "${newName}" in [github] of .agentx/config.toml`;
  const message = `The repository ${repo} has ${name} by now. ${todo}; nothing is lost until then.`;
  return new GitHubFailure('CONFIG_ERROR', message, 'everything', { repo, location, newName });
}

/** The issue was transferred to another repository. */
export function transferred(what: string, movedTo: string): GitHubFailure {
  const message = `The issue was transferred to ${movedTo}, so ${what} is not sent.`;
  return new GitHubFailure('NOT_FOUND', message, 'issue', { movedTo });
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** When a rate limit, or a limit against abuse, ends. */
function limitOf({ status, message, headers }: HttpFailure, nowMs: number): string | undefined {
  const isTooQuick = status === 422 && /submitted too quickly/i.test(message);
  if (status !== 403 && status !== 429 && !isTooQuick) return undefined;
  const seconds = Number(headers['retry-after']);
  const isSecondary = isTooQuick || /secondary rate|abuse/i.test(message);
  const isUsedUp = String(headers['x-ratelimit-remaining']) === '0';
  if (!isSecondary && !isUsedUp && !Number.isFinite(seconds) && status !== 429) return undefined;
  const reset = Number(headers['x-ratelimit-reset']) * 1000;
  const untilMs = Number.isFinite(seconds)
    ? nowMs + seconds * 1000
    : isUsedUp && Number.isFinite(reset)
      ? reset + 1000
      : nowMs + MINUTE_MS;
  // No limit of GitHub is longer. A time that is further off comes from a clock that is wrong.
  return new Date(Math.min(Math.max(untilMs, nowMs), nowMs + HOUR_MS)).toISOString();
}

/** GraphQL reports failures in a response with status 200: the status that REST would have. */
const STATUSES: Readonly<Record<string, number>> = {
  RATE_LIMITED: 429,
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPES: 403,
  NOT_FOUND: 404,
  UNPROCESSABLE: 422,
};
/** For a failure of any other type, GitHub itself failed. */
const FAILED = 502;

function graphqlFailureIn(error: Error): HttpFailure | undefined {
  if (error.name !== 'GraphqlResponseError' || !('errors' in error) || !Array.isArray(error.errors)) return undefined;
  const [first]: readonly { readonly type?: string; readonly message?: string }[] = error.errors;
  const headers = 'headers' in error && isHeaders(error.headers) ? error.headers : {};
  const status = STATUSES[first?.type ?? ''] ?? FAILED;
  return { status, message: first?.message ?? error.message, headers, hasResponse: true };
}

function httpFailureIn(error: unknown): HttpFailure | undefined {
  const graphql = error instanceof Error ? graphqlFailureIn(error) : undefined;
  if (graphql !== undefined) return graphql;
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return undefined;
  const response = 'response' in error ? error.response : undefined;
  const headers =
    typeof response === 'object' && response !== null && 'headers' in response ? response.headers : undefined;
  return {
    status: error.status,
    message: error.message,
    headers: isHeaders(headers) ? headers : {},
    hasResponse: response !== undefined,
  };
}

function isHeaders(value: unknown): value is HttpFailure['headers'] {
  return typeof value === 'object' && value !== null;
}
