import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { existsSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { anAssumption } from '../../test/builders/assumption.js';
import { aClarification } from '../../test/builders/clarification.js';
import { anIssue } from '../../test/builders/issue.js';
import { anExpiringQuestion, aQuestion } from '../../test/builders/question.js';
import { aRun } from '../../test/builders/run.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { until } from '../../test/support/until.js';
import type { App } from '../app/app.js';
import { createApp } from '../app/create-app.js';
import { initFolder } from '../app/init.js';
import type { AgentStatusEntry } from '../protocol/agent-status.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { transition } from '../protocol/question-transition.js';
import type { Run } from '../protocol/run.js';
import { fileChanges } from '../storage/files/changes.js';
import { layoutOf } from '../storage/files/layout.js';
import { openFileStore } from '../storage/files/store.js';
import { serve } from './serve.js';

interface Message {
  readonly type: string;
  readonly seq: number;
  readonly [field: string]: unknown;
}

async function aServer(changed: (app: App) => App = (app) => app) {
  const { root } = initFolder({ repository: temporaryFolder() });
  const store = openFileStore({ root });
  const app = changed(createApp({ root, env: {}, store }));
  const mcp = { fetch: async () => Response.json({ tools: [] }), close: async () => {} };
  const server = await serve({ app, host: '127.0.0.1', port: 0, principal: 'ada', mcp });
  onTestFinished(() => server.close());
  const authorization = `Bearer ${await app.serverToken()}`;
  const url = `ws://127.0.0.1:${server.port}/ws`;
  const listen = async (query = '', headers: Record<string, string> = { authorization }) => {
    const socket = new WebSocket(`${url}${query}`, { headers });
    const messages: Message[] = [];
    socket.on('message', (data) => messages.push(JSON.parse(String(data))));
    await once(socket, 'open');
    onTestFinished(() => socket.terminate());
    return {
      socket,
      messages,
      until: (type: string) => until(() => messages.find((message) => message.type === type)),
    };
  };
  return { app, store, server, root, url, listen };
}

it('tells what another process does, in numbered messages after a hello [OQ-5/1] [OQ-5/2] [OQ-5/4]', async () => {
  const { root, listen } = await aServer();
  const client = await listen();
  const hello = await client.until('hello');
  expect(hello.epoch).toMatch(/^[0-9a-f-]{36}$/);
  const store = openFileStore({ root });
  const other = createApp({ root, env: {}, store });
  await store.questions.create(aQuestion());
  const addedMessage = await client.until('notification.added');
  expect(addedMessage).toMatchObject({ notification: aQuestion(), seq: hello.seq + 1 });
  await other.dismissQuestion({ id: 'oq-1a2b3c4d', by: { principal: 'ada', channel: 'cli' } });
  expect(await client.until('notification.resolved')).toMatchObject({
    notificationId: 'oq-1a2b3c4d',
    source: 'execute',
    sourceId: '42',
    outcome: 'dismissed',
    seq: hello.seq + 2,
  });
});

it('says that its folder was removed, shows nothing empty in its place, and goes on when it is back', async () => {
  const { app, store, server, root, listen } = await aServer();
  await store.questions.create(aQuestion());
  const client = await listen();
  await client.until('hello');
  const headers = { authorization: `Bearer ${await app.serverToken()}` };
  const { project } = await app.config();
  const get = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`, { headers });
  const lists = ['notifications', 'tasks'].map((list) => `/api/v1/projects/${project}/${list}`);
  const paths = ['/healthz', '/mcp', ...lists];
  const statuses = () => Promise.all(paths.map(async (path) => (await get(path)).status));
  expect(await statuses()).toEqual([200, 200, 200, 200]);

  renameSync(root, `${root}-away`);
  for (const path of paths) {
    const response = await get(path);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({
      error: { code: 'STORE_ERROR', message: expect.stringContaining('was removed or moved away') },
    });
  }
  app.log.error('Nothing can be logged now.');
  await app.runCheck().catch(() => undefined);
  await expect(store.questions.create(aQuestion({ id: 'oq-3' }))).rejects.toMatchObject({ code: 'STORE_ERROR' });
  expect(existsSync(root)).toBe(false);
  renameSync(`${root}-away`, root);
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  await store.questions.create(aQuestion({ id: 'oq-2' }));
  await until(() => client.messages.find(({ notification }) => JSON.stringify(notification)?.includes('oq-2')));
  expect(client.messages.filter(({ type }) => type === 'notification.resolved')).toEqual([]);
});

it('shows nothing of another folder that is put in the place of its own', async () => {
  const { app, server, root } = await aServer();
  const other = await aServer();
  await other.store.questions.create(aQuestion());
  const headers = { authorization: `Bearer ${await app.serverToken()}` };
  const { project } = await app.config();
  const paths = ['/healthz', `/api/v1/projects/${project}/notifications`];
  const get = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`, { headers });
  renameSync(root, `${root}-away`);
  symlinkSync(other.root, root);
  for (const path of paths) {
    expect(await (await get(path)).json()).toMatchObject({
      error: { code: 'STORE_ERROR', message: expect.stringContaining('was replaced by another one') },
    });
  }
  unlinkSync(root);
  renameSync(`${root}-away`, root);
  for (const path of paths) expect((await get(path)).status).toBe(200);
});

