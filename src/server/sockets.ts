import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SocketMessage } from '../protocol/feed.js';
import type { Access, Credentials } from './access.js';
import type { Feed } from './feed.js';
import type { RateLimits } from './rate-limit.js';

export interface SocketOptions {
  readonly server: Server;
  readonly access: Access;
  readonly feed: Feed;
  readonly limits: RateLimits;
}

/** We do not buffer everything for a client that does not read. It may come back and ask for what it missed. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;
const PING_MS = 30_000;
const FAREWELL_MS = 1_000;
const GOING_AWAY = 1001;
const TOO_SLOW = 1013;

/** `/ws`: what happens, as it happens. Nothing is taken from clients; they act through HTTP. */
export function serveSockets({ server, access, feed, limits }: SocketOptions): { close(): void } {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024, clientTracking: true });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A client that hangs up in the middle of this must not take the server along.
    socket.on('error', () => socket.destroy());
    const query = queryOf(request);
    const refusal = refusalOf(access, limits, request) ?? (query === undefined ? '404 Not Found' : undefined);
    if (query === undefined || refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => greet(client, feed, query));
  });

  const silence = feed.onMessage((message) => {
    if (sockets.clients.size === 0) return;
    const text = JSON.stringify(message);
    for (const client of sockets.clients) send(client, text);
  });
  const stopPinging = pingAll(sockets);
  return {
    close() {
      silence();
      stopPinging();
      for (const client of sockets.clients) client.close(GOING_AWAY, 'the server stops');
      sockets.close();
      if (sockets.clients.size === 0) return;
      // A client that does not close in its turn cannot keep the server from stopping.
      setTimeout(() => {
        for (const client of sockets.clients) client.terminate();
      }, FAREWELL_MS).unref();
    },
  };
}

/** Undefined if it is not for /ws. */
function queryOf({ url = '' }: IncomingMessage): URLSearchParams | undefined {
  const [path, query = ''] = url.split(/\?(.*)/s);
  return path === '/ws' ? new URLSearchParams(query) : undefined;
}

/** Browsers send cookies with every request, so with a cookie the origin decides; a token was given on purpose. */
function refusalOf(access: Access, { all, strangers }: RateLimits, request: IncomingMessage): string | undefined {
  const { host, origin, authorization, cookie } = request.headers;
  const credentials: Credentials = { host, origin, authorization, cookie };
  if (!access.isOurHost(credentials)) return '403 Forbidden';
  if (!all.take()) return '429 Too Many Requests';
  const caller = access.identify(credentials);
  if (caller === undefined) return strangers.take() ? '401 Unauthorized' : '429 Too Many Requests';
  return caller.by === 'cookie' && !access.isOurOrigin(credentials) ? '403 Forbidden' : undefined;
}

function greet(client: WebSocket, feed: Feed, query: URLSearchParams): void {
  const since = query.get('since');
  client.on('error', () => client.terminate());
  const missedMessages =
    since === null ? [] : feed.since(/^\d{1,15}$/.test(since) ? Number(since) : -1, query.get('epoch') ?? '');
  // The client has everything up to this number: later messages, missed ones included, have greater ones.
  const seq = missedMessages?.[0] === undefined ? feed.seq : missedMessages[0].seq - 1;
  const first: SocketMessage = { type: 'hello', epoch: feed.epoch, seq };
  const rest: readonly SocketMessage[] = missedMessages ?? [{ type: 'resync' }];
  for (const message of [first, ...rest]) send(client, JSON.stringify(message));
}

function send(client: WebSocket, text: string): void {
  if (client.readyState !== client.OPEN) return;
  if (client.bufferedAmount > MAX_BUFFERED_BYTES) client.close(TOO_SLOW, 'too slow');
  else client.send(text);
}

/** Closes dead connections: a client that has not answered the last ping gets no other. */
function pingAll(sockets: WebSocketServer): () => void {
  const silentSockets = new Set<WebSocket>();
  const timer = setInterval(() => {
    for (const client of silentSockets) client.terminate();
    silentSockets.clear();
    for (const client of sockets.clients) {
      silentSockets.add(client);
      client.once('pong', () => silentSockets.delete(client));
      client.ping();
    }
  }, PING_MS);
  timer.unref();
  return () => clearInterval(timer);
}
