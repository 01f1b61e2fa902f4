import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { anAssumption } from '../../test/builders/assumption.js';
import { aClarification } from '../../test/builders/clarification.js';
import { aQuestion } from '../../test/builders/question.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { until } from '../../test/support/until.js';
import { createApp } from '../app/create-app.js';
import { initFolder } from '../app/init.js';
import { serverToken } from '../app/server-files.js';
import type { Store } from '../ports/store.js';
import { AgentXError } from '../protocol/errors.js';
import { layoutOf } from '../storage/files/layout.js';
import { openFileStore } from '../storage/files/store.js';
import { Access } from './access.js';
import { createHttp } from './http.js';
import { pageOfFiles } from './page.js';
import { rateLimits } from './rate-limit.js';
import { ROUTES } from './serve.js';

const token = 'a-token-of-this-test';
const host = '127.0.0.1:4820';
const bearer = { authorization: `Bearer ${token}` };

interface ServerOptions {
  readonly port?: number;
  readonly project?: string;
  readonly root?: string;
  readonly store?: Store;
}

function aServer({ port = 4820, project = 'shop', ...options }: ServerOptions = {}) {
  const { root = initFolder({ repository: temporaryFolder() }).root, store = openFileStore({ root }) } = options;
  const runners = { architect: () => ({ status: 'failed' as const }) };
  const clock = { now: () => new Date().toISOString(), sleep: async () => {} };
  const app = createApp({ root, env: {}, runners, clock, store });
  serverToken(layoutOf(root).state);
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const access = new Access({ token, hosts, project, principal: 'ada' });
  const html = new TextEncoder().encode('<!doctype html>');
  const page = pageOfFiles(
    new Map([
      ['index.html', html],
      ['index.html.gz', new Uint8Array(gzipSync(html))],
    ]),
  );
  const http = createHttp({ app, projectId: project, access, routes: ROUTES, page, limits: rateLimits(() => 0) });
  const call = (method: string, path: string, { headers = bearer as Record<string, string>, body }: Call = {}) =>
    http.request(path, {
      method,
      headers: { host, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return { app, store, call };
}

interface Call {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

const read = async <T>(response: Response | undefined): Promise<T> => JSON.parse((await response?.text()) ?? 'null');
interface Page {
  readonly notifications: readonly { readonly id: string }[];
  readonly total: number;
  readonly next?: string;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const notifications = '/api/v1/projects/shop/notifications';
const question = `${notifications}/oq-1a2b3c4d`;
const answer = { revision: 1, responses: [{ questionId: 'q1', optionIds: ['a'] }] };

async function openQuestion(store: Store, fields = {}) {
  await store.questions.create(aQuestion(fields));
}

describe('access', () => {
  it('wants the token for everything below the prefix, and for nothing else [OQ-4/5]', async () => {
    const { call } = aServer();
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { cookie: 'agentx_session_4820_shop=YQ.x' }]) {
      const refusal = await call('GET', notifications, { headers: { ...headers } });
      expect(refusal.status).toBe(401);
      expect(await refusal.json()).toMatchObject({ error: { code: 'UNAUTHORIZED', details: {} } });
    }
    expect((await call('GET', `${notifications}?token=${token}`, { headers: {} })).status).toBe(401);
    expect((await call('GET', notifications)).status).toBe(200);
    expect((await call('GET', '/healthz', { headers: {} })).status).toBe(200);
  });

  it('refuses every Host but the loopback with its port, health included', async () => {
    const { call } = aServer();
    for (const other of ['evil.example', '127.0.0.1', '127.0.0.1:9999', 'localhost.evil.example:4820']) {
      for (const path of ['/healthz', '/', notifications]) {
        expect((await call('GET', path, { headers: { ...bearer, host: other } })).status).toBe(403);
      }
    }
    expect((await call('GET', '/healthz', { headers: { host: 'LOCALHOST:4820' } })).status).toBe(200);
  });

  it('exchanges the token for a cookie that scripts cannot read and other sites cannot use', async () => {
    const { store, call } = aServer();
    await openQuestion(store);
    const login = await call('POST', '/api/v1/session', { headers: { ...bearer, origin: `http://${host}` } });
    const cookie = login.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^agentx_session_4820_shop=[\w-]+\.[\w-]+; HttpOnly; SameSite=Strict; Path=\//);
    expect(cookie).not.toContain(token);
    const session = { cookie: cookie.split(';')[0] ?? '' };
    expect((await call('GET', notifications, { headers: session })).status).toBe(200);
    for (const origin of [{}, { origin: 'http://evil.example' }, { origin: 'null' }]) {
      expect((await call('PATCH', question, { headers: { ...session, ...origin }, body: answer })).status).toBe(403);
    }
    const own = { ...session, origin: `http://${host}` };
    expect((await call('PATCH', question, { headers: own, body: answer })).status).toBe(200);
  });

  it.each([
    ['another port', { port: 4821, project: 'shop' }],
    ['another project', { port: 4820, project: 'my shop; it is = \u00fc' }],
  ])('leaves the cookie of a server on %s alone, and is left alone by it', async (_, other) => {
    const [here, there] = [aServer(), aServer(other)];
    const thereHost = `127.0.0.1:${other.port}`;
    const jar = [
      await here.call('POST', '/api/v1/session', { body: { name: 'Grace' } }),
      await there.call('POST', '/api/v1/session', { headers: { ...bearer, host: thereHost }, body: { name: 'Alan' } }),
    ].map((login) => (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '');
    expect(new Set(jar.map((pair) => pair.split('=')[0])).size).toBe(2);
    const cookie = jar.join('; ');
    const who = async (response: Promise<Response> | Response) => read<object>(await response);
    expect(await who(here.call('GET', '/api/v1/session', { headers: { cookie } }))).toMatchObject({
      principal: 'Grace',
    });
    expect(await who(there.call('GET', '/api/v1/session', { headers: { cookie, host: thereHost } }))).toMatchObject({
      principal: 'Alan',
    });
  });

  it('lets the sessions of servers that are long gone not fill the headers of a browser', async () => {
    const { call } = aServer();
    const oldCookies = Array.from({ length: 30 }, (_, index) => `agentx_session_${50_000 + index}_shop=YQ.x`);
    const headers = { ...bearer, cookie: ['theme=dark', ...oldCookies].join('; ') };
    const cookies = (await call('POST', '/api/v1/session', { headers })).headers.getSetCookie();
    expect(cookies[0]).toMatch(/^agentx_session_4820_shop=.*Max-Age=2592000$/);
    const endedNames = cookies.slice(1).map((cookie) => /^(\w+)=; .*Max-Age=0$/.exec(cookie)?.[1]);
    expect(endedNames).toEqual(oldCookies.slice(0, 11).map((pair) => pair.split('=')[0]));
  });

  it('keeps the name of a person who follows the link once more', async () => {
    const { call } = aServer();
    const login = await call('POST', '/api/v1/session', { body: { name: 'Grace' } });
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const again = await call('POST', '/api/v1/session', { headers: { ...bearer, cookie }, body: {} });
    expect(await again.json()).toMatchObject({ principal: 'Grace' });
    const after = (again.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const session = await call('GET', '/api/v1/session', { headers: { cookie: after } });
    expect(await session.json()).toMatchObject({ principal: 'Grace' });
  });

  it('knows a person by the name of the session, and takes no name that was changed [X-8/1] [X-8/4]', async () => {
    const { store, call } = aServer();
    await openQuestion(store);
    const login = await call('POST', '/api/v1/session', { body: { name: 'Grace' } });
    const session = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const forgedSession = session.replace(/=[^.]+/, `=${Buffer.from('Mallory').toString('base64url')}`);
    expect((await call('GET', notifications, { headers: { cookie: forgedSession } })).status).toBe(401);
    const headers = { cookie: session, origin: `http://${host}` };
    const response = await call('PATCH', question, { headers, body: answer });
    expect(await response.json()).toMatchObject({
      notification: {
        answeredBy: {
          principal: 'Grace',
          channel: 'web',
          authority: 'a session that showed the token of the server',
          revision: 1,
        },
      },
    });
  });

  it.each(['', '  ', '\u0007', 'Ada\nLovelace', '\u001b[2J', '\u200b', 'x'.repeat(81), 7, null])(
    'knows no person by the name %j',
    async (name) => {
      const { call } = aServer();
      expect((await call('POST', '/api/v1/session', { body: { name } })).status).toBe(400);
    },
  );

  it('lets no client guess for long, and says when to come back [OQ-4/5]', async () => {
    const { call } = aServer();
    const guesses = await Promise.all(Array.from({ length: 60 }, () => call('GET', notifications, { headers: {} })));
    expect(guesses.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(10);
    expect(guesses.at(-1)?.headers.get('retry-after')).toBe('1');
    expect(await guesses.at(-1)?.json()).toMatchObject({ error: { code: 'INVALID_STATE' } });
    expect((await call('GET', notifications)).status).toBe(200);
  });

  it('knows a page behind TLS in front of it by the same name, and no other', async () => {
    const { store, call } = aServer();
    await openQuestion(store);
    const login = await call('POST', '/api/v1/session');
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const patch = (origin: string) => call('PATCH', question, { headers: { cookie, origin }, body: answer });
    for (const origin of ['https://127.0.0.1', `https://${host}.evil.example`, `ftp://${host}`, `http://${host}/`]) {
      expect([origin, (await patch(origin)).status]).toEqual([origin, 403]);
    }
    expect((await patch(`https://${host}`)).status).toBe(200);
  });

  it('writes neither token nor cookie into an error or a log', async () => {
    const { app, call } = aServer();
    const bareRequest = { headers: {} };
    const replies = await Promise.all([
      call('GET', `${notifications}?token=${token}`, bareRequest),
      call('GET', notifications, { headers: { authorization: `Bearer ${token}x` } }),
      call('PATCH', `${notifications}/oq-none`, { body: answer }),
      call('PATCH', question, { body: '{' }),
    ]);
    for (const response of replies) expect(await response.text()).not.toContain(token);
    app.log.error('a request failed', { path: notifications });
    const folder = join(app.root, 'state/logs');
    await until(() => existsSync(folder) && readdirSync(folder).length > 0);
    for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name), 'utf8')).not.toContain(token);
  });

  it('gives a browser that speaks TLS a cookie that it sends over TLS alone, and a new month at each visit', async () => {
    const { call } = aServer();
    const origin = `https://${host}`;
    const login = await call('POST', '/api/v1/session', { headers: { ...bearer, origin } });
    const line = login.headers.get('set-cookie') ?? '';
    expect(line).toMatch(/; Max-Age=2592000; Secure$/);
    const cookie = line.split(';')[0] ?? '';
    const visit = await call('POST', '/api/v1/session', { headers: { cookie, origin } });
    expect(visit.headers.get('set-cookie')).toBe(line);
  });

  it('answers HEAD as GET without a body, and knows no method that it does not describe', async () => {
    const { call } = aServer();
    const head = await call('HEAD', notifications);
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const method of ['OPTIONS', 'DELETE', 'PUT', 'BREW']) {
      const refusal = await call(method, notifications);
      expect([method, refusal.status]).toEqual([method, 405]);
      expect(refusal.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it.each([
    ['/healthz', 'GET'],
    ['/api/v1/session', 'GET, POST'],
    ['/api/v1/openapi.json', 'GET'],
  ])('says which methods %s knows', async (path, allowed) => {
    const { call } = aServer();
    for (const method of ['DELETE', 'PUT']) {
      const refusal = await call(method, path);
      expect([refusal.status, refusal.headers.get('allow')]).toEqual([405, allowed]);
      expect(await read(refusal)).toMatchObject({ error: { code: 'INVALID_INPUT' } });
    }
  });

  it('serves the page with a policy that lets nothing in from outside', async () => {
    const { call } = aServer();
    const page = await call('GET', '/', { headers: {} });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect((await call('GET', '/../package.json', { headers: {} })).status).toBe(404);
  });

  it.each(['/', '/inbox', '/inbox/oq-1', '/board', '/asks/CLR-42-001', '/assumptions/', '/digest/2026-W47'])(
    'answers %s with the page, under the same policy',
    async (path) => {
      const { call } = aServer();
      const page = await call('GET', path, { headers: {} });
      expect([page.status, await page.text()]).toEqual([200, '<!doctype html>']);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page.headers.get('cache-control')).toBe('no-cache');
    },
  );

  it.each(['/nowhere', '/board/42', '/inbox/a/b', '/index.html.gz', '/api/v2/x'])('has nothing at %s', async (path) => {
    const { call } = aServer();
    expect((await call('GET', path, { headers: {} })).status).toBe(404);
  });

  it.each([
    ['/nowhere', '<!doctype html>'],
    ['/board/42', '<!doctype html>'],
    ['/api/v2/x', expect.stringContaining('There is nothing at GET /api/v2/x.')],
  ])('says so to a person on the page (%s)', async (path, text) => {
    const { call } = aServer();
    const answer = await call('GET', path, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect([answer.status, await answer.text()]).toEqual([404, text]);
  });

  it.each([
    ['gzip, deflate, br', 'gzip'],
    ['*', 'gzip'],
    ['br, GZIP;q=0.5', 'gzip'],
    ['', null],
    ['identity', null],
    ['gzip;q=0', null],
    ['gzip; q=0.0, *', null],
  ])('sends what the build compressed to those who take it (%j)', async (accepted, encoding) => {
    const { call } = aServer();
    const page = await call('GET', '/', { headers: { 'accept-encoding': accepted } });
    expect(page.headers.get('content-encoding')).toBe(encoding);
    expect(page.headers.get('vary')).toBe('accept-encoding');
    const body = Buffer.from(await page.arrayBuffer());
    expect(String(encoding === 'gzip' ? gunzipSync(body) : body)).toBe('<!doctype html>');
  });
});

describe('notifications', () => {
  it('lists open, resolved or all, page by page, without repeating or skipping [OQ-4/3]', async () => {
    const { app, store, call } = aServer();
    for (let n = 0; n < 7; n++) await openQuestion(store, { id: `oq-${n}`, createdAt: `2026-02-26T10:0${n}:00.000Z` });
    await app.dismissQuestion({ id: 'oq-3', by: { principal: 'ada', channel: 'cli' } });
    const ids: string[] = [];
    let next: string | undefined = '';
    for (let pages = 0; next !== undefined && pages < 10; pages++) {
      const page: Page = await read(await call('GET', `${notifications}?limit=2${next && `&cursor=${next}`}`));
      ids.push(...page.notifications.map(({ id }) => id));
      next = page.next;
    }
    expect(ids).toEqual(['oq-0', 'oq-1', 'oq-2', 'oq-4', 'oq-5', 'oq-6']);
    const resolvedPage: Page = await read(await call('GET', `${notifications}?status=resolved`));
    expect(resolvedPage.notifications).toMatchObject([{ id: 'oq-3', outcome: 'dismissed' }]);
    const all: Page = await read(await call('GET', `${notifications}?status=all`));
    expect(all.notifications).toHaveLength(7);
    expect(await (await call('GET', `${notifications}/oq-3`)).json()).toMatchObject({ notification: { id: 'oq-3' } });
  });

  it('lists the nearest deadline first on request, then the oldest, and says how many there are', async () => {
    const { store, call } = aServer();
    const at = (minute: number) => `2026-02-26T10:0${minute}:00.000Z`;
    const fallback = { text: 'as it is' };
    await openQuestion(store, { id: 'oq-old', createdAt: at(1) });
    await openQuestion(store, { id: 'oq-later', createdAt: at(2), expiresAt: '2999-01-01T00:09:00.000Z', fallback });
    await openQuestion(store, { id: 'oq-sooner', createdAt: at(3), expiresAt: '2999-01-01T00:08:00.000Z', fallback });
    await openQuestion(store, { id: 'oq-new', createdAt: at(4) });
    const ids: string[] = [];
    for (let next: string | undefined = ''; next !== undefined && ids.length < 10; ) {
      const page: Page = await read(
        await call('GET', `${notifications}?order=deadline&limit=1${next && `&cursor=${next}`}`),
      );
      expect(page.total).toBe(4);
      ids.push(...page.notifications.map(({ id }) => id));
      next = page.next;
    }
    expect(ids).toEqual(['oq-sooner', 'oq-later', 'oq-old', 'oq-new']);
    expect((await call('GET', `${notifications}?order=size`)).status).toBe(400);
  });

  it('opens the questions of a page alone, however many wait', async () => {
    const { root } = initFolder({ repository: temporaryFolder() });
    const files = openFileStore({ root });
    for (let number = 10; number < 40; number++) await openQuestion(files, { id: `oq-${number}` });
    let openedCount = 0;
    const { list, read: readOne } = files.questions;
    const questions: Store['questions'] = {
      ...files.questions,
      list: async (filter) => {
        const page = await list(filter);
        openedCount += page.items.length;
        return page;
      },
      read: (id) => {
        openedCount += 1;
        return readOne(id);
      },
    };
    const { call } = aServer({ root, store: { ...files, questions } });
    for (const order of ['deadline', 'created']) {
      openedCount = 0;
      const page: Page = await read(await call('GET', `${notifications}?order=${order}&limit=5`));
      expect(page).toMatchObject({ total: 30, notifications: { length: 5 } });
      expect(openedCount).toBe(5);
    }
  });

  it('that the disk does not give are an error, not an empty page', async () => {
    const root = initFolder({ repository: temporaryFolder() }).root;
    const files = openFileStore({ root });
    await files.questions.create(aQuestion());
    const refuse = async () => Promise.reject(new AgentXError('STORE_ERROR', 'EIO: the disk does not answer.'));
    const { call } = aServer({ root, store: { ...files, questions: { ...files.questions, read: refuse } } });
    expect((await call('GET', `${notifications}?order=deadline`)).status).toBe(500);
  });

  it('are made by POST, read as leniently and refused as strictly as those of an agent [OQ-4/4]', async () => {
    const { app, call } = aServer();
    const asks = { issueNumber: 0, agent: 'coder', source: 'execute', sourceId: '0' };
    const response = await call('POST', notifications, {
      body: { ...asks, questions: ['Which database?', { question: 'Which port?', options: [{ label: '80' }] }] },
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({
      notification: {
        status: 'open',
        askedBy: { agent: 'coder' },
        questions: [
          { id: 'q1', text: 'Which database?' },
          { text: 'Which port?', options: [{ id: 'a', label: '80' }] },
        ],
      },
    });
    for (const questions of [[], [{}], ['x'.repeat(2001)], Array.from({ length: 21 }, (_, n) => `Question ${n}?`)]) {
      expect((await call('POST', notifications, { body: { ...asks, questions } })).status).toBe(400);
    }
    const questions = ['Which database?'];
    const nowhere = await call('POST', notifications, { body: { ...asks, questions, issueNumber: 99 } });
    expect({ status: nowhere.status, body: await nowhere.json() }).toMatchObject({
      status: 404,
      body: { error: { code: 'NOT_FOUND', message: 'There is no issue #99.' } },
    });
    expect((await call('POST', notifications, { body: { ...asks, questions, agent: 'codr' } })).status).toBe(400);
    expect((await app.questions('all')).items).toHaveLength(1);
  });

  it.each([
    { consequence: 'irreversible' },
    { irreversible: true },
    { questions: [{ text: 'Drop it?', reversible: 'no' }] },
  ])('made by POST that cannot be taken back wait, and take no fallback: %j [X-1/2] [X-1/3]', async (wording) => {
    const { app, call } = aServer();
    const asks = {
      issueNumber: 0,
      agent: 'coder',
      source: 'execute',
      sourceId: '0',
      questions: ['Drop it?'],
      ...wording,
    };
    const fallback = { text: 'No' };
    const kind = 'approval';
    expect((await call('POST', notifications, { body: { ...asks, fallback } })).status).toBe(400);
    expect((await call('POST', notifications, { body: { ...asks, kind } })).status).toBe(201);
    const [{ consequence, kind: kindNow } = {}] = (await app.questions('all')).items;
    expect({ consequence, asked: kindNow }).toEqual({ consequence: 'irreversible', asked: 'open_question' });
  });

  it('takes one of two answers at the same instant and shows it to the other [OQ-4/2] [OQ-4/5] [X-5/1]', async () => {
    const { store, call } = aServer();
    await openQuestion(store);
    const second = { revision: 1, responses: [{ questionId: 'q1', answer: 'MySQL' }] };
    const results = await Promise.all([
      call('PATCH', question, { body: answer }),
      call('PATCH', question, { body: second }),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const winner: { notification: { responses: unknown } } = await read(results.find(({ status }) => status === 200));
    const loser: { error: { details: unknown } } = await read(results.find(({ status }) => status === 409));
    expect(loser).toMatchObject({ error: { code: 'CONFLICT' } });
    expect(JSON.stringify(loser.error.details)).toContain(JSON.stringify(winner.notification.responses));
  });

  it('says that an answer is kept although what follows from it could not be written', async () => {
    const { root } = initFolder({ repository: temporaryFolder() });
    const { app: sound, call: callSound } = aServer({ root });
    await sound.createIssue({ title: 'Health endpoint' });
    await sound.ask({ issueNumber: 1, from: 'engineer', to: 'architect', topic: 'Database', question: 'Which?' });
    const id = (await sound.questions('open')).items[0]?.id;
    const store = openFileStore({ root });
    const fails = () => Promise.reject(new AgentXError('STORE_ERROR', 'The disk is full.'));
    const { call } = aServer({ root, store: { ...store, ledgers: { ...store.ledgers, update: fails } } });
    const body = { revision: 1, responses: [{ questionId: 'q1', optionIds: ['b'] }] };
    const response = await call('PATCH', `${notifications}/${id}`, { body });
    expect(response.status).toBe(200);
    expect(await read(response)).toMatchObject({ notification: { outcome: 'answered', unsettled: true } });
    expect((await sound.ledger(1)).clarifications).toMatchObject([{ status: 'escalated' }]);
    await sound.runCheck();
    expect((await sound.ledger(1)).clarifications).toMatchObject([{ status: 'resolved' }]);
    expect((await callSound('PATCH', `${notifications}/${id}`, { body })).status).toBe(409);
  });

  it('names the methods that an address knows', async () => {
    const { call } = aServer();
    const refusal = await call('DELETE', question);
    expect(refusal.headers.get('allow')).toBe('GET, PATCH');
    expect(await read(refusal)).toMatchObject({
      error: { code: 'INVALID_INPUT', message: expect.stringContaining('Allowed: GET, PATCH.') },
    });
    expect((await call('DELETE', question, { headers: {} })).status).toBe(401);
  });

  it('refuses wrong input with what is wrong, and changes nothing [OQ-4/5]', async () => {
    const { app, store, call } = aServer();
    await openQuestion(store);
    const cases: readonly [number, string, string, unknown?][] = [
      [400, 'PATCH', question, '{'],
      [400, 'PATCH', question, {}],
      [400, 'PATCH', question, { revision: 1 }],
      [400, 'PATCH', question, { ...answer, decline: true }],
      [400, 'PATCH', question, { revision: 1, responses: [{ questionId: 'q9', answer: 'x' }] }],
      [400, 'GET', `${notifications}?limit=0`],
      [400, 'GET', `${notifications}?limit=x`],
      [400, 'GET', `${notifications}?cursor=%00`],
      [400, 'GET', `${notifications}/..%2F..%2Fconfig`],
      [404, 'GET', `${notifications}/oq-unknown`],
      [404, 'GET', '/api/v1/projects/other/notifications'],
      [404, 'DELETE', `${notifications}/oq-1a2b3c4d/nowhere`],
      [405, 'DELETE', question],
      [409, 'PATCH', question, { ...answer, revision: 9 }],
      [413, 'PATCH', question, ' '.repeat(1024 * 1024 + 1)],
    ];
    for (const [status, method, path, body] of cases) {
      const response = await call(method, path, { body });
      expect([method, path, response.status]).toEqual([method, path, status]);
      const { error }: { error: object } = await read(response);
      expect(Object.keys(error).toSorted()).toEqual(['code', 'details', 'message']);
    }
    expect(await app.question('oq-1a2b3c4d')).toEqual(aQuestion());
  });
});

describe('clarifications', () => {
  const path = '/api/v1/projects/shop/clarifications';

  async function disputed(store: Store) {
    await store.ledgers.update(42, (ledger) => ({
      next: {
        ...ledger,
        clarifications: [
          aClarification({ id: 'CLR-42-001', status: 'answered' }),
          aClarification({ id: 'CLR-42-002', status: 'pending' }),
          aClarification({ id: 'CLR-42-003', status: 'resolved', resolvedAt: '2026-02-26T11:00:00.000Z' }),
        ],
      },
      result: undefined,
    }));
  }

  it('lists those that are still open, or all, and shows one with its thread', async () => {
    const { store, call } = aServer();
    await disputed(store);
    const active: { clarifications: { id: string; issueNumber: number }[] } = await read(await call('GET', path));
    expect(active.clarifications.map(({ id, issueNumber }) => [id, issueNumber])).toEqual([
      ['CLR-42-001', 42],
      ['CLR-42-002', 42],
    ]);
    const first: { clarifications: unknown[]; next: string } = await read(
      await call('GET', `${path}?status=all&limit=2`),
    );
    expect(first.clarifications).toHaveLength(2);
    const rest = await read(await call('GET', `${path}?status=all&cursor=${first.next}`));
    expect(rest).toMatchObject({ clarifications: [{ id: 'CLR-42-003', status: 'resolved' }] });
    const one: { clarification: { thread: unknown[] } } = await read(await call('GET', `${path}/CLR-42-001`));
    expect(one.clarification).toMatchObject({ id: 'CLR-42-001', issueNumber: 42 });
    expect(one.clarification.thread.length).toBeGreaterThan(0);
    expect((await call('GET', `${path}/CLR-42-009`)).status).toBe(404);
  });

  it('lets a human resolve or escalate, and keeps who it was [X-8/1]', async () => {
    const { app, store, call } = aServer();
    await disputed(store);
    const login = await call('POST', '/api/v1/session', { body: { name: 'Grace' } });
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const headers = { cookie, origin: `http://${host}` };
    const resolveResponse = await call('POST', `${path}/CLR-42-001/resolve`, { headers, body: { body: 'Migrate.' } });
    expect(await read(resolveResponse)).toMatchObject({ clarificationId: 'CLR-42-001', status: 'resolved' });
    const escalateResponse = await call('POST', `${path}/CLR-42-002/escalate`, {
      headers,
      body: { reason: 'They disagree.' },
    });
    expect(await read(escalateResponse)).toMatchObject({ clarificationId: 'CLR-42-002', status: 'escalated' });
    const { clarifications } = await app.ledger(42);
    expect(clarifications.map(({ thread }) => thread.at(-1))).toMatchObject([
      { type: 'resolution', from: 'human', principal: 'Grace', body: 'Migrate.' },
      { type: 'escalation', principal: 'Grace', reason: 'They disagree.' },
      {},
    ]);
    expect((await app.questions('open')).items).toMatchObject([{ kind: 'escalation', sourceId: 'CLR-42-002' }]);
    const again = await call('POST', `${path}/CLR-42-002/resolve`, { headers, body: { body: '' } });
    expect(again.status).toBe(400);
    expect((await call('POST', `${path}/CLR-42-003/escalate`, { headers, body: { reason: 'No.' } })).status).toBe(409);
  });
});

it('gives the figures of asking beside each other [US-7.1/12]', async () => {
  const { app, store, call } = aServer();
  const at = new Date().toISOString();
  const entry = { round: 1, from: 'engineer', type: 'question' as const, body: 'SQLite?', timestamp: at };
  const reason = 'deadlock: engineer waits for architect waits for engineer';
  const escalation = { ...entry, from: 'agent-x', type: 'escalation' as const, reason };
  const fields = { created: at, thread: [entry] };
  const clarifications = [
    aClarification({ ...fields, id: 'CLR-42-001' }),
    aClarification({ ...fields, id: 'CLR-42-002', status: 'resolved', round: 2, resolvedAt: at }),
    aClarification({ ...fields, id: 'CLR-42-003', status: 'stale', expiredAt: [at] }),
    aClarification({ ...fields, id: 'CLR-42-004', status: 'escalated', thread: [entry, escalation] }),
  ];
  await store.ledgers.update(42, (ledger) => ({ next: { ...ledger, clarifications }, result: undefined }));
  const path = '/api/v1/projects/shop/metrics';
  const today = await (await call('GET', `${path}?days=1`)).json();
  expect(today).toMatchObject({
    total: 4,
    autoResolutionRate: 0.5,
    escalationRate: 0.25,
    averageRounds: 2,
    staleCount: 1,
    deadlockCount: 1,
    days: [{ asked: 4, resolved: 1, escalated: 1 }],
  });
  const { metrics } = await app.metrics();
  expect(await (await call('GET', path)).json()).toEqual(JSON.parse(JSON.stringify(metrics)));
  expect((await call('GET', `${path}?days=0`)).status).toBe(400);
});

it('confirms an assumption without a body: there is nothing to say', async () => {
  const { store, call } = aServer();
  await store.assumptions.update(42, (file) => ({
    next: { ...file, assumptions_made: [anAssumption({ id: 'ASM-42-001' })] },
    result: undefined,
  }));
  const response = await call('POST', '/api/v1/projects/shop/assumptions/ASM-42-001/confirm');
  expect(await read(response)).toMatchObject({ assumption: { status: 'confirmed', decidedBy: 'ada' } });
});

it.each(['%20', '0x2a', '4.2e1', '-42'])('knows no issue %s to comment on', async (number) => {
  const { app, call } = aServer();
  await app.createIssue({ title: 'Health endpoint' });
  const refusal = await call('POST', `/api/v1/projects/shop/tasks/${number}/comments`, { body: { body: 'Hello.' } });
  expect(await read(refusal)).toMatchObject({ error: { code: 'INVALID_INPUT' } });
});

it('lists assumptions page by page, of all issues or of one, and says how many there are', async () => {
  const { store, call } = aServer();
  const path = '/api/v1/projects/shop/assumptions';
  for (const issueNumber of [43, 42]) {
    const assumptions_made = [1, 2, 3].map((n) => anAssumption({ id: `ASM-${issueNumber}-00${n}`, issueNumber }));
    await store.assumptions.update(issueNumber, (file) => ({ next: { ...file, assumptions_made }, result: undefined }));
  }
  const pagesOf = async (query: string) => {
    const pages: unknown[] = [];
    for (let next: string | undefined = ''; next !== undefined && pages.length < 10; ) {
      const page: { assumptions: { id: string }[]; total: number; next?: string } = await read(
        await call('GET', `${path}?${query}${next && `&cursor=${next}`}`),
      );
      pages.push([page.total, page.assumptions.map(({ id }) => id)]);
      next = page.next;
    }
    return pages;
  };
  expect(await pagesOf('limit=4')).toEqual([
    [6, ['ASM-42-001', 'ASM-42-002', 'ASM-42-003', 'ASM-43-001']],
    [6, ['ASM-43-002', 'ASM-43-003']],
  ]);
  expect(await pagesOf('limit=2&issue=43')).toEqual([
    [3, ['ASM-43-001', 'ASM-43-002']],
    [3, ['ASM-43-003']],
  ]);
  expect((await call('GET', `${path}?limit=201`)).status).toBe(400);
});

it('lists the assumptions of one issue, and refuses what is no issue', async () => {
  const { store, call } = aServer();
  const path = '/api/v1/projects/shop/assumptions';
  for (const issueNumber of [1, 2]) {
    await store.assumptions.update(issueNumber, (file) => ({
      next: { ...file, assumptions_made: [anAssumption({ id: `ASM-${issueNumber}-001`, issueNumber })] },
      result: undefined,
    }));
  }
  const idsAt = async (query: string) => {
    const { assumptions } = await read<{ assumptions: { id: string }[] }>(await call('GET', `${path}${query}`));
    return assumptions.map(({ id }) => id);
  };
  expect(await idsAt('')).toEqual(['ASM-1-001', 'ASM-2-001']);
  expect(await idsAt('?issue=2')).toEqual(['ASM-2-001']);
  expect(await idsAt('?issue=3')).toEqual([]);
  for (const wrongNumber of ['x', '', '-1', '1.5']) {
    const refusal = await call('GET', `${path}?issue=${wrongNumber}`);
    expect(refusal.status).toBe(400);
    expect(await read(refusal)).toMatchObject({ error: { code: 'INVALID_INPUT' } });
  }
});

describe('the description of the server', () => {
  it('names every route that exists and none that does not; health needs no key [OQ-4/7]', async () => {
    const { call } = aServer();
    expect((await call('GET', '/healthz', { headers: {} })).status).toBe(200);
    const { paths } = await read<OpenApi>(await call('GET', '/api/v1/openapi.json'));
    const describedRoutes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(describedRoutes).toHaveLength(ROUTES.length);
    for (const route of [
      ...describedRoutes,
      'DELETE /api/v1/projects/{p}/notifications',
      'GET /api/v1/projects/{p}/none',
    ]) {
      const [method = '', path = ''] = route.split(' ');
      const response = await call(method, path.replace('{p}', 'shop').replace(/\{\w+\}/g, '1'));
      const exists = response.status !== 405 && !(await response.text()).includes('There is nothing at');
      expect([route, exists]).toEqual([route, describedRoutes.includes(route)]);
    }
  });

  it('names every status that an error has', async () => {
    const { call } = aServer();
    const { paths } = await read<OpenApi>(await call('GET', '/api/v1/openapi.json'));
    const { post } = paths['/api/v1/projects/{p}/notifications'] ?? {};
    const statuses = [201, 400, 401, 403, 404, 405, 409, 413, 422, 429, 500, 502, 503];
    expect(Object.keys(Object(Object(post).responses)).map(Number)).toEqual(statuses);
  });

  it('has the schemas that check what comes in', async () => {
    const { call } = aServer();
    expect(await read(await call('GET', '/api/v1/openapi.json'))).toMatchObject({
      paths: {
        '/api/v1/projects/{p}/notifications/{id}': {
          patch: {
            parameters: [{ name: 'p' }, { name: 'id' }],
            requestBody: { content: { 'application/json': { schema: { required: ['revision'] } } } },
          },
        },
      },
    });
  });
});