it('replays what a client missed, and says so where it cannot [OQ-5/5]', async () => {
  const { store, listen } = await aServer();
  const first = await listen();
  const { epoch, seq } = await first.until('hello');
  await store.questions.create(aQuestion());
  await first.until('notification.added');
  first.socket.terminate();
  const back = await listen(`?since=${seq}&epoch=${epoch}`);
  expect(await back.until('notification.added')).toMatchObject({ seq: seq + 1 });
  // A client that breaks off in between comes back with the number of the last message that it got.
  expect(back.messages.map((message) => message.seq)).toEqual([seq, seq + 1]);
  for (const query of ['?since=0&epoch=another', `?since=99&epoch=${epoch}`, `?since=x&epoch=${epoch}`]) {
    await (await listen(query)).until('resync');
  }
});

it('opens no socket without a token, for a page of another origin, or by a token in the address', async () => {
  const { app, server, url } = await aServer();
  const token = await app.serverToken();
  const login = await fetch(`http://127.0.0.1:${server.port}/api/v1/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  const attempts: readonly [number, string, Record<string, string>][] = [
    [401, url, {}],
    [401, `${url}?token=${token}`, {}],
    [403, url, { cookie }],
    [403, url, { cookie, origin: 'http://evil.example' }],
    [403, url, { authorization: `Bearer ${token}`, host: 'evil.example' }],
    [404, url.replace('/ws', '/other'), { authorization: `Bearer ${token}` }],
  ];
  for (const [status, address, headers] of attempts) {
    const socket = new WebSocket(address, { headers });
    socket.on('error', () => {});
    const [, response] = await once(socket, 'unexpected-response');
    expect([address, headers, response.statusCode]).toEqual([address, headers, status]);
    socket.terminate();
  }
  const own = new WebSocket(url, { headers: { cookie, origin: `http://127.0.0.1:${server.port}` } });
  await once(own, 'open');
  own.terminate();
});

it('prints a link that a browser can open when it listens on every address', async () => {
  const { root } = await aServer();
  const server = await serve({ app: createApp({ root, env: {} }), host: '0.0.0.0', port: 0, principal: 'ada' });
  onTestFinished(() => server.close());
  expect(server.link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=/);
  expect((await fetch(new URL('/healthz', server.link))).status).toBe(200);
});

it('says goodbye to its clients when it stops', async () => {
  const { server, listen } = await aServer();
  const { socket } = await listen();
  const closing = once(socket, 'close');
  await server.close();
  expect((await closing)[0]).toBe(1001);
});

it('tells it as well where the system says nothing about files', async () => {
  const { root, listen } = await aServer((app) => ({
    ...app,
    watch: fileChanges(layoutOf(app.root), { pollMs: 20, watchFolder: () => () => {} }).watch,
  }));
  const client = await listen();
  const store = openFileStore({ root });
  const other = createApp({ root, env: {}, store });
  await store.questions.create(aQuestion());
  expect(await client.until('notification.added')).toMatchObject({ notification: { id: 'oq-1a2b3c4d' } });
  await other.dismissQuestion({ id: 'oq-1a2b3c4d', by: { principal: 'grace', channel: 'cli' } });
  expect(await client.until('notification.resolved')).toMatchObject({ answeredBy: { principal: 'grace' } });
  expect(client.messages.map(({ seq }) => seq)).toEqual(client.messages.map((_, index) => index));
});

it('takes a fallback when its time has come, once, and says so [PM-4/11] [X-8/1]', async () => {
  const { root, app, store, listen } = await aServer();
  const second = await serve({ app: createApp({ root, env: {} }), host: '127.0.0.1', port: 0, principal: 'grace' });
  onTestFinished(() => second.close());
  const client = await listen();
  await store.questions.create(anExpiringQuestion({ expiresAt: new Date(Date.now() + 50).toISOString() }));
  expect(await client.until('notification.resolved')).toMatchObject({
    outcome: 'fallback_applied',
    answeredBy: { channel: 'timeout' },
  });
  expect(await client.until('assumption.updated')).toMatchObject({ assumption: { user_response: 'timeout_assumed' } });
  const { items } = await app.assumptions(42);
  expect(items).toHaveLength(1);
});

it('has agents go on that waited for a question when its fallback is taken', async () => {
  const routedIds: string[] = [];
  const { store } = await aServer((realApp) => ({
    ...realApp,
    whoWaitsFor: async (id) => [`who waits for ${id}`],
    route: (id) => {
      routedIds.push(id);
      return Promise.reject(new Error('Nobody is there.'));
    },
  }));
  await store.questions.create(anExpiringQuestion({ expiresAt: new Date().toISOString() }));
  expect(await until(() => routedIds[0])).toBe('who waits for oq-1a2b3c4d');
});

it('takes an answer even if it cannot tell what waits for it', async () => {
  const whoWaitsFor = () => Promise.reject(new Error('The ledger is damaged.'));
  const { app, store, server } = await aServer((realApp) => ({ ...realApp, whoWaitsFor }));
  await store.questions.create(aQuestion());
  const { project } = await app.config();
  const { status } = await fetch(
    `http://127.0.0.1:${server.port}/api/v1/projects/${project}/notifications/oq-1a2b3c4d`,
    {
      method: 'PATCH',
      headers: { authorization: `Bearer ${await app.serverToken()}` },
      body: JSON.stringify({ revision: 1, decline: true }),
    },
  );
  expect(status).toBe(200);
});

it('goes on telling when one file cannot be read', async () => {
  const { root, store, listen } = await aServer();
  const client = await listen();
  writeFileSync(join(layoutOf(root).questions, 'oq-broken.json'), '{');
  await store.questions.create(aQuestion());
  expect(await client.until('notification.added')).toMatchObject({ notification: { id: 'oq-1a2b3c4d' }, seq: 1 });
});

it('tells the rounds of a clarification and what becomes of it', async () => {
  const { root, listen } = await aServer();
  const client = await listen();
  const store = openFileStore({ root });
  const write = (fields: Partial<ClarificationRecord>) =>
    store.ledgers.update(42, (ledger) => ({
      next: { ...ledger, clarifications: [aClarification({ id: 'CLR-42-001', ...fields })] },
      result: undefined,
    }));
  const expected: string[] = ['hello'];
  for (const [fields, ...types] of [
    [{}, 'requested'],
    [{ status: 'stale' }, 'stale'],
    [{ status: 'pending', retries: 1 }, 'requested'],
    [{ status: 'answered' }, 'answered'],
    [{ status: 'answered', round: 2 }, 'requested', 'answered'],
    [{ status: 'resolved', round: 2 }, 'resolved'],
  ] as const) {
    expected.push(...types.map((type) => `clarification.${type}`));
    await write(fields);
    await until(() => client.messages.length >= expected.length);
  }
  expect(client.messages.map(({ type }) => type)).toEqual(expected);
});

/** The fields of every message as it is sent; programs that are not ours read them. */
const FIELDS: readonly (readonly [string, string])[] = [
  ['notification.added', 'notification projectId seq type'],
  ['notification.updated', 'notification projectId seq type'],
  ['notification.resolved', 'answeredBy notificationId outcome projectId responses seq source sourceId type'],
  ...['requested', 'stale', 'answered', 'escalated', 'resolved', 'abandoned'].map(
    (event) =>
      [
        `clarification.${event}`,
        'blocking clarificationId fromAgent issueNumber projectId round seq status toAgent topic type',
      ] as const,
  ),
  ['agent.status', 'agent clarificationId issue lastActivity projectId respondingTo seq status type waitingOn'],
  ['task.updated', 'assignee block_reason column projectId seq status taskId type'],
  ['run.updated', 'goOn issueNumber phase projectId runId seq status type waitingOn'],
  ['assumption.updated', 'assumption projectId seq type'],
];

it('sends every type of message with the fields that clients know', async () => {
  const { root, listen } = await aServer();
  const client = await listen();
  const store = openFileStore({ root });
  const { dismissQuestion, keepAlive } = createApp({ root, env: {}, store });
  const by = { principal: 'ada', channel: 'cli' } as const;
  const ask = (id: string, status: ClarificationRecord['status']) => () =>
    store.ledgers.update(42, (ledger) => {
      const others = ledger.clarifications.filter((record) => record.id !== id);
      return { next: { ...ledger, clarifications: [...others, aClarification({ id, status })] }, result: undefined };
    });
  const run = (fields: Partial<Run>) => () =>
    store.runs.update(42, () => ({ next: aRun({ ...fields, issueNumber: 42 }), result: undefined }));
  const told: [string, string][] = [];
  const tellOf = async (type: string, act: () => Promise<unknown>) => {
    const before = client.messages.length;
    await act();
    const message = await until(() => client.messages.slice(before).find((one) => one.type === type));
    told.push([type, Object.keys(message).toSorted().join(' ')]);
  };
  expect(Object.keys(await client.until('hello')).toSorted()).toEqual(['epoch', 'seq', 'type']);
  expect(Object.keys(await (await listen('?since=9')).until('resync'))).toEqual(['type']);
  await tellOf('notification.added', () => store.questions.create(aQuestion()));
  await tellOf('notification.updated', () =>
    keepAlive({ id: 'oq-1a2b3c4d', by, responses: [{ questionId: 'q1', answer: 'MariaDB' }] }),
  );
  await tellOf('notification.resolved', () => dismissQuestion({ id: 'oq-1a2b3c4d', by }));
  await tellOf('clarification.requested', ask('CLR-42-001', 'pending'));
  await tellOf('clarification.stale', ask('CLR-42-001', 'stale'));
  await tellOf('clarification.answered', ask('CLR-42-001', 'answered'));
  await tellOf('clarification.escalated', ask('CLR-42-001', 'escalated'));
  await tellOf('clarification.resolved', ask('CLR-42-001', 'resolved'));
  await ask('CLR-42-002', 'pending')();
  await until(() => client.messages.find((message) => message.clarificationId === 'CLR-42-002'));
  await tellOf('clarification.abandoned', ask('CLR-42-002', 'abandoned'));
  const engineer: AgentStatusEntry = {
    status: 'idle',
    clarificationId: null,
    waitingOn: null,
    respondingTo: null,
    issue: null,
    lastActivity: '2026-02-26T10:00:00.000Z',
  };
  await tellOf('agent.status', () =>
    store.statuses.update(['engineer'], () => ({ next: { engineer }, result: undefined })),
  );
  await tellOf('task.updated', () => store.issues.create(anIssue()));
  await tellOf('run.updated', run({ status: 'running' }));
  const assumption = anAssumption({ id: 'ASM-43-001', issueNumber: 43 });
  await tellOf('assumption.updated', () =>
    store.assumptions.update(43, (file) => ({ next: { ...file, assumptions_made: [assumption] }, result: undefined })),
  );
  expect(told).toEqual(FIELDS);
  // A finished run has no such field.
  await tellOf('run.updated', run({ status: 'done' }));
  expect(told.at(-1)).toEqual(['run.updated', 'issueNumber phase projectId runId seq status type waitingOn']);
});

it('says why a question is no longer needed', async () => {
  const { store, listen } = await aServer();
  const client = await listen();
  await store.questions.create(aQuestion());
  await client.until('notification.added');
  await store.questions.update('oq-1a2b3c4d', (question) => ({
    next: transition(question, { type: 'supersede', at: '2026-02-26T11:00:00.000Z', reason: 'The run was stopped.' })
      .question,
    result: undefined,
  }));
  expect(await client.until('notification.resolved')).toMatchObject({
    outcome: 'superseded',
    reason: 'The run was stopped.',
  });
});

/** Timers that are set and not cleared yet, of those that the work sets. */
async function timersLeftBy(work: () => Promise<unknown>): Promise<number> {
  const timers = new Set<number>();
  const hook = createHook({
    init: (id, type) => type === 'Timeout' && timers.add(id),
    destroy: (id) => timers.delete(id),
  }).enable();
  await work();
  hook.disable();
  // Those that were cleared are reported a little later.
  hook.enable();
  await new Promise((resolve) => setImmediate(resolve));
  hook.disable();
  return timers.size;
}

it('leaves no timer behind when it cannot start', async () => {
  const { root, server } = await aServer();
  const app = createApp({ root, env: {} });
  const start = () => serve({ app, host: '127.0.0.1', port: server.port, principal: 'ada' });
  expect(await timersLeftBy(() => expect(start()).rejects.toMatchObject({ code: 'CONFLICT' }))).toBe(0);
});

it('tells nobody anything and starts nothing when it cannot listen', async () => {
  const { root, server } = await aServer();
  const app = createApp({ root, env: {} });
  const started: string[] = [];
  const tellNews = () => {
    started.push('telling people');
    return app.tellNews();
  };
  const keepInStep = () => {
    started.push('asking GitHub');
    return app.keepInStep();
  };
  const options = { host: '127.0.0.1', port: server.port, principal: 'ada' };
  await expect(serve({ ...options, app: { ...app, tellNews, keepInStep } })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  expect(started).toEqual([]);
});

it('listens no more when what follows fails', async () => {
  const { root, server } = await aServer();
  const { port } = server;
  await server.close();
  const app = createApp({ root, env: {} });
  const start = (changed: Partial<App>) =>
    serve({ app: { ...app, ...changed }, host: '127.0.0.1', port, principal: 'ada' });
  const problem = new Error('The disk does not answer.');
  await expect(start({ keepInStep: () => Promise.reject(problem) })).rejects.toBe(problem);
  const another = await start({});
  onTestFinished(() => another.close());
  expect(another.port).toBe(port);
});

it('keeps no listener when the first look at the project fails', async () => {
  const { root } = await aServer();
  const app = createApp({ root, env: {} });
  const problem = new Error('The disk does not answer.');
  const start = (brokenParts: Partial<App>) =>
    serve({ app: { ...app, ...brokenParts }, host: '127.0.0.1', port: 0, principal: 'ada' });
  const fails = () => Promise.reject(problem);
  expect(await timersLeftBy(() => expect(start({ assumptions: fails })).rejects.toBe(problem))).toBe(0);
  expect(await timersLeftBy(() => expect(start({ keepInStep: fails })).rejects.toBe(problem))).toBe(0);
});

it('keeps no port and no listener when it cannot start', async () => {
  const { root, server } = await aServer();
  let watches = 0;
  const app = createApp({ root, env: {} });
  const countedApp: App = {
    ...app,
    watch: (listener) => {
      watches += 1;
      const end = app.watch(listener);
      return () => {
        watches -= 1;
        end();
      };
    },
  };
  await expect(
    serve({ app: countedApp, host: '127.0.0.1', port: server.port, principal: 'ada' }),
  ).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('--port 0'),
  });
  expect(watches).toBe(0);
});
