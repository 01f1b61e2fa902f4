import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Question } from '../../../src/protocol/question.js';
import { agentxCommand, agentxEnvironment, openQuietly } from '../../scenarios/support/agentx.js';

/** `agentx serve` as a user starts it, on a port of its own. */
export interface Served {
  readonly cwd: string;
  readonly port: number;
  readonly url: string;
  /** Logs a browser in. */
  readonly link: string;
  readonly token: string;
  readonly project: string;
  /** A request with the token, below `/api/v1/projects/:p`. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  ask(question: AskedQuestion): Promise<Question>;
  /** What the files say, read by another process than the server. */
  stored(id: string): Promise<Question | undefined>;
  stop(): Promise<void>;
  /** Like a power cut. */
  kill(): Promise<void>;
}

interface AskedQuestion {
  readonly questions: readonly unknown[];
  readonly [field: string]: unknown;
}

export async function serveRepository(
  cwd: string,
  { port = 0, args = [] }: { readonly port?: number; readonly args?: readonly string[] } = {},
): Promise<Served> {
  const [node, program] = agentxCommand;
  const child = spawn(node, [program, 'serve', '--port', String(port), ...args], { cwd, env: agentxEnvironment() });
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  const stop = () => end('SIGTERM');
  onTestFinished(stop);
  const link = await linkOf(child);
  const { origin, port: bound, hash } = new URL(link);
  const token = hash.replace('#token=', '');
  const app = openQuietly(join(cwd, '.agentx'));
  const { project } = await app.config();
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${origin}/api/v1/projects/${project}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    const content: T = JSON.parse(await response.text());
    return content;
  };
  return {
    cwd,
    port: Number(bound),
    url: origin,
    link,
    token,
    project,
    call,
    async ask(question) {
      const request = { issueNumber: 1, agent: 'engineer', source: 'execute', sourceId: '1', ...question };
      return (await call<{ notification: Question }>('POST', '/notifications', request)).notification;
    },
    stored: (id) => app.question(id),
    stop,
    kill: () => end('SIGKILL'),
  };
}

function linkOf(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk) => {
      output += String(chunk);
      const link = /http:\S+#token=\S+/.exec(output)?.[0];
      if (link !== undefined) resolve(link);
    });
    child.on('exit', () => reject(new Error(`The server ended: ${output}`)));
  });
}
