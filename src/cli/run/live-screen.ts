import type { WriteStream } from 'node:tty';
import { columnsOf } from '../../render/columns.js';
import { plainText } from '../../render/plain-text.js';

/** What a screen needs of a terminal. */
export interface Terminal {
  write(text: string): void;
  readonly columns: number;
  readonly rows: number;
}

/** A terminal that does not know its size reports 0. */
export function terminalOf(stream: WriteStream): Terminal {
  return {
    write: (text) => void stream.write(text),
    get columns() {
      return stream.columns || 80;
    },
    get rows() {
      return stream.rows || 24;
    },
  };
}

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const CLEAR_LINE_END = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/**
 * The lower end of a terminal: printed text scrolls away, and below it a few lines change in place. Every change is one
 * write, so that no half-drawn state is visible. The lines must be shorter than the terminal is wide.
 */
export class LiveScreen {
  /** The lines below the printed text now; the cursor is at their end. */
  #shownLines: readonly string[] = [];

  constructor(
    private readonly terminal: Terminal,
    /** Where printed text goes: the same terminal, or a file if stdout is redirected. */
    private readonly printer: (text: string) => void,
  ) {}

  print(text: string): void {
    const lines = this.#shownLines;
    this.#erase();
    this.printer(`${text}\n`);
    this.show(lines);
  }

  show(allLines: readonly string[]): void {
    const lines = allLines.slice(-Math.max(1, this.terminal.rows - 1));
    if (lines.length === this.#shownLines.length && lines.every((line, index) => line === this.#shownLines[index]))
      return;
    if (lines.length === 0) {
      this.#erase();
      return;
    }
    const start = this.#shownLines.length === 0 ? HIDE_CURSOR : this.#toStart();
    const text = lines.map((line) => `${line}${CLEAR_LINE_END}`).join('\n');
    this.terminal.write(`${start}${text}${CLEAR_BELOW}`);
    this.#shownLines = lines;
  }

  /** Leaves the terminal as a command that ends should. */
  end(): void {
    this.#erase();
  }

  #erase(): void {
    if (this.#shownLines.length === 0) return;
    this.terminal.write(`${this.#toStart()}${CLEAR_BELOW}${SHOW_CURSOR}`);
    this.#shownLines = [];
  }

  /** A terminal that became narrower has wrapped the old lines. */
  #toStart(): string {
    const { columns } = this.terminal;
    const rows = this.#shownLines.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(columnsOf(plainText(line)) / Math.max(1, columns))),
      0,
    );
    return rows > 1 ? `\r\u001b[${rows - 1}A` : '\r';
  }
}
