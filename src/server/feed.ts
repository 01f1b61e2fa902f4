import { randomUUID } from 'node:crypto';
import type { App } from '../app/app.js';
import type { Change } from '../ports/changes.js';
import { messageOf } from '../protocol/errors.js';
import type { FeedMessage, FeedNews } from '../protocol/feed.js';
import type { Question } from '../protocol/question.js';
import { firstLook, lookAgain, type Seen } from './differences.js';

const KEPT = 2_000;
/** Notices come in bursts: one look serves all that arrive meanwhile. */
const GATHER_MS = 15;

/**
 * What happens in the project, as numbered messages. They are made by comparing the store with the last look at it, so
 * that changes by this process, by other processes and by hand are all reported in the same way, once.
 */
export class Feed {
  readonly epoch = randomUUID();
  #seq = 0;
  #kept: FeedMessage[] = [];
  #seen: Seen | undefined;
  #changed = new Map<string, Change>();
  #isLooking = false;
  readonly #listeners = new Set<(message: FeedMessage) => void>();

  constructor(
    private readonly app: App,
    private readonly projectId: string,
  ) {}

  get seq(): number {
    return this.#seq;
  }

  /** As of the last look. */
  openQuestions(): Iterable<Question> {
    return this.#seen?.questions.values() ?? [];
  }

  /** Starts from the present state, which is no news. Returns the function that ends it. */
  async start(): Promise<() => void> {
    const stop = this.app.watch((change) => this.lookAt(change));
    try {
      this.#seen = await firstLook(this.app);
    } catch (error) {
      stop();
      throw error;
    }
    void this.#look();
    return stop;
  }

  onMessage(listener: (message: FeedMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The messages after a number; undefined if they are no longer kept, or the number is not from here. */
  since(seq: number, epoch: string): readonly FeedMessage[] | undefined {
    if (epoch !== this.epoch || seq < 0 || seq > this.#seq) return undefined;
    if (seq === this.#seq) return [];
    const oldest = this.#kept[0]?.seq;
    return oldest === undefined || seq < oldest - 1 ? undefined : this.#kept.filter((message) => message.seq > seq);
  }

  /** Call this when something may have changed there. */
  lookAt(change: Change): void {
    this.#changed.set(`${change.kind} ${change.id}`, change);
    void this.#look();
  }

  async #look(): Promise<void> {
    if (this.#isLooking || this.#seen === undefined) return;
    this.#isLooking = true;
    while (this.#changed.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      const changes = [...this.#changed.values()];
      this.#changed.clear();
      for (const change of changes) await this.#lookAt(this.#seen, change);
    }
    this.#isLooking = false;
  }

  /** One unreadable document does not keep the others from being reported. */
  async #lookAt(seen: Seen, change: Change): Promise<void> {
    try {
      await lookAgain(this.app, seen, change, (news) => this.#tell(news));
    } catch (error) {
      this.app.log.warn('a change could not be read', { ...change, error: messageOf(error) });
    }
  }

  #tell(news: FeedNews): void {
    this.#seq += 1;
    const message: FeedMessage = Object.assign({ type: news.type, projectId: this.projectId }, news, {
      seq: this.#seq,
    });
    this.#kept.push(message);
    if (this.#kept.length > KEPT * 2) this.#kept = this.#kept.slice(-KEPT);
    for (const listener of this.#listeners) listener(message);
  }
}
