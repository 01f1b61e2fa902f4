import type { Terminal } from '../run/live-screen.js';

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[H\u001b[2J';
const LEAVE = '\u001b[?25h\u001b[?1049l';

/** A whole screen of lines beside the user's own, which comes back untouched. Only lines that changed are written. */
export class Display {
  #shown: readonly string[] = [];
  #size = '';

  constructor(private readonly terminal: Terminal) {
    terminal.write(ENTER);
  }

  show(lines: readonly string[]): void {
    const { columns, rows } = this.terminal;
    const size = `${columns}x${rows}`;
    // Nobody knows what a resized window shows.
    const isNew = size !== this.#size;
    const before = isNew ? [] : this.#shown;
    const count = Math.max(lines.length, before.length);
    const changes = Array.from({ length: count }, (_, row) =>
      lines[row] === before[row] ? '' : `\u001b[${row + 1};1H${lines[row] ?? ''}\u001b[K`,
    );
    const text = `${isNew ? '\u001b[2J' : ''}${changes.join('')}`;
    if (text !== '') this.terminal.write(text);
    this.#shown = lines;
    this.#size = size;
  }

  close(): void {
    this.terminal.write(LEAVE);
  }
}
