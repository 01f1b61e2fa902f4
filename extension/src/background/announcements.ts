interface OpenQuestion {
  readonly id: string;
  readonly issueNumber: number;
}

/** Which open questions of a project a person has not been told of; each is told once. */
export class Announcements {
  readonly #told: Set<string>;
  /** The issues that a chat of this window carries out, as often as it does. */
  readonly #inChat: number[] = [];

  /** What was open before the window opened is in the inbox already and is not told. */
  constructor(told: Iterable<string> = []) {
    this.#told = new Set(told);
  }

  /** Those to tell now. Without a focus, none: another window may have it. */
  due<T extends OpenQuestion>(open: readonly T[], { isFocused }: { readonly isFocused: boolean }): readonly T[] {
    // A chat tells its questions itself.
    this.forget(open.filter(({ issueNumber }) => this.#inChat.includes(issueNumber)).map(({ id }) => id));
    if (!isFocused) return [];
    const fresh = open.filter(({ id }) => !this.#told.has(id));
    this.forget(fresh.map(({ id }) => id));
    return fresh;
  }

  /** Told elsewhere, or ended. */
  forget(ids: Iterable<string>): void {
    for (const id of ids) this.#told.add(id);
  }

  /** A chat begins to carry out an issue. Call the result with the questions that it has told at its end. */
  carriesInChat(issueNumber: number): (told: readonly string[]) => void {
    this.#inChat.push(issueNumber);
    return (told) => {
      this.forget(told);
      this.#inChat.splice(this.#inChat.indexOf(issueNumber), 1);
    };
  }
}
