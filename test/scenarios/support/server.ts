import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { until } from '../../support/until.js';
import { agentxCommand, agentxEnvironment } from './agentx.js';

interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

interface Message {
  readonly type: string;
  readonly seq: number;
  readonly [field: string]: unknown;
}

interface Listener {
  readonly messages: readonly Message[];
  /** The first message of this type that has these fields. */
  until(type: string, fields?: Readonly<Record<string, unknown>>): Promise<Message>;
  close(): void;
}

export interface ServedFolder {
  readonly url: string;
  readonly token: string;
  readonly pid: number | undefined;
  /** Below `/api/v1/projects/{project}`. */
  call<T = unknown>(method: string, path: string, body?: unknown): Promise<Answer<T>>;
  listen(query?: string): Promise<Listener>;
  kill(): void;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>;
  stop(): Promise<number | string | null>;
}

/** `agentx serve` on a free port; it is gone when the test is over. */
export async function startServer(
  cwd: string,
  { env = {}, args = [] }: { readonly env?: Readonly<Record<string, string>>; readonly args?: readonly string[] } = {},
): Promise<ServedFolder> {
  const [node, program] = agentxCommand;
  const child = spawn(node, [program, 'serve', '--port', '0', '--json', ...args], { cwd, env: agentxEnvironment(env) });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += String(chunk);
  });
  const ended = new Promise<number | string | null>((resolve) => {
    child.on('close', (code, signal) => resolve(signal ?? code));
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const end = { isOver: false };
  void ended.then(() => {
    end.isOver = true;
  });
  await until(() => {
    if (end.isOver) throw new Error(`agentx serve ended: ${output.stderr}`);
    return /#token=\S+\n/.test(output.stderr) && output.stdout.trimEnd().endsWith('}');
  });
  const { url }: { url: string } = JSON.parse(output.stdout);
  const token = /#token=(\S+)/.exec(output.stderr)?.[1] ?? '';
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const session: { projectId: string } = JSON.parse(await (await fetch(`${url}/api/v1/session`, { headers })).text());
  return {
    url,
    token,
    pid: child.pid,
    async call<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
      const response = await fetch(`${url}/api/v1/projects/${session.projectId}${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: JSON.parse(await response.text()) };
    },
    listen: (query = '') => listenTo(`${url.replace('http', 'ws')}/ws${query}`, headers),
    kill: () => child.kill('SIGKILL'),
    ended,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

async function listenTo(url: string, headers: Readonly<Record<string, string>>): Promise<Listener> {
  const socket = new WebSocket(url, { headers });
  const messages: Message[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  socket.on('error', () => {});
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  const fits = (message: Message, fields: Readonly<Record<string, unknown>>) =>
    Object.entries(fields).every(([name, value]) => message[name] === value);
  return {
    messages,
    until: (type, fields = {}) =>
      until(() => messages.find((message) => message.type === type && fits(message, fields))),
    close: () => socket.terminate(),
  };
}
