import type { App } from '../../app/app.js';
import type { ClarificationRecord, ThreadEntry } from '../../protocol/clarification.js';
import type { ClarificationEventPayload } from '../../protocol/events.js';
import { escalationQuestionId } from '../../protocol/ids.js';
import { renderEntry } from '../../render/conversation.js';
import { Interleaving } from '../../render/interleaving.js';
import { plainLine } from '../../render/plain-text.js';
import { answerCommand } from '../../render/thread.js';
import type { CommandLine } from '../command-line.js';
import { pageLink } from '../page-link.js';

type HubResult = Awaited<ReturnType<App['ask']>>;

/** Each event, with the type of thread entry that it announces. */
const ENTRY_OF_EVENT = [
  ['clarification-requested', 'question'],
  ['clarification-answered', 'answer'],
  ['clarification-resolved', 'resolution'],
  ['clarification-escalated', 'escalation'],
] as const;

/** Carries out a verb of the hub and prints the conversation while it happens. */
export async function streaming(line: CommandLine, work: () => Promise<HubResult>): Promise<HubResult> {
  const stream = new Stream(line);
  try {
    const result = await work();
    await stream.end();
    // Entries by other processes sent no event here.
    stream.printNews(result.record);
    return result;
  } finally {
    await stream.end();
  }
}

class Stream {
  /** How many entries of each thread are printed or were there before. */
  readonly #shownCounts = new Map<string, number>();
  readonly #interleaving = new Interleaving();
  readonly #subscriptions: readonly (() => void)[];
  #queue: Promise<void> = Promise.resolve();

  constructor(private readonly line: CommandLine) {
    const { bus } = line.app();
    this.#subscriptions = ENTRY_OF_EVENT.map(([name, type]) => bus.on(name, (payload) => this.#follow(payload, type)));
  }

  async end(): Promise<void> {
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    await this.#queue;
  }

  printNews(record: ClarificationRecord): void {
    const shownCount = this.#shownCounts.get(record.id);
    if (shownCount === undefined) return;
    for (const entry of record.thread.slice(shownCount)) this.#print(record, entry);
    this.#shownCounts.set(record.id, record.thread.length);
  }

  #follow({ clarificationId, round }: ClarificationEventPayload, type: ThreadEntry['type']): void {
    const read = async () => {
      const record = await this.line.app().showClarification(clarificationId);
      if (!this.#shownCounts.has(record.id)) {
        const first = record.thread.findIndex((entry) => entry.round === round && entry.type === type);
        this.#shownCounts.set(record.id, first === -1 ? record.thread.length : first);
      }
      this.printNews(record);
    };
    // A failure to show something does not undo what was said; the result of the verb follows.
    this.#queue = this.#queue
      .then(read)
      .catch((error: unknown) => this.line.out.note(`warning: ${plainLine(String(error))}`));
  }

  #print(record: ClarificationRecord, entry: ThreadEntry): void {
    const { out } = this.line;
    const showsId = this.#interleaving.isNeeded(record, entry);
    const { paint, width } = out;
    out.print(renderEntry(record, entry, { paint, showsId, ...(out.isTerminal ? { width } : {}) }));
    if (entry.type !== 'escalation') return;
    out.print(`  Answer: ${answerCommand(record.id, entry.round)}`);
    const link = pageLink(this.line, { view: 'inbox', id: escalationQuestionId(record.id, entry.round) });
    if (link !== undefined) out.print(`  Or on the page: ${link}`);
  }
}
