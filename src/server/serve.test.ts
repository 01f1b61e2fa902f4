import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { aQuestion } from '../../test/builders/question.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { createApp } from '../app/create-app.js';
import { initFolder } from '../app/init.js';
import { serve } from './serve.js';

interface Message {
  readonly type: string;
  readonly seq: number;
  readonly [field: string]: unknown;
}

async function aServer() {
  const { root } = initFolder({ repository: temporaryFolder() });
  const app = createApp({ root, env: {} });
  const server = await serve({ app, host: '127.0.0.1', port: 0, principal: 'ada' });
  onTestFinished(() => server.close());
  const authorization = `Bearer ${await app.serverToken()}`;
  const url = `ws://127.0.0.1:${server.port}/ws`;
  const listen = async (query = '', headers: Record<string, string> = { authorization }) => {
    const socket = new WebSocket(`${url}${query}`, { headers });
    const messages: Message[] = [];
    socket.on('message', (data) => messages.push(JSON.parse(String(data))));
    await once(socket, 'open');
    onTestFinished(() => socket.terminate());
    const until = (type: string) => untilThere(() => messages.find((message) => message.type === type));
    return { socket, messages, until };
  };
  return { app, server, root, url, listen };
}

/** Waits for something to be there; the test's own time limit is the limit. */
async function untilThere<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

it('tells what another process does, in numbered messages after a hello [OQ-5/1] [OQ-5/2] [OQ-5/4]', async () => {
  const { root, listen } = await aServer();
  const client = await listen();
  const hello = await client.until('hello');
  const other = createApp({ root, env: {} });
  await other.store.questions.create(aQuestion());
  const added = await client.until('notification.added');
  expect(added).toMatchObject({ notification: aQuestion(), seq: hello.seq + 1 });
  await other.dismissQuestion({ id: 'oq-1a2b3c4d', by: { principal: 'ada', channel: 'cli' } });
  expect(await client.until('notification.resolved')).toMatchObject({
    notificationId: 'oq-1a2b3c4d',
    source: 'execute',
    sourceId: '42',
    outcome: 'dismissed',
    seq: hello.seq + 2,
  });
});

it('replays what a client missed, and says so where it cannot [OQ-5/5]', async () => {
  const { app, listen } = await aServer();
  const first = await listen();
  const { epoch, seq } = await first.until('hello');
  await app.store.questions.create(aQuestion());
  await first.until('notification.added');
  first.socket.terminate();
  const back = await listen(`?since=${seq}&epoch=${epoch}`);
  expect(await back.until('notification.added')).toMatchObject({ seq: seq + 1 });
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

it('says goodbye to its clients when it stops', async () => {
  const { server, listen } = await aServer();
  const { socket } = await listen();
  const closed = once(socket, 'close');
  await server.close();
  expect((await closed)[0]).toBe(1001);
});
