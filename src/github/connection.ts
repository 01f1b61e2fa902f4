import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { failureOf, movedTo, transferred } from './failure.js';
import { parsed, Repository } from './remote-data.js';

/*
 * How a request reaches GitHub. Requests go one after the other, each with a limit of time. A failure that may pass is
 * tried again, unless the request was a POST. A redirect is an error that says where the repository or the issue is
 * now.
 */

export interface ConnectionOptions {
  /** `https://api.github.com`, or the address of GitHub Enterprise. */
  readonly url: string;
  /** `owner/name` */
  readonly repo: string;
  readonly token: string;
  readonly now: () => string;
  readonly signal?: AbortSignal | undefined;
  /** A request is given up after this time. */
  readonly patienceMs?: number;
}

/** What the callers use of a response; the types of octokit stay inside. */
interface GitHubResponse {
  readonly data: unknown;
  readonly headers: { readonly etag?: string | undefined };
}

/** How a request is sent, and until when its answer is waited for. */
interface SentRequest {
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

const PATIENCE_MS = 30_000;

export async function openConnection(options: ConnectionOptions) {
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
  // github.com asks for a pause between writes. GitHub Enterprise has no such limit unless it sets one, and then says
  // so in its response (failure.ts).
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

  const request = (
    what: string,
    route: string,
    parameters: Readonly<Record<string, unknown>> = {},
  ): Promise<GitHubResponse> => inTurn(() => send(what, route, parameters));

  const send = (what: string, route: string, parameters: Readonly<Record<string, unknown>>) =>
    patiently(what, async (request) => {
      const once = () => octokit.request(route, { ...at, ...parameters, request });
      // GitHub may have carried out a POST that failed: only callers that have looked may repeat it.
      const response = await (route.startsWith('POST') ? once() : retried(once, request.signal));
      const { status, headers } = response;
      if (status < 300 || status >= 400) return response;
      const isOfOne = 'issue_number' in parameters || 'comment_id' in parameters;
      throw await redirected(what, headers.location, { isOfOne, request });
    });

  /** If the repository still has its name, the redirect means that the issue was transferred. */
  const redirected = async (
    what: string,
    location: unknown,
    { isOfOne, request }: { readonly isOfOne: boolean; readonly request: SentRequest },
  ) => {
    const name = await newName(location, request);
    const [, number] = /\/issues\/(\d{1,15})(?:$|[/?])/.exec(String(location)) ?? [];
    if (!isOfOne || !(await hasItsName(request))) return movedTo(repo, String(location), name);
    return transferred(what, name === undefined ? 'another repository' : `${name}${number ? `#${number}` : ''}`);
  };

  const hasItsName = async (request: SentRequest): Promise<boolean> => {
    const { status } = await octokit.request('GET /repos/{owner}/{repo}', { ...at, request });
    return status === 200;
  };

  /** Gives a request its limit of time. Its errors say what to do. */
  const patiently = async <T>(what: string, send: (request: SentRequest) => Promise<T>): Promise<T> => {
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

  /** Asks the same server only: the token goes nowhere else. */
  const newName = async (location: unknown, request: SentRequest): Promise<string | undefined> => {
    const base = new URL(options.url);
    const target =
      typeof location === 'string' && URL.canParse(location, options.url) ? new URL(location, base) : undefined;
    const [, id] = /\/repositories\/(\d+)/.exec(target?.pathname ?? '') ?? [];
    if (target?.protocol !== base.protocol || target.host !== base.host || id === undefined) return undefined;
    try {
      const { data } = await octokit.request('GET /repositories/{id}', { id, request });
      return z.parse(Repository, data).full_name;
    } catch {
      return undefined; // Then the message does without it.
    }
  };

  /** Sends a GraphQL query once: GitHub may have carried out a change that failed, and the next sync looks again. */
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

  return { repo, request, read, graphql };
}

const nothing = () => {};

/**
 * Whether to wait as GitHub asks. A wait of more than a few seconds ends the sync instead, and the next sync goes on.
 */
const isShort = (retryAfterSeconds: number, _options: unknown, _octokit: unknown, retryCount: number): boolean =>
  retryAfterSeconds <= 3 && retryCount < 2;

const isGitHubItself = (url: string): boolean => new URL(url).hostname === 'api.github.com';

const WAITS_MS = [1_000, 4_000, 9_000];

/** Tries again after a failure that may pass, until the time is over. */
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

/**
 * A signal that aborts with the outer signal, or after some time. `AbortSignal.any` is not used: it would stay attached
 * to the outer signal.
 */
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
