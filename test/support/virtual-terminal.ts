const UNFINISHED = new RegExp(`${String.fromCharCode(27)}(?:\\[\\??[\\d;]*)?$`);

/** A terminal in memory that understands as much as our own output uses, and remembers what scrolled away. */
export class VirtualTerminal {
  columns: number;
  rows: number;
  /** Everything, from the first line that was ever written. */
  readonly #lines: string[][] = [[]];
  #row = 0;
  #column = 0;
  #top = 0;
  readonly writes: string[] = [];
  /** The beginning of an escape whose end has not come yet: what a program writes comes in pieces of any size. */
  #begun = '';

  constructor({ columns = 80, rows = 24 } = {}) {
    this.columns = columns;
    this.rows = rows;
  }

  write(text: string): void {
    this.writes.push(text);
    const all = this.#begun + text;
    this.#begun = UNFINISHED.exec(all)?.[0] ?? '';
    const [plainText = '', ...sequences] = all.slice(0, all.length - this.#begun.length).split('\u001b[');
    for (const character of plainText) this.#put(character);
    for (const part of sequences) {
      const [steering = '', parameters = '', command = ''] = /^(\??[\d;]*)([A-Za-z])/.exec(part) ?? [];
      this.#steer(command, parameters);
      for (const character of part.slice(steering.length)) this.#put(character);
    }
  }

  /** What is on the screen and above it, without the empty lines at the end. */
  text(): string {
    return this.#lines
      .map((line) =>
        Array.from(line, (cell) => cell ?? ' ')
          .join('')
          .trimEnd(),
      )
      .join('\n')
      .trimEnd();
  }

  #put(character: string): void {
    if (character === '\r') this.#column = 0;
    else if (character === '\n') {
      this.#row += 1;
      this.#column = 0; // Terminals do this for us while output is processed.
      this.#scroll();
    } else {
      if (this.#column >= this.columns) {
        this.#column = 0;
        this.#row += 1;
        this.#scroll();
      }
      this.#line()[this.#column] = character;
      this.#column += 1;
    }
  }

  #steer(command: string, parameters: string): void {
    const [first = 0, second = 0] = parameters.split(';').map(Number);
    if (command === 'A') this.#row = Math.max(this.#top, this.#row - Math.max(1, first));
    if (command === 'H') {
      this.#row = this.#top + Math.max(1, first) - 1;
      this.#column = Math.max(1, second) - 1;
    }
    if (command === 'K') this.#line().splice(Math.min(this.#column, this.columns - 1));
    if (command === 'J' && first === 2) this.#lines.splice(this.#top);
    if (command === 'J' && first === 0) {
      this.#line().splice(this.#column);
      this.#lines.splice(this.#row + 1);
    }
  }

  #line(): string[] {
    while (this.#lines.length <= this.#row) this.#lines.push([]);
    return this.#lines[this.#row] ?? [];
  }

  #scroll(): void {
    this.#line();
    this.#top = Math.max(this.#top, this.#row - this.rows + 1);
  }
}
