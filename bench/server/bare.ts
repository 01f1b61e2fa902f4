import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { WebSocketServer } from 'ws';
import type { Issue } from '../../src/protocol/issue.js';
import type { Question } from '../../src/protocol/question.js';
import { layoutOf } from '../../src/storage/files/layout.js';
import { replaceSyncedAtOnce } from '../hub/synced-file.js';

interface Kept {
  readonly print: string;
  readonly document: { readonly id: string; readonly createdAt: string; readonly status: string };
}

/**
 * The same requests, answered by a server that does only the necessary reading and synced writing. It has no locks,
 * because no other process writes here. It has no access control, schemas, revisions, state machine or messages.
 */
function bareServer(root: string) {
  const { questions, issues } = layoutOf(root);
  const cache = new Map<string, Kept>();
  const queues = new Map<string, Promise<unknown>>();
  const http = new Hono();

  http.get('/api/v1/projects/:p/notifications', (c) => {
    const limit = Number(c.req.query('limit') ?? 50);
    const after = c.req.query('cursor') ?? '';
    const open = documentsIn(questions, cache)
      .filter(({ status }) => status === 'open')
      .sort((left, right) => (left.createdAt < right.createdAt ? -1 : 1));
    const start = open.findIndex(({ createdAt }) => createdAt > after);
    const notifications = start < 0 ? [] : open.slice(start, start + limit);
    const next = start + limit < open.length ? notifications.at(-1)?.createdAt : undefined;
    return c.json({ notifications, next });
  });

  http.patch('/api/v1/projects/:p/notifications/:id', async (c) => {
    const { responses } = await c.req.json();
    const path = `${questions}/${c.req.param('id')}.json`;
    const at = new Date().toISOString();
    const answeredQuestion = await changeFile<Question>(path, (question) => ({
      ...question,
      responses,
      status: 'resolved',
      outcome: 'answered',
      resolvedAt: at,
    }));
    const issuePath = `${issues}/${answeredQuestion.issueNumber}.json`;
    const comment = { author: 'ada', body: answeredQuestion.questions[0]?.text ?? '', created: at };
    const write = (queues.get(issuePath) ?? Promise.resolve()).then(() =>
      changeFile<Issue>(issuePath, (issue) => ({ ...issue, comments: [...issue.comments, comment] })),
    );
    queues.set(issuePath, write);
    await write;
    return c.json({ notification: answeredQuestion });
  });
  return http;
}

/** One process answers each question once: there is no other process to lock out. */
async function changeFile<T>(path: string, change: (document: T) => T): Promise<T> {
  const next = change(JSON.parse(readFileSync(path, 'utf8')));
  await replaceSyncedAtOnce(path, `${JSON.stringify(next, null, 2)}\n`);
  return next;
}

/** Each file is examined, and read if it has changed. */
function documentsIn(folder: string, cache: Map<string, Kept>): Kept['document'][] {
  return readdirSync(folder).flatMap((name) => {
    if (!name.endsWith('.json')) return [];
    const { ino, size, mtimeMs } = statSync(`${folder}/${name}`);
    const print = `${ino} ${size} ${mtimeMs}`;
    const entry = cache.get(name);
    if (entry?.print === print) return [entry.document];
    const document = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'));
    cache.set(name, { print, document });
    return [document];
  });
}

/** With a socket for every client, and a way to send all of them the same. */
export async function serveBare(root: string): Promise<{ port: number; tell: (text: string) => void }> {
  const server = createAdaptorServer({ fetch: bareServer(root).fetch });
  if (!isPlain(server)) throw new Error('the adaptor made no plain HTTP server');
  const sockets = new WebSocketServer({ server, path: '/ws' });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    tell: (text) => {
      for (const client of sockets.clients) client.send(text);
    },
  };
}

function isPlain(server: ReturnType<typeof createAdaptorServer>): server is Server {
  return 'closeIdleConnections' in server;
}
