import { plainLine } from '../../render/plain-text.js';
import type { CommandLine } from '../command-line.js';
import { LiveScreen, terminalOf } from '../run/live-screen.js';
import { type Key, Keyboard } from './keyboard.js';
import type { PromptView } from './prompt-lines.js';

/** What changes in place at the lower end of a terminal, and what the keys of the person there do. */
export interface InPlaceOptions {
  /** The lines as they are now; looked at after every key and several times a second. */
  readonly lines: (view: PromptView) => readonly string[];
  /** Where nobody is asked, the keyboard is left alone. */
  readonly press?: (key: Key) => Promise<void>;
  /** What others may have done meanwhile. */
  readonly look: () => Promise<void>;
  /** Ctrl-C, where it does not come as a signal. */
  readonly interrupt: () => void;
}

const TICK_MS = 150;
const LOOK_MS = 450;

/** Talk is for stderr, and so is what changes in place: stdout may be a file. */
const terminal = terminalOf(process.stderr);

/** Text scrolls away above, and below it the person at the terminal is shown something that changes, and asked. */
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
    // Whatever ends us, the terminal is given back.
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
