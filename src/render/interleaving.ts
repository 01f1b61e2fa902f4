import type { ClarificationRecord, ThreadEntry } from '../protocol/clarification.js';

/** Knows which threads are told at the same time: while there are several, a name alone does not say who answers what. */
export class Interleaving {
  readonly #open = new Set<string>();
  #last: string | undefined;

  /** Whether the next entry of this thread has to say to which one it belongs. */
  isNeeded({ id }: ClarificationRecord, { type }: ThreadEntry): boolean {
    const isElsewhere = this.#last !== undefined && this.#last !== id;
    const isNeeded = isElsewhere || [...this.#open].some((other) => other !== id);
    this.#last = id;
    if (type === 'question') this.#open.add(id);
    if (type === 'resolution' || type === 'escalation') this.#open.delete(id);
    return isNeeded;
  }

  /** Nobody waits for this one any more. */
  forget(id: string): void {
    this.#open.delete(id);
  }
}
