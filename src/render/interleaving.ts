import type { ClarificationRecord, ThreadEntry } from '../protocol/clarification.js';

/**
 * Knows which threads are shown at the same time. While there are several, an agent's name alone does not say which
 * question it answers.
 */
export class Interleaving {
  readonly #open = new Set<string>();
  #last: string | undefined;

  /** Whether the next entry of this thread must name its thread. */
  isNeeded({ id }: ClarificationRecord, { type }: ThreadEntry): boolean {
    const isElsewhere = this.#last !== undefined && this.#last !== id;
    const isNeeded = isElsewhere || [...this.#open].some((other) => other !== id);
    this.#last = id;
    if (type === 'question') this.#open.add(id);
    if (type === 'resolution' || type === 'escalation') this.#open.delete(id);
    return isNeeded;
  }

  /** Call this when the thread is no longer waited for. */
  forget(id: string): void {
    this.#open.delete(id);
  }
}
