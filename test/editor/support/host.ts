/// <reference types="vscode" />
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '../../support/until.js';
import { PATIENCE_MS } from './patience.js';

type Editor = typeof import('vscode');

/** What the editor's language model was asked. */
export interface ModelRequest {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly parts: readonly ModelPart[] }[];
  readonly tools: readonly string[];
}

interface ModelPart {
  readonly text?: string;
  readonly call?: string;
  readonly input?: unknown;
  readonly result?: readonly ModelPart[];
}

/** What the model says. */
export interface ModelTurn {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: object }[];
  readonly error?: string;
}

interface Line {
  readonly hello?: { readonly pid: number; readonly folders: readonly string[] };
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: string;
  readonly request?: number;
}

/** The extension host of one window: the process in which our extension runs, reached through the companion. */
export class Host {
  readonly pid: number;
  readonly folders: readonly string[];
  /** Answers for the model of this window; without it, a request stays open. */
  play: ((request: ModelRequest) => ModelTurn) | undefined;
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (line: Line) => void>();
  #calls = 0;

  private constructor(socket: Socket, { pid, folders }: NonNullable<Line['hello']>) {
    this.#socket = socket;
    this.pid = pid;
    this.folders = folders;
  }

  /** The one that was not there `before`, and works on `folder`. */
  static async find(
    sockets: string,
    folder: string | undefined,
    before: ReadonlySet<number>,
    patienceMs = PATIENCE_MS,
  ): Promise<Host> {
    return until(async () => {
      for (const name of readdirSync(sockets)) {
        if (before.has(Number.parseInt(name, 10))) continue;
        const host = await Host.#connect(join(sockets, name));
        if (host === undefined) continue;
        if (host.folders[0] !== folder) {
          host.close();
          continue;
        }
        host.#send({ isOwner: true });
        return host;
      }
      return undefined;
    }, patienceMs);
  }

  /** Undefined if no process listens: a host that was killed leaves its socket. */
  static #connect(path: string): Promise<Host | undefined> {
    return new Promise((resolve) => {
      const socket = connect(path);
      let host: Host | undefined;
      const lines = createInterface({ input: socket });
      for (const source of [socket, lines]) source.on('error', () => resolve(undefined));
      lines.on('line', (line) => {
        if (host !== undefined) return host.#receive(line);
        const { hello }: Line = JSON.parse(line);
        if (hello !== undefined) host = new Host(socket, hello);
        resolve(host);
      });
      lines.on('close', () => {
        resolve(undefined);
        if (host !== undefined) host.#fail();
      });
    });
  }

  /** Carries a function out in the extension host. It is sent as text: it knows its arguments and nothing else. */
  async run<R, A = undefined>(work: (vscode: Editor, argument: A) => R | Thenable<R>, argument?: A): Promise<R> {
    const id = ++this.#calls;
    const answer = new Promise<Line>((resolve) => this.#waiting.set(id, resolve));
    this.#send({ id, code: String(work), argument });
    const { result, error } = await answer;
    if (error !== undefined) throw new Error(`In the extension host: ${error}`);
    return result as R;
  }

  command<R = unknown>(command: string, ...args: readonly unknown[]): Promise<R> {
    return this.run((vscode, call) => vscode.commands.executeCommand<R>(call.command, ...call.args), { command, args });
  }

  /** Begins a command that waits for the person, who is the test. */
  start(command: string, ...args: readonly unknown[]): Promise<void> {
    return this.run(
      (vscode, call) => {
        vscode.commands.executeCommand(call.command, ...call.args);
      },
      { command, args },
    );
  }

  close(): void {
    this.#socket.destroy();
  }

  #send(message: object): void {
    this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  #receive(line: string): void {
    const message: Line & ModelRequest = JSON.parse(line);
    if (message.request !== undefined) {
      const turn = this.play?.(message);
      if (turn !== undefined) this.#send({ answerTo: message.request, turn });
      return;
    }
    this.#waiting.get(message.id ?? 0)?.(message);
    this.#waiting.delete(message.id ?? 0);
  }

  #fail(): void {
    for (const fail of this.#waiting.values()) fail({ error: 'the extension host ended' });
    this.#waiting.clear();
  }
}
