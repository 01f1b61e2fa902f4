import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { App } from '../app/app.js';
import { AgentXError, type ErrorCode } from '../protocol/errors.js';
import { Access } from './access.js';
import { carryRunsOn, sweepNowAndThen, takeFallbacksWhenDue } from './background.js';
import { Feed } from './feed.js';
import { goOn } from './go-on.js';
import { createHttp } from './http.js';
import { pageOfFiles } from './page.js';
import { rateLimits } from './rate-limit.js';
import { assumptionRoutes } from './routes/assumption.js';
import { boardRoutes } from './routes/board.js';
import { clarificationRoutes } from './routes/clarification.js';
import { digestRoutes } from './routes/digest.js';
import { memoryRoutes } from './routes/memory.js';
import { questionRoutes } from './routes/question.js';
import { serveSockets } from './sockets.js';

export const ROUTES = [
  ...questionRoutes,
  ...clarificationRoutes,
  ...boardRoutes,
  ...assumptionRoutes,
  ...digestRoutes,
  ...memoryRoutes,
];

export interface ServeOptions {
  readonly app: App;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The person who answers, unless the client names one. */
  readonly principal: string;
  /** Names besides those of the loopback under which a proxy in front of us is called. */
  readonly allowedHosts?: readonly string[];
  readonly patience?: Patience;
  /** Whether runs whose questions have ended go on here; otherwise this server starts no agents. */
  readonly carriesRunsOn?: boolean;
  /** What answers at `/mcp`. */
  readonly mcp?: Mcp;
}

export interface Mcp {
  fetch(request: Request, principal: string): Promise<Response>;
  close(): Promise<void>;
}

/** How long a client may take; one that sends a byte now and then must not hold a connection for ever. */
export interface Patience {
  readonly headersMs: number;
  readonly requestMs: number;
}

const PATIENCE: Patience = { headersMs: 10_000, requestMs: 30_000 };

export interface RunningServer {
  readonly port: number;
  /** Logs a browser in. */
  readonly link: string;
  /** Another name, with its port, under which a browser reaches it: the other end of a tunnel. */
  allowHost(host: string): void;
  close(): Promise<void>;
}

export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { app, host, port, principal, allowedHosts = [], patience = PATIENCE, carriesRunsOn = true, mcp } = options;
  const { project: projectId } = await app.config();
  const token = await app.serverToken();
  const hosts: string[] = [];
  const access = new Access({ token, hosts, project: projectId, principal });
  const page = pageOfFiles(await app.pageFiles());
  const limits = rateLimits(() => performance.now());
  let syncNow = () => {};
  const http = createHttp({
    app,
    projectId,
    access,
    routes: ROUTES,
    page,
    limits,
    onDelivery: () => syncNow(),
    ...(mcp && { mcp: mcp.fetch }),
  });
  const server = createAdaptorServer({ fetch: http.fetch, serverOptions: patienceOptions(patience) });
  if (!isHttp1(server)) throw new Error('the adaptor made no plain HTTP server');
  const feed = new Feed(app, projectId);
  const ends: (() => unknown)[] = [];
  const endAll = () => Promise.all(ends.map((end) => end()));
  const start = async (): Promise<number> => {
    ends.push(serveSockets({ server, access, feed, limits }).close);
    ends.push(await feed.start());
    // A server that cannot listen tells people nothing and starts no work.
    const boundPort = await listen(server, host, port);
    hosts.push(...hostsOf(host, boundPort), ...allowedHosts.map((name) => name.toLowerCase()));
    ends.push(takeFallbacksWhenDue(app, feed), sweepNowAndThen(app));
    ends.push(carryRunsOn(app, feed, { goesOn: carriesRunsOn }), app.tellNews());
    const inStep = await app.keepInStep((id) => goOn(app, id));
    if (inStep !== undefined) {
      ends.push(inStep.end);
      syncNow = inStep.now;
    }
    return boundPort;
  };
  const boundPort = await start().catch(async (error: unknown) => {
    await Promise.all([stop(server), endAll()]);
    throw error;
  });
  const reachableHost = isEverywhere(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  const url = `http://${reachableHost}:${boundPort}`;
  ends.push(app.noteServer(url));
  return {
    port: boundPort,
    link: `${url}/#token=${token}`,
    allowHost: (name) => hosts.push(name.toLowerCase()),
    async close() {
      const ending = endAll();
      await mcp?.close();
      await Promise.all([stop(server), ending]);
    },
  };
}

function patienceOptions({ headersMs, requestMs }: Patience) {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(headersMs, requestMs) / 2,
  };
}

/** A server that listens on every address is reached here through the loopback. */
const isEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::';

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function hostsOf(host: string, port: number): readonly string[] {
  const own = host.includes(':') ? `[${host}]` : host;
  const names = [...new Set(['127.0.0.1', 'localhost', '[::1]', own.toLowerCase()])];
  // Clients leave out the default port.
  return names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
}

function isHttp1(server: ReturnType<typeof createAdaptorServer>): server is Server {
  return 'closeIdleConnections' in server;
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    // Once it listens, an error is about one connection that was not accepted.
    server.on('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port)));
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** A port in use belongs to another process; an address that cannot be listened on is a mistake of the caller. */
function cannotListen({ code, message }: NodeJS.ErrnoException, host: string, port: number): AgentXError {
  const [kind, why] = LISTEN_ERRORS.get(code ?? '') ?? (['STORE_ERROR', code ?? message] as const);
  const problem = `Cannot listen on ${host}:${port}: ${why}. Try another: --port 0 takes a free one.`;
  return new AgentXError(kind, problem, { host, port, code });
}

const LISTEN_ERRORS: ReadonlyMap<string, readonly [ErrorCode, string]> = new Map([
  ['EADDRINUSE', ['CONFLICT', 'something else listens there']],
  ['EACCES', ['INVALID_INPUT', 'this user may not listen there; ports below 1024 are for administrators']],
  ['EADDRNOTAVAIL', ['INVALID_INPUT', 'that address is not one of this machine']],
  ['ENOTFOUND', ['INVALID_INPUT', 'there is no host of that name']],
]);

const LAST_MS = 3_000;

/** Requests in progress are answered; idle connections are closed. */
function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 20);
    const last = setTimeout(() => server.closeAllConnections(), LAST_MS);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(last);
      resolve();
    });
  });
}
