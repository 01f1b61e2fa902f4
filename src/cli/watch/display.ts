import type { Terminal } from '../run/live-screen.js';

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[H\u001b[2J';
const LEAVE = '\u001b[?25h\u001b[?1049l';

/**
 * Draws on the terminal's second screen, so that the user's own comes back untouched. Only changed lines are written.
 */
export class Display {
  #shownLines: readonly string[] = [];
  #size = '';

  constructor(private readonly terminal: Terminal) {
    terminal.write(ENTER);
  }

  show(lines: readonly string[]): void {
    const { columns, rows } = this.terminal;
    const size = `${columns}x${rows}`;
    // A resized window may show anything.
    const isNew = size !== this.#size;
    const linesBefore = isNew ? [] : this.#shownLines;
    const count = Math.max(lines.length, linesBefore.length);
    const changes = Array.from({ length: count }, (_, row) =>
      lines[row] === linesBefore[row] ? '' : `\u001b[${row + 1};1H${lines[row] ?? ''}\u001b[K`,
    );
    const text = `${isNew ? '\u001b[2J' : ''}${changes.join('')}`;
    if (text !== '') this.terminal.write(text);
    this.#shownLines = lines;
    this.#size = size;
  }

  close(): void {
    this.terminal.write(LEAVE);
  }
}
