import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aQuestion } from '../../test/builders/question.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { createApp } from '../app/create-app.js';
import { initFolder } from '../app/init.js';
import { openFileStore } from '../storage/files/store.js';
import { type Patience, serve } from './serve.js';

async function aServer(patience?: Patience) {
  const { root } = initFolder({ repository: temporaryFolder() });
  const store = openFileStore({ root });
  const app = createApp({ root, env: {}, store });
  await store.questions.create(aQuestion());
  const server = await serve({ app, host: '127.0.0.1', port: 0, principal: 'ada', ...(patience && { patience }) });
  onTestFinished(() => server.close());
  const host = `127.0.0.1:${server.port}`;
  const question = `/api/v1/projects/${(await app.config()).project}/notifications/oq-1a2b3c4d`;
  const authorization = `authorization: Bearer ${await app.serverToken()}`;
  /**
   * Sends the text as it is. Returns everything that came until the server hung up or, if given, until the pattern
   * matches.
   */
  const send = async (text: string, until?: RegExp) => {
    const socket = connect(server.port, '127.0.0.1');
    onTestFinished(() => {
      socket.destroy();
    });
    let receivedText = '';
    const ended = new Promise<string>((resolve) => {
      socket.on('data', (chunk) => {
        receivedText += String(chunk);
        if (until?.test(receivedText)) resolve(receivedText);
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(receivedText));
    });
    await once(socket, 'connect');
    socket.write(text);
    return ended;
  };
  const isAlive = async () => (await fetch(`http://${host}/healthz`)).status;
  return { app, host, question, authorization, send, isAlive, server };
}

const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
const UPGRADE =
  'connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==';

describe('a server among hostile clients', () => {
  it.each(['//', '///ws', 'http://', '*', '/ws/../ws', '/%', '/ws#x', '\\\\', '?', 'ws'])(
    'goes on after a handshake for %j, which any page of any site can send',
    async (target) => {
      const { host, send, isAlive } = await aServer();
      const [status] = statusesIn(await send(`GET ${target} HTTP/1.1\r\nhost: ${host}\r\n${UPGRADE}\r\n\r\n`));
      expect([400, 401, 404]).toContain(status);
      expect(await isAlive()).toBe(200);
    },
  );

  it('goes on when clients hang up in the middle of a handshake', async () => {
    const { host, authorization, isAlive, server } = await aServer();
    for (let count = 0; count < 20; count++) {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.write(`GET /ws HTTP/1.1\r\nhost: ${host}\r\n${authorization}\r\n${UPGRADE}\r\n\r\n`);
      socket.resetAndDestroy();
    }
    expect(await isAlive()).toBe(200);
  });

  it.each([
    ['a method that no request may have', 'TRACE /healthz HTTP/1.1'],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1'],
    ['an address of another host', 'GET http://evil.example/api/v1/session HTTP/1.1'],
    ['an address that is none', 'GET http:// HTTP/1.1'],
    ['no HTTP at all', '\u0000\u0001\u0002'],
    ['a byte that no header may have', 'GET /healthz HTTP/1.1\r\nx: \u0001'],
    ['a header as long as a book', `GET /healthz HTTP/1.1\r\nx: ${'x'.repeat(100_000)}`],
    ['two lengths', 'PATCH /api/v1/session HTTP/1.1\r\ncontent-length: 5\r\ncontent-length: 6'],
    ['a length and chunks', 'POST /api/v1/session HTTP/1.1\r\ncontent-length: 5\r\ntransfer-encoding: chunked'],
  ])('refuses %s and goes on', async (_, start) => {
    const { host, send, isAlive } = await aServer();
    const response = await send(`${start}\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    const [status = 400] = statusesIn(response);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(await isAlive()).toBe(200);
  });

  it('refuses a request without Host, and one with two', async () => {
    const { host, send } = await aServer();
    const [none] = statusesIn(await send('GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n'));
    expect([400, 403]).toContain(none);
    const two = await send(`GET /healthz HTTP/1.1\r\nhost: evil.example\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    expect([400, 403]).toContain(statusesIn(two)[0]);
  });

  it('takes nothing of a body beyond the limit for the next request', async () => {
    const { app, host, question, authorization, send } = await aServer();
    const smuggledRequest = `PATCH ${question} HTTP/1.1\r\nhost: ${host}\r\n${authorization}\r\ncontent-length: 31\r\n\r\n{"revision":1,"dismiss":true}  `;
    const body = smuggledRequest.padStart(1024 * 1024 + 200, 'x');
    const start = `PUT ${question}/draft HTTP/1.1\r\nhost: ${host}\r\n${authorization}`;
    const next = `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
    const response = await send(`${start}\r\ncontent-length: ${body.length}\r\n\r\n${body}${next}`);
    expect(statusesIn(response)[0]).toBe(413);
    expect(
      statusesIn(response)
        .slice(1)
        .filter((status) => status !== 200),
    ).toEqual([]);
    const chunk = 'y'.repeat(1024 * 1024 + 1);
    const chunkedReply = await send(
      `${start}\r\ntransfer-encoding: chunked\r\n\r\n${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`,
      /\r\n\r\n\{/,
    );
    expect(statusesIn(chunkedReply)).toEqual([413]);
    expect(await app.question('oq-1a2b3c4d')).toEqual(aQuestion());
  });

  it('lets go of clients that do not come to an end', async () => {
    const { host, question, authorization, send, isAlive } = await aServer({ headersMs: 100, requestMs: 100 });
    const slow = await Promise.all([
      send('GET /healthz HTTP/1.1\r\nhost: '),
      send(`PUT ${question}/draft HTTP/1.1\r\nhost: ${host}\r\n${authorization}\r\ncontent-length: 900\r\n\r\n{`),
    ]);
    for (const text of slow) expect(statusesIn(text).filter((status) => status !== 408)).toEqual([]);
    expect(await isAlive()).toBe(200);
  });

  it('lets no client guess for long at /ws either', async () => {
    const { host, send } = await aServer();
    const guess = () => send(`GET /ws HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer x\r\n${UPGRADE}\r\n\r\n`);
    const statuses = (await Promise.all(Array.from({ length: 80 }, guess))).flatMap(statusesIn);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
  });
});
