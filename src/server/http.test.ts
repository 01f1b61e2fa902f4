import { describe, expect, it } from 'vitest';
import { aQuestion } from '../../test/builders/question.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { type App, createApp } from '../app/create-app.js';
import { initFolder } from '../app/init.js';
import { Access } from './access.js';
import { createHttp } from './http.js';
import { pageOfFiles } from './page.js';
import { ROUTES } from './serve.js';

const token = 'a-token-of-this-test';
const host = '127.0.0.1:4820';
const bearer = { authorization: `Bearer ${token}` };

function aServer() {
  const { root } = initFolder({ repository: temporaryFolder() });
  const app = createApp({ root, env: {} });
  const access = new Access({ token, hosts: [host, 'localhost:4820'], principal: 'ada' });
  const page = pageOfFiles(new Map([['index.html', new TextEncoder().encode('<!doctype html>')]]));
  const http = createHttp({ app, projectId: 'shop', access, routes: ROUTES, page, now: () => 0 });
  const call = (method: string, path: string, { headers = bearer as Record<string, string>, body }: Call = {}) =>
    http.request(path, {
      method,
      headers: { host, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return { app, call };
}

interface Call {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

const read = async <T>(response: Response | undefined): Promise<T> => JSON.parse((await response?.text()) ?? 'null');
interface Page {
  readonly notifications: readonly { readonly id: string }[];
  readonly next?: string;
}

const notifications = '/api/v1/projects/shop/notifications';
const question = `${notifications}/oq-1a2b3c4d`;
const answer = { revision: 1, responses: [{ questionId: 'q1', optionIds: ['a'] }] };

async function asked(app: App, fields = {}) {
  await app.store.questions.create(aQuestion(fields));
}

describe('access', () => {
  it('wants the token for everything below the prefix, and for nothing else [OQ-4/5]', async () => {
    const { call } = aServer();
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { cookie: 'agentx_session=YQ.x' }]) {
      const refused = await call('GET', notifications, { headers: { ...headers } });
      expect(refused.status).toBe(401);
      expect(await refused.json()).toMatchObject({ error: { code: 'UNAUTHORIZED', details: {} } });
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
    const { app, call } = aServer();
    await asked(app);
    const login = await call('POST', '/api/v1/session', { headers: { ...bearer, origin: `http://${host}` } });
    const cookie = login.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^agentx_session=[\w-]+\.[\w-]+; HttpOnly; SameSite=Strict; Path=\//);
    expect(cookie).not.toContain(token);
    const session = { cookie: cookie.split(';')[0] ?? '' };
    expect((await call('GET', notifications, { headers: session })).status).toBe(200);
    for (const origin of [{}, { origin: 'http://evil.example' }, { origin: 'null' }]) {
      expect((await call('PATCH', question, { headers: { ...session, ...origin }, body: answer })).status).toBe(403);
    }
    const own = { ...session, origin: `http://${host}` };
    expect((await call('PATCH', question, { headers: own, body: answer })).status).toBe(200);
  });

  it('knows a person by the name of the session, and takes no name that was changed [X-8/1]', async () => {
    const { app, call } = aServer();
    await asked(app);
    const login = await call('POST', '/api/v1/session', { body: { name: 'Grace' } });
    const session = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const forged = session.replace(/=[^.]+/, `=${Buffer.from('Mallory').toString('base64url')}`);
    expect((await call('GET', notifications, { headers: { cookie: forged } })).status).toBe(401);
    const headers = { cookie: session, origin: `http://${host}` };
    const settled = await call('PATCH', question, { headers, body: answer });
    expect(await settled.json()).toMatchObject({
      notification: { answeredBy: { principal: 'Grace', channel: 'web', revision: 1 } },
    });
  });

  it('lets nobody guess for long, and says when to come back [OQ-4/5]', async () => {
    const { call } = aServer();
    const guesses = await Promise.all(Array.from({ length: 60 }, () => call('GET', notifications, { headers: {} })));
    expect(guesses.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(10);
    expect(guesses.at(-1)?.headers.get('retry-after')).toBe('1');
    expect((await call('GET', notifications)).status).toBe(200);
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
});

describe('notifications', () => {
  it('lists open, resolved or all, page by page, without repeating or skipping [OQ-4/3]', async () => {
    const { app, call } = aServer();
    for (let n = 0; n < 7; n++) await asked(app, { id: `oq-${n}`, createdAt: `2026-02-26T10:0${n}:00.000Z` });
    await app.dismissQuestion({ id: 'oq-3', by: { principal: 'ada', channel: 'cli' } });
    const ids: string[] = [];
    let next: string | undefined = '';
    while (next !== undefined) {
      const page: Page = await read(await call('GET', `${notifications}?limit=2${next && `&cursor=${next}`}`));
      ids.push(...page.notifications.map(({ id }) => id));
      next = page.next;
    }
    expect(ids).toEqual(['oq-0', 'oq-1', 'oq-2', 'oq-4', 'oq-5', 'oq-6']);
    const resolved: Page = await read(await call('GET', `${notifications}?status=resolved`));
    expect(resolved.notifications).toMatchObject([{ id: 'oq-3', outcome: 'dismissed' }]);
    const all: Page = await read(await call('GET', `${notifications}?status=all`));
    expect(all.notifications).toHaveLength(7);
    expect(await (await call('GET', `${notifications}/oq-3`)).json()).toMatchObject({ notification: { id: 'oq-3' } });
  });

  it('takes one of two answers at the same instant and shows it to the other [OQ-4/2] [OQ-4/5] [X-5/1]', async () => {
    const { app, call } = aServer();
    await asked(app);
    const second = { revision: 1, responses: [{ questionId: 'q1', answer: 'MySQL' }] };
    const results = await Promise.all([
      call('PATCH', question, { body: answer }),
      call('PATCH', question, { body: second }),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const won: { notification: { responses: unknown } } = await read(results.find(({ status }) => status === 200));
    const lost: { error: { details: unknown } } = await read(results.find(({ status }) => status === 409));
    expect(lost).toMatchObject({ error: { code: 'CONFLICT' } });
    expect(JSON.stringify(lost.error.details)).toContain(JSON.stringify(won.notification.responses));
  });

  it('refuses wrong input with what is wrong, and changes nothing [OQ-4/5]', async () => {
    const { app, call } = aServer();
    await asked(app);
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
      [404, 'DELETE', question],
      [409, 'PATCH', question, { ...answer, revision: 9 }],
      [413, 'PATCH', question, ' '.repeat(1024 * 1024 + 1)],
    ];
    for (const [status, method, path, body] of cases) {
      const response = await call(method, path, { body });
      expect([method, path, response.status]).toEqual([method, path, status]);
      const { error }: { error: object } = await read(response);
      expect(Object.keys(error).toSorted()).toEqual(['code', 'details', 'message']);
    }
    expect(await app.store.questions.read('oq-1a2b3c4d')).toEqual(aQuestion());
  });
});

it('describes its routes with the schemas that check them', async () => {
  const { call } = aServer();
  const api = await (await call('GET', '/api/v1/openapi.json')).json();
  expect(api).toMatchObject({
    openapi: '3.1.0',
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
