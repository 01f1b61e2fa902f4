import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { shorten } from '../../protocol/shorten.js';

export interface ProbeRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** How long it may take until it answers. */
  readonly timeoutMs: number;
}

export type ProbeResult =
  | {
      readonly isAnswered: true;
      readonly milliseconds: number;
      readonly server: string;
      readonly tools: readonly string[];
    }
  | { readonly isAnswered: false; readonly problem: string };

const END_GRACE_MS = 2000;
const SHOWN_ERROR = 500;

/** Starts a server as a client does, lets it introduce itself and list its tools, and ends it. */
export async function probe(request: ProbeRequest): Promise<ProbeResult> {
  const startedAt = performance.now();
  const { command, args, env, cwd, timeoutMs } = request;
  const child = spawn(command, args, { cwd, env: { ...env }, stdio: 'pipe', detached: process.platform !== 'win32' });
  const conversation = new Conversation(child);
  const limit = new AbortController();
  try {
    const result = await Promise.race([
      introduce(conversation),
      conversation.failed,
      sleep(timeoutMs, undefined, { signal: limit.signal }).then(() =>
        conversation.problem(`did not answer within ${timeoutMs / 1000} s`),
      ),
    ]);
    if (typeof result === 'string') return { isAnswered: false, problem: result };
    return { isAnswered: true, milliseconds: Math.round(performance.now() - startedAt), ...result };
  } finally {
    limit.abort();
    await end(child);
  }
}

async function introduce(conversation: Conversation): Promise<{ server: string; tools: readonly string[] } | string> {
  const first = await conversation.ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'agentx-doctor', version: '1' },
  });
  const { name, version } = Object(Object(first).serverInfo);
  if (typeof name !== 'string') return conversation.problem('did not introduce itself as an MCP server does');
  conversation.tell('notifications/initialized');
  const { tools } = Object(await conversation.ask('tools/list', {}));
  if (!Array.isArray(tools)) return conversation.problem('does not list its tools');
  return { server: `${name} ${String(version)}`, tools: tools.map((tool) => String(Object(tool).name)) };
}

/** JSON-RPC, a message a line. */
class Conversation {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #errors = '';
  #rest = '';
  #lastId = 0;
  /** What went wrong, once something does. */
  readonly failed: Promise<string>;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    child.stdin.on('error', () => {}); // A server that has ended is reported by its exit.
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-SHOWN_ERROR);
    });
    this.failed = new Promise((resolve) => {
      child.once('error', ({ message }) => resolve(`cannot be started: ${message}`));
      child.once('close', (code, signal) =>
        resolve(this.problem(`ended at once, with ${signal ?? `exit code ${code}`}`)),
      );
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const problem = this.#hear(text);
        if (problem !== undefined) resolve(problem);
      });
    });
  }

  ask(method: string, params: object): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#write({ jsonrpc: '2.0', id, method, params });
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  tell(method: string): void {
    this.#write({ jsonrpc: '2.0', method });
  }

  /** The problem with the end of what the server wrote to stderr. */
  problem(text: string): string {
    const errorText = this.#errors.trim();
    return errorText === '' ? text : `${text}. It said: ${errorText}`;
  }

  #write(message: object): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #hear(text: string): string | undefined {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines.filter((one) => one.trim() !== '')) {
      const message = parsed(line);
      if (message === undefined)
        return this.problem(`writes something else than the protocol to stdout: ${shorten(line, 100)}`);
      const { id, result, error } = message;
      if (typeof id !== 'number' || !this.#waiting.has(id)) continue;
      if (error !== undefined) return this.problem(`refused: ${shorten(JSON.stringify(error), 200)}`);
      this.#waiting.get(id)?.(result);
    }
    return undefined;
  }
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** By the end of its input, as clients do; what is still there then, with its children, is killed. */
async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.pid === undefined) return;
  child.stdin.end();
  const closing = new Promise<void>((resolve) => child.once('close', () => resolve()));
  if (child.exitCode !== null || child.signalCode !== null) return;
  const limit = new AbortController();
  const grace = sleep(END_GRACE_MS, 'late', { signal: limit.signal }).catch(() => undefined);
  if ((await Promise.race([closing, grace])) === 'late') kill(child);
  limit.abort();
}

function kill(child: ChildProcessWithoutNullStreams): void {
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
