import type { App } from '../../app/create-app.js';
import type { ThreadEntry } from '../../protocol/clarification.js';
import type { ClarificationEventPayload } from '../../protocol/events.js';
import type { Question } from '../../protocol/question.js';
import { toEpochMs } from '../../protocol/timestamp.js';
import { renderLive } from '../../render/live-line.js';
import { plainLine } from '../../render/plain-text.js';
import { RunStream, type RunStreamView, type ToldEvent } from '../../render/run-stream.js';
import { requireRecord } from '../clarify/require-record.js';
import type { CommandLine } from '../command-line.js';
import { Keyboard } from '../prompt/keyboard.js';
import { Prompter } from '../prompt/prompter.js';
import { followAll } from './events.js';
import { LiveScreen, terminalOf } from './live-screen.js';

export interface StageOptions {
  /** Lines that change in place show who is at work. */
  readonly isLive: boolean;
  /** The person at the terminal is asked. */
  readonly asksInPlace: boolean;
  /** Whether the person is asked this one; every one where it is left out. */
  readonly asks?: (question: Question) => boolean;
  /** Several runs are shown at once. */
  readonly showsIssue?: boolean;
  /** Ctrl-C, where it does not come as a signal. */
  readonly interrupt: () => void;
}

const TICK_MS = 150;
const LOOK_MS = 450;

/** Which entry of a thread an event tells of. */
const ENTRIES = {
  'clarification-requested': 'question',
  'clarification-answered': 'answer',
  'clarification-resolved': 'resolution',
  'clarification-escalated': 'escalation',
} as const;

/** Where a run is watched: prints what happens, shows who is at work, and asks the person who watches. */
export class Stage {
  readonly #app: App;
  readonly #stream: RunStream;
  readonly #screen: LiveScreen | undefined;
  readonly #prompter: Prompter;
  readonly #keyboard: Keyboard | undefined;
  readonly #unfollow: () => void;
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #close: () => void;
  /** How many entries of a thread are printed. */
  readonly #known = new Map<string, number>();
  readonly #presented = new Map<string, Question>();
  /** Things happen in order, also where something has to be read before it can be told. */
  #queue: Promise<void> = Promise.resolve();
  #waitingOn: readonly string[] = [];

