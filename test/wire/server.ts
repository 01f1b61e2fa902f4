import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { anthropic } from './anthropic.js';
import type { Format } from './format.js';
import { gemini } from './gemini.js';
import { isObject, type Json } from './json.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';
import { type ChosenTurn, choose, type WireRequest, type WireRule, type WireTurn } from './script.js';

/*
 * A language model behind HTTP, played from data. It speaks the formats of OpenAI (chat completions and responses),
 * Anthropic and Gemini, streamed and whole. It also plays everything that goes wrong on such a line. Real client
 * libraries and real agent programs talk to it.
 */

const FORMATS: readonly Format[] = [openaiChat, openaiResponses, anthropic, gemini];

export interface WireServerOptions {
  /** Looked through for every request; the first that applies is played. */
  readonly rules?: readonly WireRule[];
  /** Instead of rules, for what no data can say. */
  readonly play?: (request: WireRequest) => WireTurn | Promise<WireTurn>;
  /** Answers other addresses than those of the four formats, such as a list of models. */
  readonly other?: (path: string, method: string) => object | undefined;
}

export interface WireServer {
  /** `http://127.0.0.1:port`; clients add `/v1`, or `/v1beta` for Gemini. */
  readonly url: string;
  /** In the order in which they came. */
  readonly requests: readonly WireRequest[];
  close(): Promise<void>;
}

export async function startWireServer(options: WireServerOptions): Promise<WireServer> {
  const requests: WireRequest[] = [];
  const played = new Map<string, number>();
  const server = createServer((incoming, response) => {
    answer({ options, requests, played }, incoming, response).catch((error: unknown) => {
      // A client that has gone is no failure of a test.
      if (!response.headersSent) response.writeHead(500, JSON_TYPE).end(JSON.stringify({ error: String(error) }));
      else response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: addressOf(server), requests, close: () => close(server) };
}

const JSON_TYPE = { 'content-type': 'application/json' };

function addressOf(server: Server): string {
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

interface Playing {
  readonly options: WireServerOptions;
  readonly requests: WireRequest[];
  /** How often each turn was asked for. */
  readonly played: Map<string, number>;
}

async function answer(playing: Playing, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(incoming.url ?? '/', 'http://localhost');
  const body = await bodyOf(incoming);
  const format = FORMATS.find((candidate) => candidate.matches(pathname));
  if (format === undefined || incoming.method !== 'POST' || body === undefined) {
    const other = playing.options.other?.(pathname, incoming.method ?? 'GET');
    response.writeHead(other === undefined ? 404 : 200, JSON_TYPE);
    response.end(JSON.stringify(other ?? { error: { message: `Nothing is at ${pathname}.` } }));
    return;
  }
  const request = { format: format.name, ...format.read(body, pathname), headers: incoming.headers, body };
  playing.requests.push(request);
  const chosen = await chosenFor(playing, request);
  if (chosen === undefined) {
    response.writeHead(500, JSON_TYPE).end(JSON.stringify(format.error(500, `No rule plays model ${request.model}.`)));
    return;
  }
  await speak(playing, { format, request, chosen }, response);
}

async function chosenFor({ options }: Playing, request: WireRequest): Promise<ChosenTurn | undefined> {
  if (options.play === undefined) return choose(options.rules ?? [], request);
  return { turn: await options.play(request), key: `p-${request.messages.length}` };
}

interface Speaking {
  readonly format: Format;
  readonly request: WireRequest;
  readonly chosen: ChosenTurn;
}

async function speak(playing: Playing, speaking: Speaking, response: ServerResponse): Promise<void> {
  const { format, request, chosen } = speaking;
  const { turn, key } = chosen;
  if (turn.delayMs !== undefined) await sleep(turn.delayMs);
  const times = (playing.played.get(key) ?? 0) + 1;
  playing.played.set(key, times);
  const { trouble } = turn;
  const isTrouble = trouble !== undefined && times <= (trouble.times ?? Number.POSITIVE_INFINITY);
  if (isTrouble && trouble.kind === 'silence') return;
  if (isTrouble && trouble.kind === 'hang-up' && trouble.when === 'at once') {
    response.destroy();
    return;
  }
  if (isTrouble && trouble.kind === 'nonsense') {
    response.writeHead(200, request.isStream ? STREAM_TYPE : JSON_TYPE).end(trouble.body);
    return;
  }
  if (isTrouble && trouble.kind === 'page') {
    response.writeHead(trouble.status, { 'content-type': trouble.type }).end(trouble.body);
    return;
  }
  if (isTrouble && trouble.kind === 'status') {
    const { status, message = `The model says ${status}.`, retryAfter } = trouble;
    response.writeHead(status, { ...JSON_TYPE, ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }) });
    response.end(JSON.stringify(format.error(status, message)));
    return;
  }
  const told = { key, model: request.model };
  const parts = request.isStream ? format.stream(turn, told) : [JSON.stringify(format.whole(turn, told))];
  response.writeHead(200, request.isStream ? STREAM_TYPE : JSON_TYPE);
  const end = isTrouble ? Math.ceil(parts.length / 2) : parts.length;
  for (const [index, part] of parts.entries()) {
    if (index >= end) break;
    response.write(isTrouble && !request.isStream ? part.slice(0, part.length / 2) : part);
    if (turn.pauseMs !== undefined) await sleep(turn.pauseMs);
  }
  const isPolite = isTrouble && trouble.kind === 'hang-up' && trouble.when === 'in the middle, politely';
  if (isTrouble && !isPolite) setImmediate(() => response.destroy());
  else response.end();
}

const STREAM_TYPE = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };

async function bodyOf(incoming: IncomingMessage): Promise<Json | undefined> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
