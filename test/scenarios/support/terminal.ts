import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { VirtualTerminal } from '../../support/virtual-terminal.js';
import { agentxCommand, agentxEnvironment } from './agentx.js';

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Another program, such as the shell in which ours is called. */
  readonly program?: readonly string[];
}

/** A person at a real terminal on which the built program runs. */
export interface TerminalSession {
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Waits until the screen, with what scrolled away, shows this; fails with what it shows instead. */
  until(text: string | RegExp): Promise<void>;
  /** What is on the screen and above it. */
  screen(): string;
  /** Everything that was written, escapes and all. */
  raw(): string;
  readonly ended: Promise<number | null>;
}

export const KEYS = {
  up: '\u001b[A',
  down: '\u001b[B',
  enter: '\r',
  escape: '\u001b',
  ctrlC: '\u0003',
  pageUp: '\u001b[5~',
  pageDown: '\u001b[6~',
} as const;

const PATIENCE_MS = 180_000;

export function onTerminal(cwd: string, args: readonly string[], options: TerminalOptions = {}): TerminalSession {
  const { columns = 80, rows = 24, env = {}, program = agentxCommand } = options;
  const bridge = join(import.meta.dirname, 'on-terminal.py');
  const child = spawn('python3', [bridge, `${columns}x${rows}`, ...program, ...args], {
    cwd,
    env: agentxEnvironment({ TERM: 'xterm-256color', NO_COLOR: '1', ...env }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const terminal = new VirtualTerminal({ columns, rows });
  let raw = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    raw += text;
    terminal.write(text);
  });
  child.stdin.on('error', () => {}); // A program that ended does not read on.
  let isOver = false;
  const ended = new Promise<number | null>((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => {
      isOver = true;
      done(code);
    });
  });
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  const says = (text: string | RegExp) =>
    typeof text === 'string' ? terminal.text().includes(text) : text.test(terminal.text());
  return {
    type: (keys) => child.stdin.write(keys),
    resize: (width, height) => {
      terminal.columns = width;
      terminal.rows = height;
      child.stdin.write(`\0size ${width}x${height}\0`);
    },
    until: async (text) => {
      const started = performance.now();
      while (!says(text)) {
        if (isOver || performance.now() - started > PATIENCE_MS)
          throw new Error(`The screen never says ${text}. It says:\n${terminal.text()}`);
        await sleep(20);
      }
    },
    screen: () => terminal.text(),
    raw: () => raw,
    ended,
  };
}
