import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

const running = new Set<ChildProcessWithoutNullStreams>();
process.prependListener('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A client that adds as little as possible of its own: a message a line, both ways. */
export class StdioClient {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, (result: Result) => void>();
  #rest = '';
  #lastId = 0;

  constructor(
    command: readonly string[],
    { cwd, env = {} }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
  ) {
    const [program = process.execPath, ...args] = command;
    this.#child = spawn(program, args, { cwd, env: { PATH: process.env.PATH, HOME: cwd, ...env }, stdio: 'pipe' });
    this.#child.stderr.pipe(process.stderr);
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.#hear(text));
    running.add(this.#child);
  }

  /** Ready to serve: the server has introduced itself. */
  async introduce(): Promise<void> {
    await this.#ask('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    });
    this.#write({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /** Throws if the tool refuses. */
  async call(name: string, args: object): Promise<Result> {
    const result = await this.#ask('tools/call', { name, arguments: args });
    if (result.isError === true) throw new Error(JSON.stringify(result));
    return result;
  }

  end(): void {
    running.delete(this.#child);
    this.#child.kill('SIGKILL');
  }

  #ask(method: string, params: object): Promise<Result> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#write({ jsonrpc: '2.0', id, method, params });
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  #write(message: object): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #hear(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const { id, result, error } = JSON.parse(line);
      if (error !== undefined) throw new Error(JSON.stringify(error));
      const resolve = this.#waiting.get(id);
      this.#waiting.delete(id);
      resolve?.(result);
    }
  }
}

interface Result {
  readonly isError?: boolean;
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}