  constructor(
    private readonly line: CommandLine,
    private readonly options: StageOptions,
  ) {
    const { out, principal } = line;
    this.#app = line.app();
    const view: RunStreamView = {
      paint: out.paint,
      you: principal,
      isLive: options.isLive,
      asksInPlace: options.asksInPlace,
      showsIssue: options.showsIssue === true,
      ...(out.isTerminal ? { width: out.width } : {}),
    };
    this.#stream = new RunStream(view);
    this.#screen = options.isLive ? new LiveScreen(terminal, (text) => process.stdout.write(text)) : undefined;
    this.#prompter = new Prompter({
      app: this.#app,
      principal,
      say: (text) => this.print(text),
      ended: (question) => this.#tellDecision(question),
    });
    this.#unfollow = followAll(this.#app, (event) => this.#enqueue(() => this.#follow(event)));
    this.#keyboard = options.asksInPlace ? this.#openKeyboard() : undefined;
    this.#timers = [setInterval(() => this.#draw(), TICK_MS), setInterval(() => this.#look(), LOOK_MS)];
    // Whatever ends us, the terminal is given back.
    this.#close = () => this.#giveBack();
    process.once('exit', this.#close);
  }

  print(text: string): void {
    if (this.#screen === undefined) this.line.out.print(text);
    else this.#screen.print(text);
  }

  /** Everything that happened is printed when this resolves. */
  async close(): Promise<void> {
    this.#unfollow();
    await this.#queue;
    for (const timer of this.#timers) clearInterval(timer);
    process.off('exit', this.#close);
    this.#giveBack();
  }

  #giveBack(): void {
    this.#screen?.end();
    this.#keyboard?.close();
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

  #look(): void {
    this.#attempt(this.#prompter.look());
  }

  #draw(): void {
    if (this.#screen === undefined) return;
    const { paint } = this.line.out;
    const now = this.#app.clock.now();
    const view = { paint, width: terminal.columns - 1, rows: terminal.rows - 1, now };
    const prompt = this.#prompter.lines(view);
    const work = renderLive([...this.#stream.atWork, ...this.#patience()], { ...view, now: toEpochMs(now) });
    const space = Math.max(0, view.rows - prompt.length - 1);
    const lines = [...work.slice(0, space), ...prompt];
    this.#screen.show(lines.length > 0 && lines.length < view.rows ? ['', ...lines] : lines);
  }

  /** While nobody works and nothing is asked here, it says what the run waits for. */
  #patience() {
    const isQuiet = this.#stream.atWork.length === 0 && !this.#prompter.isAsking;
    const open = this.#waitingOn.filter((id) => this.#presented.get(id)?.status === 'open');
    const since = this.#presented.get(open[0] ?? '')?.createdAt;
    if (!isQuiet || since === undefined) return [];
    return [{ agent: 'agent-x', what: `waiting for ${open.join(', ')}`, since: toEpochMs(since) }];
  }

  #enqueue(work: () => Promise<void> | void): void {
    // What cannot be shown does not undo what happened.
    this.#queue = this.#queue.then(work).catch((error: unknown) => {
      this.print(`warning: ${plainLine(String(error))}`);
    });
  }

  async #follow(event: ToldEvent): Promise<void> {
    const { name, payload } = event;
    switch (name) {
      case 'clarification-requested':
      case 'clarification-answered':
      case 'clarification-resolved':
      case 'clarification-escalated':
        await this.#tellThread(payload, ENTRIES[name]);
        break;
      case 'notification-added':
        await this.#present(payload.notification.id);
        break;
      case 'notification-resolved':
        await this.#tellEnded(payload.notificationId);
        break;
      case 'run-paused':
        this.#waitingOn = payload.waitingOn;
        for (const id of payload.waitingOn) await this.#present(id);
        break;
      case 'run-resumed':
        this.#waitingOn = [];
        for (const id of this.#presented.keys()) await this.#tellEnded(id);
        break;
      default:
        this.#say(this.#stream.tell(event));
    }
    this.#draw();
  }

  #say(text: string | undefined): void {
    if (text !== undefined) this.print(text);
  }

  async #tellThread({ clarificationId, round }: ClarificationEventPayload, type: ThreadEntry['type']): Promise<void> {
    const record = await requireRecord(this.#app, clarificationId);
    const first = record.thread.findIndex((entry) => entry.round === round && entry.type === type);
    const known = this.#known.get(record.id) ?? (first === -1 ? record.thread.length : first);
    this.#known.set(record.id, record.thread.length);
    for (const entry of record.thread.slice(known)) this.#say(this.#stream.tellEntry(record, entry));
  }

  /** Shows a question once, with what led to it, also one that an earlier process opened. */
  async #present(id: string): Promise<void> {
    if (this.#presented.has(id)) return;
    const question = await this.#app.showQuestion(id);
    this.#presented.set(id, question);
    if (question.kind === 'escalation' && !this.#known.has(question.sourceId)) {
      const record = await requireRecord(this.#app, question.sourceId);
      const entry = record.thread.findLast(({ type }) => type === 'escalation');
      this.#known.set(record.id, record.thread.length);
      if (entry !== undefined) this.#say(this.#stream.tellEntry(record, entry));
    }
    const timestamp = toEpochMs(question.createdAt);
    const payload = { projectId: question.projectId, notification: question, timestamp };
    this.#say(this.#stream.tell({ name: 'notification-added', payload }));
    if (this.options.asksInPlace && (this.options.asks?.(question) ?? true)) this.#prompter.add(question);
  }

  async #tellEnded(id: string): Promise<void> {
    if (this.#presented.get(id)?.status !== 'open') return;
    this.#tellDecision(await this.#app.showQuestion(id));
  }

  #tellDecision(question: Question): void {
    this.#presented.set(question.id, question);
    this.#say(this.#stream.tellDecision(question));
  }
}

/** Talk is for stderr, and so is what changes in place: stdout may be a file. */
const terminal = terminalOf(process.stderr);
