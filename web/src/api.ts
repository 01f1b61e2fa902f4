import type { ErrorBody, Listings, SessionBody } from '../../src/protocol/rest.js';
import { wantedPath } from './after-login.js';
import { distrust } from './live.js';
import { change } from './state.js';

/** A refusal by the server, with its code and the present state that it shows. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly details: Readonly<Record<string, unknown>>,
  ) {
    super(message);
  }
}

/**
 * The server does not know this browser (any more), or serves another project by now: the page is locked, and unsent
 * text is kept.
 */
export function isLocked(error: unknown): boolean {
  return error instanceof Refusal && (error.status === 401 || error.details.projectId !== undefined);
}

/** The server cannot be reached; unsent text is kept. */
export class Offline extends Error {}

/** The token of the link, removed from the address at once. */
export function takeToken(): string | undefined {
  const token = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (token !== undefined) history.replaceState(null, '', wantedPath());
  return token;
}

/** The token in a pasted link, or its last part alone. */
export function tokenIn(text: string): string | undefined {
  return /(?:^|#token=)([\w-]{20,})$/.exec(text.trim())?.[1];
}

/** Exchanges the token for a cookie; without a token, an earlier cookie must do, which then lasts anew. */
export async function logIn(token: string | undefined): Promise<SessionBody> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return request('POST', '/api/v1/session', {}, { headers });
}

/** Browsers do not send larger bodies once the page is left. */
const MAX_KEPT_ALIVE_CHARACTERS = 15_000;

export async function request<T>(
  method: string,
  path: string,
  content?: unknown,
  { headers = {} }: { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<T> {
  const body = content === undefined ? undefined : JSON.stringify(content);
  const response = await fetch(path, {
    method,
    // The request arrives even if the person leaves the page meanwhile.
    keepalive: body !== undefined && body.length <= MAX_KEPT_ALIVE_CHARACTERS,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body }),
  }).catch(() => {
    distrust();
    throw new Offline('The server cannot be reached.');
  });
  const answer = await response.json().catch(() => undefined);
  if (response.ok) {
    if (answer === undefined) throw new Offline('The answer of the server broke off.');
    return answer;
  }
  const errorBody: Partial<ErrorBody> | undefined = answer;
  const {
    code = 'STORE_ERROR',
    message = `The server answered ${response.status}.`,
    details = {},
  }: Partial<ErrorBody['error']> = errorBody?.error ?? {};
  const refusal = new Refusal(code, message, response.status, details);
  if (isLocked(refusal)) change({ phase: 'locked' });
  throw refusal;
}

interface ListingPage<K extends keyof Listings> {
  readonly items: Listings[K];
  /** How many there are on all pages. */
  readonly total: number;
}

/**
 * A listing, page by page. `version` tells whether something happened while a page was on its way that the page may not
 * contain: then it is read again.
 */
export async function* pagesOf<K extends keyof Listings>(
  path: string,
  key: K,
  version = () => 0,
): AsyncGenerator<ListingPage<K>> {
  let cursor: string | undefined;
  for (;;) {
    const versionBefore = version();
    const query = `limit=200${cursor === undefined ? '' : `&cursor=${cursor}`}`;
    const page: Pick<Listings, K> & { readonly next?: string; readonly total?: number } = await request(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}${query}`,
    );
    if (version() !== versionBefore) continue;
    const listing: Pick<Listings, K> = page;
    const items = listing[key];
    yield { items, total: page.total ?? items.length };
    cursor = page.next;
    if (cursor === undefined) return;
  }
}

export async function listAll<K extends keyof Listings>(path: string, key: K): Promise<readonly Listings[K][number][]> {
  const items: Listings[K][number][] = [];
  for await (const page of pagesOf(path, key)) items.push(...page.items);
  return items;
}

let askedSoFar = 0;
const lastAnswers = new Map<string, number>();

/** Undefined if the answer to a later request for the same has overtaken this one. */
export async function newest<T>(what: string, read: () => Promise<T>): Promise<T | undefined> {
  askedSoFar += 1;
  const number = askedSoFar;
  const answer = await read();
  if (number < (lastAnswers.get(what) ?? 0)) return undefined;
  lastAnswers.set(what, number);
  return answer;
}
