import { Story } from '../../app/story.js';
import type { Question } from '../../protocol/question.js';
import { toEpochMs } from '../../protocol/timestamp.js';
import { type AtWork, renderLive } from '../../render/live-line.js';
import type { CommandLine } from '../command-line.js';
import { pageLink } from '../page-link.js';
import { InPlace } from '../prompt/in-place.js';
import type { Key } from '../prompt/keyboard.js';
import type { PromptView } from '../prompt/prompt-lines.js';
import { Prompter } from '../prompt/prompter.js';

export interface StageOptions {
  /** Whether changing lines show which agents work. */
  readonly isLive: boolean;
  /** Whether the person at the terminal is asked. */
  readonly asksInPlace: boolean;
  /** Whether the run stays until people or fallbacks have decided. Default: it does. */
  readonly waits?: boolean;
  /** Whether the person is asked this question. Default: every one. */
  readonly asks?: (question: Question) => boolean;
  /**
   * The page on which questions can be answered, instead of that of the running server; it is printed beside every
   * question.
   */
  readonly page?: string;
  /** Whether several runs are shown at once. */
  readonly showsIssue?: boolean;
  /** Whether to show what agents' programs write on stderr. */
  readonly isVerbose?: boolean;
  /** Ctrl-C, if it does not come as a signal. */
  readonly interrupt: () => void;
}

/** Shows a run: prints what happens, shows which agents work, and asks the person who watches. */
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
    this.#story = new Story({
      app,
      print,
      view: {
        paint: out.paint,
        you: principal,
        isLive,
        asksInPlace,
        waits,
        showsIssue,
        isVerbose,
        get width() {
          return out.isTerminal ? out.width : undefined;
        },
      },
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
      // The demo is in a folder of its own, where a command that is copied would not find it.
      left: ({ id }) =>
        print(`  Left open. Any key asks again.${page === undefined ? ` Answer: agentx inbox answer ${id}` : ''}`),
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

  /** When this resolves, everything that happened is printed. */
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

  /** While no agent works and no question is asked here, it says what the run waits for. */
  #patience(): readonly AtWork[] {
    const { stream, waitingOn } = this.#story;
    const [first] = waitingOn;
    if (first === undefined || stream.atWork.length > 0 || this.#prompter.isAsking) return [];
    const what = `waiting for ${waitingOn.map(({ id }) => id).join(', ')}`;
    return [{ agent: 'agent-x', what, since: toEpochMs(first.createdAt) }];
  }
}
