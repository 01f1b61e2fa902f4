import type { ClarificationRecord } from '../protocol/clarification.js';
import type { Question } from '../protocol/question.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { plainLine } from '../render/plain-text.js';
import { RunStream, type RunStreamView, type ToldEvent } from '../render/run-stream.js';
import type { App } from './app.js';
import { followAll } from './follow-all.js';

export interface StoryOptions {
  readonly app: App;
  readonly view: RunStreamView;
  readonly print: (text: string) => void;
  /** Called once for every question to a person, after it was shown. */
  readonly asked: (question: Question) => void;
}

/** The type of thread entry that each event announces. */
const ENTRIES = {
  'clarification-requested': 'question',
  'clarification-answered': 'answer',
  'clarification-resolved': 'resolution',
  'clarification-escalated': 'escalation',
} as const;

/**
 * Prints what happens in runs, in order. Events only say that an answer came, so the text is read from the ledger
 * first. What other processes did meanwhile is printed with the next event.
 */
export class Story {
  readonly stream: RunStream;
  readonly #unfollow: () => void;
  /** How many entries of each thread are printed. */
  readonly #shownCounts = new Map<string, number>();
  readonly #questions = new Map<string, Question>();
  #queue: Promise<void> = Promise.resolve();
  #waitingOn: readonly string[] = [];

  constructor(private readonly options: StoryOptions) {
    this.stream = new RunStream(options.view);
    this.#unfollow = followAll(options.app, (event) => this.#enqueue(() => this.#follow(event)));
  }

  /** The open questions that a run waits for. */
  get waitingOn(): readonly Question[] {
    return this.#waitingOn.flatMap((id) => this.#questions.get(id) ?? []).filter(({ status }) => status === 'open');
  }

  /** A question that ended, as the prompt found out. */
  ended(question: Question): void {
    this.#enqueue(() => this.#tellDecision(question));
  }

  /** When this resolves, everything that happened is printed. */
  async close(): Promise<void> {
    this.#unfollow();
    await this.#queue;
  }

  #enqueue(work: () => Promise<void>): void {
    // A failure to show something does not undo it.
    this.#queue = this.#queue.then(work).catch((error: unknown) => {
      this.options.print(`warning: ${plainLine(String(error))}`);
    });
  }

  async #follow(event: ToldEvent): Promise<void> {
    const { name, payload } = event;
    switch (name) {
      case 'clarification-requested':
      case 'clarification-answered':
      case 'clarification-resolved':
      case 'clarification-escalated': {
        const { clarificationId, round } = payload;
        // The decision is printed before what follows from it.
        if (name === 'clarification-resolved') await this.#tellEndsOf(clarificationId);
        const record = await this.options.app.showClarification(clarificationId);
        const first = record.thread.findIndex((entry) => entry.round === round && entry.type === ENTRIES[name]);
        return this.#tellNews(record, first === -1 ? record.thread.length : first);
      }
      case 'notification-added':
        return this.#present(payload.notification.id);
      case 'notification-resolved':
        return this.#tellEnd(payload.notificationId);
      case 'run-started':
        this.#say(this.stream.tell(event));
        if (payload.isResumed) await this.#presentWaiting(payload.issueNumber);
        return;
      case 'run-paused':
        this.#waitingOn = payload.waitingOn;
        for (const id of payload.waitingOn) await this.#present(id);
        return;
      case 'run-resumed':
        this.#waitingOn = [];
        for (const id of this.#questions.keys()) await this.#tellEnd(id);
        return;
      default:
        this.#say(this.stream.tell(event));
    }
  }

  #say(text: string | undefined): void {
    if (text !== undefined) this.options.print(text);
  }

  /** Prints the new entries of a thread; for a thread that is new here, those from `first` on. */
  #tellNews(record: ClarificationRecord, first: number): void {
    const from = this.#shownCounts.get(record.id) ?? first;
    this.#shownCounts.set(record.id, record.thread.length);
    for (const entry of record.thread.slice(from)) this.#say(this.stream.tellEntry(record, entry));
  }

  /** Shows the questions that an earlier process paused for, unless they are answered by now. */
  async #presentWaiting(issueNumber: number): Promise<void> {
    const { app } = this.options;
    const { waitingOn = [] } = (await app.latestRun(issueNumber)) ?? {};
    this.#waitingOn = waitingOn;
    for (const id of waitingOn) if ((await app.question(id))?.status === 'open') await this.#present(id);
  }

  /** Shows a question once, with what led to it, even if an earlier process opened it. */
  async #present(id: string): Promise<void> {
    if (this.#questions.has(id)) return;
    const { app } = this.options;
    const question = await app.showQuestion(id);
    this.#questions.set(id, question);
    if (question.kind === 'escalation') {
      const record = await app.showClarification(question.sourceId);
      const escalation = record.thread.findLastIndex(({ type }) => type === 'escalation');
      this.#tellNews(record, escalation === -1 ? record.thread.length : escalation);
    }
    const { projectId, createdAt } = question;
    const payload = { projectId, notification: question, timestamp: toEpochMs(createdAt) };
    this.#say(this.stream.tell({ name: 'notification-added', payload }));
    this.options.asked(question);
  }

  async #tellEndsOf(clarificationId: string): Promise<void> {
    for (const { id, sourceId } of this.#questions.values()) if (sourceId === clarificationId) await this.#tellEnd(id);
  }

  async #tellEnd(id: string): Promise<void> {
    if (this.#questions.get(id)?.status !== 'open') return;
    await this.#tellDecision(await this.options.app.showQuestion(id));
  }

  async #tellDecision(question: Question): Promise<void> {
    this.#questions.set(question.id, question);
    this.#say(this.stream.tellDecision(question));
    if (question.kind !== 'escalation' || question.status === 'open') return;
    const record = await this.options.app.showClarification(question.sourceId);
    this.#tellNews(record, record.thread.length);
  }
}
