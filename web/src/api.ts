/** A refusal of the server, with its code and what it shows of the present state. */
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

/** The server cannot be reached; what was to be said is still here. */
export class Offline extends Error {}

export interface Session {
  readonly principal: string;
  readonly projectId: string;
}

/** Exchanges the token of the link for a cookie, and takes it out of the address at once. */
export async function logIn(): Promise<Session> {
  const token = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (token === undefined) return request('GET', '/api/v1/session');
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  return request('POST', '/api/v1/session', {}, { headers: { authorization: `Bearer ${token}` } });
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** The page is being left: the browser sends it all the same. */
  readonly keepalive?: boolean;
}

export async function request<T>(
  method: string,
  path: string,
  body?: unknown,
  { headers = {}, keepalive = false }: RequestOptions = {},
): Promise<T> {
  const response = await fetch(path, {
    method,
    keepalive,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Offline('The server cannot be reached.');
  });
  const content = await response.json().catch(() => undefined);
  if (response.ok) return content;
  const { code = 'STORE_ERROR', message = response.statusText, details = {} } = content?.error ?? {};
  throw new Refusal(code, message, response.status, details);
}

/** All pages of a listing, one after the other. */
export async function listAll<K extends string, T>(path: string, key: K): Promise<readonly T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const query = `limit=200${cursor === undefined ? '' : `&cursor=${cursor}`}`;
    const page: { readonly [P in K]: readonly T[] } & { readonly next?: string } = await request(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}${query}`,
    );
    items.push(...page[key]);
    cursor = page.next;
  } while (cursor !== undefined);
  return items;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
