import type { Question } from '../../protocol/question.js';
import { toEpochMs } from '../../protocol/timestamp.js';
import { type AtWork, renderLive } from '../../render/live-line.js';
import type { CommandLine } from '../command-line.js';
import { pageLink } from '../page-link.js';
import { InPlace } from '../prompt/in-place.js';
import type { Key } from '../prompt/keyboard.js';
import type { PromptView } from '../prompt/prompt-lines.js';
import { Prompter } from '../prompt/prompter.js';
import { Story } from './story.js';

export interface StageOptions {
  /** Lines that change in place show who is at work. */
  readonly isLive: boolean;
  /** The person at the terminal is asked. */
  readonly asksInPlace: boolean;
  /** The run stays until people or fallbacks have decided; where it is not said, it does. */
  readonly waits?: boolean;
  /** Whether the person is asked this one; every one where it is left out. */
  readonly asks?: (question: Question) => boolean;
  /** Where questions can be answered in a browser, instead of at the server that runs; stands beside every one of them. */
  readonly page?: string;
  /** Several runs are shown at once. */
  readonly showsIssue?: boolean;
  /** What agents' programs write on stderr is shown. */
  readonly isVerbose?: boolean;
  /** Ctrl-C, where it does not come as a signal. */
  readonly interrupt: () => void;
}

/** Where a run is watched: prints what happens, shows who is at work, and asks the person who watches. */
export class Stage {
  readonly #story: Story;
  readonly #prompter: Prompter;
  readonly #place: InPlace | undefined;

  constructor(
    private readonly line: CommandLine,
    options: StageOptions,
  ) {
    const { out, principal } = line;
    const {
      isLive,
      asksInPlace,
      waits = true,
      showsIssue = false,
      isVerbose = false,
      asks = () => true,
      page,
    } = options;
    const app = line.app();
    const print = (text: string) => this.print(text);
    const width = out.isTerminal ? { width: out.width } : {};
    this.#story = new Story({
      app,
      print,
      view: { paint: out.paint, you: principal, isLive, asksInPlace, waits, showsIssue, isVerbose, ...width },
      asked: (question) => {
        const shownAt = page ?? pageLink(line, { view: 'inbox', id: question.id });
        if (asks(question) && shownAt !== undefined) {
          print(`${asksInPlace ? '\n  Answer below, or' : '  Or'} on the page:\n  ${shownAt}`);
        }
        if (asks(question) && asksInPlace && question.status === 'open') this.#prompter.add(question);
        this.#place?.draw();
      },
    });
    this.#prompter = new Prompter({
      app,
      principal,
      say: print,
      ended: (question) => this.#story.ended(question),
      left: ({ id }) => print(`  Left open. Any key asks again. Answer: agentx inbox answer ${id}`),
    });
    const press = asksInPlace ? { press: (key: Key) => this.#prompter.press(key) } : {};
    const look = () => this.#prompter.look();
    const lines = (view: PromptView) => this.#lines(view);
    this.#place = isLive ? new InPlace(line, { lines, look, interrupt: options.interrupt, ...press }) : undefined;
  }

  print(text: string): void {
    if (this.#place === undefined) this.line.out.print(text);
    else this.#place.print(text);
  }

  /** Everything that happened is printed when this resolves. */
  async close(): Promise<void> {
    await this.#story.close();
    this.#place?.close();
  }

  #lines(view: PromptView): readonly string[] {
    const prompt = this.#prompter.lines(view);
    const atWork = [...this.#story.stream.atWork, ...this.#patience()];
    const work = renderLive(atWork, { ...view, now: toEpochMs(view.now) });
    return [...work.slice(0, Math.max(0, view.rows - prompt.length - 1)), ...prompt];
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
