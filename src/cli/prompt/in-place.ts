import { plainLine } from '../../render/plain-text.js';
import type { CommandLine } from '../command-line.js';
import { LiveScreen, terminalOf } from '../run/live-screen.js';
import { type Key, Keyboard } from './keyboard.js';
import type { PromptView } from './prompt-lines.js';

/** What changes in place at the lower end of a terminal, and what keys do there. */
export interface InPlaceOptions {
  /** The current lines; called after every key and several times a second. */
  readonly lines: (view: PromptView) => readonly string[];
  /** Left out if no question is asked: then the keyboard is not read. */
  readonly press?: (key: Key) => Promise<void>;
  /** Looks for changes by other processes. */
  readonly look: () => Promise<void>;
  /** Ctrl-C, if it does not come as a signal. */
  readonly interrupt: () => void;
}

const TICK_MS = 150;
const LOOK_MS = 450;

/** Notes go to stderr, and so does what changes in place: stdout may be a file. */
const terminal = terminalOf(process.stderr);

/** Text scrolls away above; below it stands what changes, and the prompt for the person at the terminal. */
export class InPlace {
  readonly #screen = new LiveScreen(terminal, (text) => process.stdout.write(text));
  readonly #keyboard: Keyboard | undefined;
  readonly #timers: readonly NodeJS.Timeout[];
  #isOver = false;
  readonly #giveBack = (): void => {
    this.#screen.end();
    this.#keyboard?.close();
  };

  constructor(
    private readonly line: CommandLine,
    private readonly options: InPlaceOptions,
  ) {
    this.#keyboard = options.press === undefined ? undefined : this.#openKeyboard(options.press);
    this.#timers = [setInterval(() => this.draw(), TICK_MS), setInterval(() => this.#attempt(options.look()), LOOK_MS)];
    // However the process ends, the terminal is restored.
    process.once('exit', this.#giveBack);
  }

  print(text: string): void {
    this.#screen.print(text);
  }

  draw(): void {
    if (this.#isOver) return;
    const { paint } = this.line.out;
    const now = this.line.app().clock.now();
    const view = { paint, width: terminal.columns - 1, rows: terminal.rows - 1, now };
    const lines = this.options.lines(view);
    this.#screen.show(lines.length > 0 && lines.length < view.rows ? ['', ...lines] : lines);
  }

  close(): void {
    this.#isOver = true;
    for (const timer of this.#timers) clearInterval(timer);
    process.off('exit', this.#giveBack);
    this.#giveBack();
  }

  #openKeyboard(press: (key: Key) => Promise<void>): Keyboard {
    const keyboard = new Keyboard(process.stdin, terminal.write, (key) => {
      if (key.isCtrl && key.name === 'c') this.options.interrupt();
      else if (key.isCtrl && key.name === 'z') this.#suspend(keyboard);
      else this.#attempt(press(key));
    });
    return keyboard;
  }

  #suspend(keyboard: Keyboard): void {
    this.#screen.end();
    keyboard.rest();
    process.once('SIGCONT', () => keyboard.open());
    process.kill(process.pid, 'SIGTSTP');
  }

  #attempt(work: Promise<void>): void {
    work.catch((error: unknown) => this.print(`warning: ${plainLine(String(error))}`)).finally(() => this.draw());
  }
}
