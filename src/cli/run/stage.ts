import type { Question } from '../../protocol/question.js';
import { toEpochMs } from '../../protocol/timestamp.js';
import { type AtWork, renderLive } from '../../render/live-line.js';
import { plainLine } from '../../render/plain-text.js';
import type { CommandLine } from '../command-line.js';
import { Keyboard } from '../prompt/keyboard.js';
import { Prompter } from '../prompt/prompter.js';
import { LiveScreen, terminalOf } from './live-screen.js';
import { Story } from './story.js';

export interface StageOptions {
  /** Lines that change in place show who is at work. */
  readonly isLive: boolean;
  /** The person at the terminal is asked. */
  readonly asksInPlace: boolean;
  /** Whether the person is asked this one; every one where it is left out. */
  readonly asks?: (question: Question) => boolean;
  /** Where questions can be answered in a browser; stands beside every one that the person is asked. */
  readonly page?: string;
  /** Several runs are shown at once. */
  readonly showsIssue?: boolean;
  /** Ctrl-C, where it does not come as a signal. */
  readonly interrupt: () => void;
}

const TICK_MS = 150;
const LOOK_MS = 450;

/** Talk is for stderr, and so is what changes in place: stdout may be a file. */
const terminal = terminalOf(process.stderr);

/** Where a run is watched: prints what happens, shows who is at work, and asks the person who watches. */
export class Stage {
  readonly #story: Story;
  readonly #screen: LiveScreen | undefined;
  readonly #prompter: Prompter;
  readonly #keyboard: Keyboard | undefined;
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #giveBack = (): void => {
    this.#screen?.end();
    this.#keyboard?.close();
  };

  constructor(
    private readonly line: CommandLine,
    private readonly options: StageOptions,
  ) {
    const { out, principal } = line;
    const { isLive, asksInPlace, showsIssue = false, asks = () => true, page } = options;
    const app = line.app();
    const print = (text: string) => this.print(text);
    const width = out.isTerminal ? { width: out.width } : {};
    this.#screen = isLive ? new LiveScreen(terminal, (text) => process.stdout.write(text)) : undefined;
    this.#story = new Story({
      app,
      print,
      view: { paint: out.paint, you: principal, isLive, asksInPlace, showsIssue, ...width },
      asked: (question) => {
        if (asks(question) && page !== undefined) {
          print(`${asksInPlace ? '\n  Answer below, or' : '  Or'} on the page:\n  ${page}`);
        }
        if (asks(question) && asksInPlace) this.#prompter.add(question);
        this.#draw();
      },
    });
    this.#prompter = new Prompter({ app, principal, say: print, ended: (question) => this.#story.ended(question) });
    this.#keyboard = asksInPlace ? this.#openKeyboard() : undefined;
    this.#timers = [
      setInterval(() => this.#draw(), TICK_MS),
      setInterval(() => this.#attempt(this.#prompter.look()), LOOK_MS),
    ];
    // Whatever ends us, the terminal is given back.
    process.once('exit', this.#giveBack);
  }

  print(text: string): void {
    if (this.#screen === undefined) this.line.out.print(text);
    else this.#screen.print(text);
  }

  /** Everything that happened is printed when this resolves. */
  async close(): Promise<void> {
    await this.#story.close();
    for (const timer of this.#timers) clearInterval(timer);
    process.off('exit', this.#giveBack);
    this.#giveBack();
  }

  #openKeyboard(): Keyboard {
    const keyboard = new Keyboard(process.stdin, terminal.write, (key) => {
      if (key.isCtrl && key.name === 'c') this.options.interrupt();
      else if (key.isCtrl && key.name === 'z') this.#suspend(keyboard);
      else this.#attempt(this.#prompter.press(key));
    });
    return keyboard;
  }

  #suspend(keyboard: Keyboard): void {
    this.#screen?.end();
    keyboard.rest();
    process.once('SIGCONT', () => keyboard.open());
    process.kill(process.pid, 'SIGTSTP');
  }

  #attempt(work: Promise<void>): void {
    work.catch((error: unknown) => this.print(`warning: ${plainLine(String(error))}`)).finally(() => this.#draw());
  }

  #draw(): void {
    if (this.#screen === undefined) return;
    const { paint } = this.line.out;
    const now = this.line.app().clock.now();
    const view = { paint, width: terminal.columns - 1, rows: terminal.rows - 1, now };
    const prompt = this.#prompter.lines(view);
    const work = renderLive([...this.#story.stream.atWork, ...this.#patience()], { ...view, now: toEpochMs(now) });
    const lines = [...work.slice(0, Math.max(0, view.rows - prompt.length - 1)), ...prompt];
    this.#screen.show(lines.length > 0 && lines.length < view.rows ? ['', ...lines] : lines);
  }

  /** While nobody works and nothing is asked here, it says what the run waits for. */
  #patience(): readonly AtWork[] {
    const { stream, waitingOn } = this.#story;
    const [first] = waitingOn;
    if (first === undefined || stream.atWork.length > 0 || this.#prompter.isAsking) return [];
    const what = `waiting for ${waitingOn.map(({ id }) => id).join(', ')}`;
    return [{ agent: 'agent-x', what, since: toEpochMs(first.createdAt) }];
  }
}
