import type { Journal } from '../ports/journal.js';
import { type Run, type RunEvent, transition } from '../protocol/run.js';

/**
 * The run as this process knows it, ahead of its journal. Work that is not written when the process dies is done again
 * and ends in the same events, so quick work can wait for the next write; events are written in order.
 */
export class JournalBuffer {
  #unwritten: RunEvent[] = [];
  #deferred: Promise<unknown>[] = [];
  #writing: Promise<void> = Promise.resolve();
  #run: Run;
  /** Whether the journal is behind. */
  #isBusy = false;

  constructor(
    run: Run,
    private readonly journal: Journal,
  ) {
    this.#run = run;
  }

  get run(): Run {
    return this.#run;
  }

  append(events: readonly RunEvent[]): void {
    for (const event of events) this.#run = transition(this.#run, event);
    this.#unwritten.push(...events);
    this.#isBusy ||= events.length > 0;
  }

  /** Takes over what other processes have added; true if they did. A pending write will do that by itself. */
  async refresh(): Promise<boolean> {
    const runBefore = this.#run;
    const storedRun = await this.journal.read();
    if (this.#run !== runBefore || this.#isBusy || storedRun?.id !== runBefore.id) return false;
    this.#run = storedRun;
    return storedRun.journal.length > runBefore.journal.length;
  }

  /** Work that later events depend on: the journal may be behind it, never ahead. */
  defer(work: Promise<unknown>): void {
    // The next flush reports its failure.
    work.catch(() => {});
    this.#deferred.push(work);
  }

  /** Resolves when everything so far is in the journal. After a failed write nothing more is written. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      const events = this.#unwritten.splice(0);
      await Promise.all(this.#deferred.splice(0));
      if (events.length === 0) return;
      this.#isBusy = true;
      const storedRun = await this.journal.append(events);
      this.#run = this.#unwritten.reduce(transition, storedRun);
      this.#isBusy = this.#unwritten.length > 0;
    });
    // The failure of a write that no caller waits for is reported by the next flush.
    this.#writing.catch(() => {});
    return this.#writing;
  }
}
