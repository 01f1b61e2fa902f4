import { type ChildProcess, fork } from 'node:child_process';
import { Agent, request } from 'node:http';
import type { ContenderName, FromServer, ToServer } from './messages.js';

const WORKER = new URL('./server-worker.js', import.meta.url);
const running = new Set<ChildProcess>();
process.prependListener('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A server in a process of its own, and its client: this process. */
export class Contender {
  // Servers close connections that were idle for five seconds; a request at that instant is cut off.
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: 3_000 });

  private constructor(
    readonly name: ContenderName,
    private readonly child: ChildProcess,
    private readonly facts: Extract<FromServer, { type: 'ready' }>,
  ) {}

  static async start(name: ContenderName, root: string): Promise<Contender> {
    const child = fork(WORKER, [name, root], { execArgv: ['--expose-gc'] });
    running.add(child);
    return new Contender(name, child, await next(child, 'ready'));
  }

  get headers(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.facts.token}` };
  }

  get socketUrl(): string {
    return `ws://127.0.0.1:${this.facts.port}/ws`;
  }

  call(method: string, path: string, body?: unknown): Promise<Answer> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const length = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) };
    return new Promise((resolve, reject) => {
      const call = request(
        {
          host: '127.0.0.1',
          port: this.facts.port,
          agent: this.#agent,
          method,
          path: `/api/v1/projects/${this.facts.project}${path}`,
          headers: { ...this.headers, ...length },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
          );
        },
      );
      call.on('error', reject);
      call.end(text);
    });
  }

  /** When the server began to announce that this question has changed. */
  async tell(id: string): Promise<number> {
    const message = next(this.child, 'told');
    this.#send({ type: 'tell', id });
    return (await message).at;
  }

  async memory(): Promise<number> {
    const memory = next(this.child, 'memory');
    this.#send({ type: 'memory' });
    return (await memory).bytes;
  }

  stop(): void {
    this.#agent.destroy();
    this.child.kill('SIGKILL');
    running.delete(this.child);
  }

  #send(message: ToServer): void {
    this.child.send(message);
  }
}

function next<Type extends FromServer['type']>(
  child: ChildProcess,
  type: Type,
): Promise<Extract<FromServer, { type: Type }>> {
  return new Promise((resolve, reject) => {
    const hear = (message: FromServer) => {
      if (!isOf(message, type)) return;
      child.off('message', hear);
      resolve(message);
    };
    child.on('message', hear);
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)));
  });
}

function isOf<Type extends FromServer['type']>(
  message: FromServer,
  type: Type,
): message is Extract<FromServer, { type: Type }> {
  return message.type === type;
}
