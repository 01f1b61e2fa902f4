interface OpenQuestion {
  readonly id: string;
  readonly issueNumber: number;
}

/** The open questions of a project that have had no notification yet. Each gets one. */
export class Announcements {
  readonly #told: Set<string>;
  /** The issues that a chat of this window carries out, as often as it does. */
  readonly #inChat: number[] = [];

  /** A question that was open before the window opened is in the inbox already and gets no notification. */
  constructor(toldIds: Iterable<string> = []) {
    this.#told = new Set(toldIds);
  }

  /** The questions to announce now. Without the focus there are none: another window may have it. */
  due<T extends OpenQuestion>(open: readonly T[], { isFocused }: { readonly isFocused: boolean }): readonly T[] {
    // A chat shows its questions itself.
    this.forget(open.filter(({ issueNumber }) => this.#inChat.includes(issueNumber)).map(({ id }) => id));
    if (!isFocused) return [];
    const freshRecords = open.filter(({ id }) => !this.#told.has(id));
    this.forget(freshRecords.map(({ id }) => id));
    return freshRecords;
  }

  /** Announced elsewhere, or ended. */
  forget(ids: Iterable<string>): void {
    for (const id of ids) this.#told.add(id);
  }

  /** A chat begins to carry out an issue. Call the result at its end, with the questions that it has shown. */
  carriesInChat(issueNumber: number): (told: readonly string[]) => void {
    this.#inChat.push(issueNumber);
    return (toldIds) => {
      this.forget(toldIds);
      this.#inChat.splice(this.#inChat.indexOf(issueNumber), 1);
    };
  }
}
