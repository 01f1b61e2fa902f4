import { randomUUID } from 'node:crypto';
import type { App } from '../app/create-app.js';
import type { ChangedKind } from '../ports/changes.js';
import { type Looked, lookAt, type Seen } from './differences.js';

export type FeedMessage = Looked & { readonly seq: number };

const KEPT = 2_000;
/** Notices come in bursts: one look serves all that arrive meanwhile. */
const GATHER_MS = 15;

/**
 * What happens in the project, as numbered messages. They are made by looking at the store and comparing with what was
 * there before, so that what this process does, what other processes do and what a person edits by hand are all told
 * in the same way, once.
 */
export class Feed {
  readonly epoch = randomUUID();
  #seq = 0;
  #kept: FeedMessage[] = [];
  #seen: Seen | undefined;
  #dirty = new Set<ChangedKind>();
  #looking: Promise<void> | undefined;
  readonly #listeners = new Set<(message: FeedMessage) => void>();

  constructor(
    private readonly app: App,
    private readonly projectId: string,
  ) {}

  get seq(): number {
    return this.#seq;
  }

  /** Starts from what is there now, which is no news. Returns the function that ends it. */
  async start(): Promise<() => void> {
    this.#seen = (await lookAt(this.app, this.projectId, undefined, ALL)).seen;
    return this.app.watch((kind) => void this.changed(kind));
  }

  /** Something of this kind may have changed. Resolves when it has been looked at. */
  changed(kind: ChangedKind): Promise<void> {
    this.#dirty.add(kind);
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
      if (this.#dirty.size > 0) void this.changed(kind);
    });
    return this.#looking;
  }

  onMessage(listener: (message: FeedMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What came after a number; undefined if that is no longer known, or was never said here. */
  since(seq: number, epoch: string): readonly FeedMessage[] | undefined {
    if (epoch !== this.epoch || seq > this.#seq) return undefined;
    if (seq === this.#seq) return [];
    const oldest = this.#kept[0]?.seq;
    return oldest === undefined || seq < oldest - 1 ? undefined : this.#kept.filter((message) => message.seq > seq);
  }

  async #look(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    const kinds = this.#dirty;
    this.#dirty = new Set();
    try {
      const { seen, messages } = await lookAt(this.app, this.projectId, this.#seen, kinds);
      this.#seen = seen;
      for (const message of messages) this.#tell(message);
    } catch (error) {
      this.app.log.error('looking for changes failed', { error: error instanceof Error ? error.message : error });
    }
  }

  #tell(looked: Looked): void {
    this.#seq += 1;
    const message = { ...looked, seq: this.#seq };
    this.#kept.push(message);
    if (this.#kept.length > KEPT * 2) this.#kept = this.#kept.slice(-KEPT);
    for (const listener of this.#listeners) listener(message);
  }
}

const ALL: ReadonlySet<ChangedKind> = new Set([
  'questions',
  'clarifications',
  'agents',
  'issues',
  'runs',
  'assumptions',
]);
