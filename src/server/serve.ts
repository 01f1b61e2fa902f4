import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { App } from '../app/create-app.js';
import { AgentXError } from '../protocol/errors.js';
import { Access } from './access.js';
import { Feed } from './feed.js';
import { createHttp } from './http.js';
import { pageOfFiles } from './page.js';
import { assumptionRoutes } from './routes/assumption.js';
import { boardRoutes } from './routes/board.js';
import { clarificationRoutes } from './routes/clarification.js';
import { digestRoutes } from './routes/digest.js';
import { questionRoutes } from './routes/question.js';
import { serveSockets } from './sockets.js';
import { sweepNowAndThen } from './sweep-now-and-then.js';

export const ROUTES = [...questionRoutes, ...clarificationRoutes, ...boardRoutes, ...assumptionRoutes, ...digestRoutes];

export interface ServeOptions {
  readonly app: App;
  readonly host: string;
  /** 0 takes any that is free. */
  readonly port: number;
  /** Who answers, where a client does not say. */
  readonly principal: string;
  /** Names beside the loopback's under which a proxy in front of us is called. */
  readonly allowedHosts?: readonly string[];
}

export interface RunningServer {
  readonly port: number;
  /** Logs a browser in. */
  readonly link: string;
  close(): Promise<void>;
}

export async function serve({ app, host, port, principal, allowedHosts = [] }: ServeOptions): Promise<RunningServer> {
  const { project: projectId } = await app.config();
  const token = await app.serverToken();
  const hosts: string[] = [];
  const access = new Access({ token, hosts, principal });
  const page = pageOfFiles(await app.pageFiles());
  const http = createHttp({ app, projectId, access, routes: ROUTES, page, now: () => performance.now() });
  const feed = new Feed(app, projectId);
  const stopWatching = await feed.start();
  const server = createAdaptorServer({ fetch: http.fetch });
  if (!isHttp1(server)) throw new Error('the adaptor made no plain HTTP server');
  const sockets = serveSockets({ server, access, feed });
  const bound = await listen(server, host, port);
  hosts.push(...hostsOf(host, bound), ...allowedHosts.map((name) => name.toLowerCase()));
  const stopSweeping = sweepNowAndThen(app);
  return {
    port: bound,
    link: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/#token=${token}`,
    async close() {
      stopSweeping();
      stopWatching();
      sockets.close();
      await stop(server);
    },
  };
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function hostsOf(host: string, port: number): readonly string[] {
  const own = host.includes(':') ? `[${host}]` : host;
  return [...new Set(['127.0.0.1', 'localhost', '[::1]', own.toLowerCase()])].map((name) => `${name}:${port}`);
}

function isHttp1(server: ReturnType<typeof createAdaptorServer>): server is Server {
  return 'closeIdleConnections' in server;
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port)));
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): AgentXError {
  const why = error.code === 'EADDRINUSE' ? 'something else listens there' : (error.code ?? error.message);
  return new AgentXError(
    'STORE_ERROR',
    `Cannot listen on ${host}:${port}: ${why}. Try another: --port 0 takes a free one.`,
    {
      host,
      port,
      code: error.code,
    },
  );
}

/** What is being answered is answered; connections that only wait are closed. */
function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 3_000).unref();
  });
}
