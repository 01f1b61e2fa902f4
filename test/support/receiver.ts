import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Reaction = number | 'hang' | 'hang up' | { readonly status: number; readonly retryAfter: string };

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** How it reacts to the next requests, one after the other; afterwards with 200. */
  react(...reactions: readonly Reaction[]): void;
}

/** A webhook's receiver on a free port, with faults on demand; gone when the test is over. */
export async function aReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const reactions: Reaction[] = [];
  const url = await aServerFor((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      const reaction = reactions.shift() ?? 200;
      if (reaction === 'hang') return;
      if (reaction === 'hang up') return request.socket.destroy();
      if (typeof reaction === 'number') return response.writeHead(reaction).end(`told by ${request.url ?? ''}`);
      response.writeHead(reaction.status, { 'retry-after': reaction.retryAfter }).end();
    });
  });
  return { url, received, react: (...next) => void reactions.push(...next) };
}

/** The address of a server on a free port that is gone when the test is over. */
export async function aServerFor(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
