import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { App } from '../app/app.js';
import { systemRefusal } from '../app/system-refusal.js';
import { AgentXError, type ErrorCode } from '../protocol/errors.js';
import { placeAt } from '../protocol/page-address.js';
import type { ErrorBody, SessionBody } from '../protocol/rest.js';
import type { Access, Caller, Credentials } from './access.js';
import { openApiOf } from './openapi.js';
import { type PageFile, takesGzip } from './page.js';
import type { RateLimit, RateLimits } from './rate-limit.js';
import { readBody, readBytes, TooLarge } from './read-body.js';
import type { Route } from './route.js';

export interface HttpOptions {
  readonly app: App;
  readonly projectId: string;
  readonly access: Access;
  readonly routes: readonly Route[];
  readonly page: ReadonlyMap<string, PageFile>;
  readonly limits: RateLimits;
  /** Called when a webhook brought something new. */
  readonly onDelivery?: () => void;
  /** Answers MCP requests of a caller who may send them. */
  readonly mcp?: (request: McpRequest, principal: string) => Promise<Response>;
}

type McpRequest = globalThis.Request;
type Environment = { Bindings: Partial<HttpBindings>; Variables: { caller: Caller } };
type Request = Context<Environment>;

const PREFIX = '/api/v1';
const MCP = '/mcp';
const JSON_TYPE = { 'content-type': 'application/json' };

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Everything that is answered over HTTP. Needs no port: a test calls it with a Request. */
export function createHttp(options: HttpOptions): Hono<Environment> {
  const http = new Hono<Environment>();
  guard(http, options);
  serveHealth(http, options);
  takeWebhooks(http, options);
  identifyCallers(http, options);
  requireFolder(http, options);
  serveMcp(http, options);
  serveSessions(http, options);
  serveRoutes(http, options);
  servePage(http, options);
  answerErrors(http, options);
  return http;
}

type Http = Hono<Environment>;

/** Every client may ask. However often clients do, the disk is tried once in this time. */
const TRIED_MS = 1_000;

/** Whether an answer would be taken now. */
function serveHealth(http: Http, { app }: HttpOptions): void {
  let triedAt = Number.NEGATIVE_INFINITY;
  let lastTry = Promise.resolve();
  http.get('/healthz', async (c) => {
    await app.requireServed();
    if (performance.now() - triedAt >= TRIED_MS) {
      triedAt = performance.now();
      lastTry = app.requireWritable();
    }
    await lastTry;
    return c.json({ status: 'ok' });
  });
  allowOnly(http, '/healthz', ['GET']);
}

function guard(http: Http, { access, limits: { all } }: HttpOptions): void {
  http.use(async (c, next) => {
    for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
    if (!access.isOurHost(credentialsOf(c)))
      return refuse(c, 403, 'UNAUTHORIZED', 'This server is not known by that name.');
    if (!all.take()) return tooMany(c, all);
    await next();
  });
}

/** GitHub has no token of ours: the signature of the body says that it comes from there. */
function takeWebhooks(http: Http, { app, limits: { strangers }, onDelivery }: HttpOptions): void {
  http.post('/github/webhook', async (c) => {
    if (!strangers.take()) return tooMany(c, strangers);
    if (app.mode !== 'github') return c.notFound();
    const delivery = await app.takeDelivery({
      event: c.req.header('x-github-event'),
      delivery: c.req.header('x-github-delivery'),
      signature: c.req.header('x-hub-signature-256'),
      body: await readBytes(c),
    });
    if (delivery === 'new') onDelivery?.();
    return c.json({ status: delivery }, delivery === 'new' ? 202 : 200);
  });
}

function identifyCallers(http: Http, { access, limits: { strangers } }: HttpOptions): void {
  const identified = async (c: Request, next: () => Promise<void>) => {
    c.header('cache-control', 'no-store');
    const credentials = credentialsOf(c);
    const caller = access.identify(credentials);
    if (caller === undefined) {
      if (!strangers.take()) return tooMany(c, strangers);
      c.header('www-authenticate', 'Bearer');
      return refuse(c, 401, 'UNAUTHORIZED', 'This needs the token that agentx serve printed.');
    }
    const isWrite = c.req.method !== 'GET' && c.req.method !== 'HEAD';
    if (isWrite && caller.by === 'cookie' && !access.isOurOrigin(credentials)) return foreignPage(c);
    c.set('caller', caller);
    return await next();
  };
  http.use(`${PREFIX}/*`, identified);
  http.use(MCP, identified);
}

/** Nothing of the project is shown or changed without its folder. */
function requireFolder(http: Http, { app }: HttpOptions): void {
  const served = async (_: Request, next: () => Promise<void>) => {
    await app.requireServed();
    await next();
  };
  http.use(`${PREFIX}/projects/*`, served);
  http.use(MCP, served);
}

function serveMcp(http: Http, { access, mcp }: HttpOptions): void {
  http.all(MCP, async (c) => {
    const credentials = credentialsOf(c);
    if (credentials.origin !== undefined && !access.isOurOrigin(credentials)) return foreignPage(c);
    if (mcp === undefined) return c.notFound();
    const { status, body, headers } = await mcp(c.req.raw, c.get('caller').principal);
    return new Response(body, {
      status,
      headers: { ...HEADERS, 'cache-control': 'no-store', ...Object.fromEntries(headers) },
    });
  });
}

