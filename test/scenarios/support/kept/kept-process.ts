import { createRequire } from 'node:module';
import { join } from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';

export interface KeptCommand {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string;
}

export interface CommandOutcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The thread ends a command that takes too long, and says so; this is for a thread that cannot. */
const SLACK_MS = 30_000;

/** Carries out one command of the built program after the other in a process that is kept for them. */
export class KeptProcess {
  readonly #wake = new Int32Array(new SharedArrayBuffer(4));
  readonly #patienceMs: number;
  readonly #port: MessagePort;

  constructor({ program, patienceMs }: { readonly program: string; readonly patienceMs: number }) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#patienceMs = patienceMs;
    const workerData = { port: port2, signal: this.#wake.buffer, program, patienceMs };
    new Worker(join(import.meta.dirname, 'thread.cjs'), { workerData, transferList: [port2], execArgv: [] }).unref();
  }

  /** Blocks, as a shell does. */
  run(command: KeptCommand): CommandOutcome {
    Atomics.store(this.#wake, 0, 0);
    this.#port.postMessage(command);
    Atomics.wait(this.#wake, 0, 0, this.#patienceMs + SLACK_MS);
    const outcome: CommandOutcome | { readonly error: string } | undefined = receiveMessageOnPort(this.#port)?.message;
    if (outcome === undefined) throw new Error('The process that is kept for commands does not answer.');
    if ('error' in outcome) throw new Error(`agentx ${command.args.join(' ')}: ${outcome.error}`);
    return outcome;
  }
}

interface Caller {
  carryOut(command: KeptCommand): Promise<CommandOutcome>;
}

const { Caller }: { Caller: new (options: { readonly program: string }) => Caller } = createRequire(import.meta.url)(
  './caller.cjs',
);

/** The same without blocking. Commands that go on at the same time have a process each. */
export class KeptProcesses {
  readonly #idle: Caller[] = [];
  readonly #program: string;

  constructor({ program }: { readonly program: string }) {
    this.#program = program;
  }

  async run(command: KeptCommand): Promise<CommandOutcome> {
    const caller = this.#idle.pop() ?? new Caller({ program: this.#program });
    const outcome = await caller.carryOut(command);
    this.#idle.push(caller);
    return outcome;
  }
}
