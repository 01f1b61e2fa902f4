import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { failureOf, movedTo, transferred } from './failure.js';
import { parsed, Repository } from './remote-data.js';

/*
 * How a request reaches GitHub. Requests go one after the other, each with a limit of time. A failure that may pass is
 * tried again, unless the request was a POST. A redirect is an error that says where the repository or the issue is now.
 */

export interface ConnectionOptions {
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

/** What the callers use of a response; the types of octokit stay inside. */
interface GitHubResponse {
  readonly data: unknown;
  readonly headers: { readonly etag?: string | undefined };
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

  const request = (
    what: string,
    route: string,
    parameters: Readonly<Record<string, unknown>> = {},
  ): Promise<GitHubResponse> => inTurn(() => send(what, route, parameters));

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

  return { repo, request, read, graphql };
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