function serveSessions(http: Http, { app, access, projectId }: HttpOptions): void {
  const session = (principal: string): SessionBody => ({ principal, projectId, now: app.clock.now() });
  http.post(`${PREFIX}/session`, async (c) => {
    const { name } = nameIn(await readBody(c));
    const credentials = credentialsOf(c);
    // A person who follows the link again keeps the name that they chose.
    const earlierCaller = access.identify({ ...credentials, authorization: undefined });
    const principal = name ?? earlierCaller?.principal ?? c.get('caller').principal;
    for (const cookie of access.sessionCookies(credentials, principal))
      c.header('set-cookie', cookie, { append: true });
    return c.json(session(principal));
  });
  http.get(`${PREFIX}/session`, (c) => c.json(session(c.get('caller').principal)));
  allowOnly(http, `${PREFIX}/session`, ['GET', 'POST']);
}

function serveRoutes(http: Http, { app, routes, projectId }: HttpOptions): void {
  const description = openApiOf(routes);
  http.get(`${PREFIX}/openapi.json`, (c) => c.json(description));
  allowOnly(http, `${PREFIX}/openapi.json`, ['GET']);
  for (const route of routes) {
    http.on(route.method.toUpperCase(), `${PREFIX}/projects/:p${route.path}`, async (c) => {
      const { p, ...params } = c.req.param();
      if (p !== projectId) {
        throw new AgentXError('NOT_FOUND', `There is no project '${p}' here. Allowed: ${projectId}.`, {
          projectId: p,
          allowed: [projectId],
        });
      }
      const { principal, by } = c.get('caller');
      const authority = by === 'token' ? 'the token of the server' : 'a session that showed the token of the server';
      const query = c.req.query();
      const result = await route.handle({ app, principal, authority, params, query, body: () => readBody(c) });
      return c.body(JSON.stringify(result), route.status, JSON_TYPE);
    });
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    const allowed = routes.flatMap((route) => (route.path === path ? route.method.toUpperCase() : []));
    allowOnly(http, `${PREFIX}/projects/:p${path}`, allowed);
  }
}

/** Refuses what the routes before this one leave. */
function allowOnly(http: Http, path: string, methods: readonly string[]): void {
  http.all(path, (c) => {
    c.header('allow', methods.join(', '));
    const message = `${c.req.method} is nothing that ${c.req.path} knows. Allowed: ${methods.join(', ')}.`;
    return refuse(c, 405, 'INVALID_INPUT', message);
  });
}

function servePage(http: Http, { page }: HttpOptions): void {
  http.get('*', (c) => {
    const { path } = c.req;
    const file = page.get(placeAt(path) === undefined ? path : '/index.html');
    // A person who mistyped an address gets the page, which says so and links to its views.
    const lostPage = isRead(c) && !path.startsWith('/api/') ? page.get('/index.html') : undefined;
    const pageFile = file ?? lostPage;
    if (pageFile === undefined) return c.notFound();
    const status = file === undefined ? 404 : 200;
    const { body, gzip, type, cache } = pageFile;
    const headers = { 'content-type': type, 'cache-control': cache, vary: 'accept-encoding' };
    if (gzip === undefined || !takesGzip(c.req.header('accept-encoding'))) return c.body(body, status, headers);
    return c.body(gzip, status, { ...headers, 'content-encoding': 'gzip' });
  });
}

function answerErrors(http: Http, { app }: HttpOptions): void {
  http.notFound((c) => refuse(c, 404, 'NOT_FOUND', `There is nothing at ${c.req.method} ${c.req.path}.`));
  http.onError((thrown, c) => {
    const error = systemRefusal(thrown) ?? thrown;
    if (error instanceof TooLarge) return refuse(c, 413, 'INVALID_INPUT', error.message);
    if (error instanceof AgentXError) return c.body(JSON.stringify({ error }), statusOf(error), JSON_TYPE);
    app.log.error('a request failed', { method: c.req.method, path: c.req.path, error: error.message });
    return refuse(c, 500, 'STORE_ERROR', 'Something went wrong here; the log says what.');
  });
}

/** By a person, in a browser. */
function isRead(c: Request): boolean {
  return c.req.header('accept')?.includes('text/html') === true;
}

function credentialsOf(c: Request): Credentials {
  const { req } = c;
  return {
    host: req.header('host'),
    origin: req.header('origin'),
    authorization: req.header('authorization'),
    cookie: req.header('cookie'),
  };
}

function nameIn(body: unknown): { readonly name: string | undefined } {
  const name = typeof body === 'object' && body !== null && 'name' in body ? body.name : undefined;
  if (name === undefined) return { name };
  if (typeof name === 'string' && VISIBLE.test(name) && name.length <= 80) return { name: name.trim() };
  throw new AgentXError('INVALID_INPUT', "The field 'name' must be a line of 1 to 80 characters.", {});
}

/** A line that a person can read: decisions are shown with the name of their author. */
const VISIBLE = /^\P{Cc}*[^\p{C}\p{Z}]\P{Cc}*$/u;

function foreignPage(c: Request): Response {
  return refuse(c, 403, 'UNAUTHORIZED', 'A page of another origin may not act here.');
}

function tooMany(c: Request, limit: RateLimit): Response {
  c.header('retry-after', String(limit.retrySeconds));
  return refuse(c, 429, 'INVALID_STATE', 'That was too often; wait a little.');
}

function refuse(
  c: Request,
  status: 401 | 403 | 404 | 405 | 413 | 429 | 500,
  code: ErrorCode,
  message: string,
): Response {
  return c.json({ error: { code, message, details: {} } } satisfies ErrorBody, status);
}

function statusOf(error: AgentXError) {
  const { httpStatus } = error;
  const knownStatus = ([400, 401, 403, 404, 409, 422, 502, 503] as const).find((status) => status === httpStatus);
  return knownStatus ?? 500;
}
