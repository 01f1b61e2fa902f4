import type { QuestionSummary } from '../../../src/protocol/question-summary.js';

type Asked = Pick<QuestionSummary, 'id' | 'createdAt'>;

/** Which open questions a person has not been told of; each is told once. */
export class Announcements {
  readonly #told: Set<string>;

  /** What was open before the window opened is in the inbox already and is not told. */
  constructor(told: Iterable<string> = []) {
    this.#told = new Set(told);
  }

  /** Those to tell now. Without a focus, none: another window may have it. */
  due(open: readonly Asked[], { isFocused }: { readonly isFocused: boolean }): readonly string[] {
    if (!isFocused) return [];
    const fresh = open.filter(({ id }) => !this.#told.has(id)).map(({ id }) => id);
    for (const id of fresh) this.#told.add(id);
    return fresh;
  }

  /** Told by another window, or ended. */
  forget(ids: Iterable<string>): void {
    for (const id of ids) this.#told.add(id);
  }
}
