import { columnsOf } from './columns.js';

/**
 * A command as we write them, with what ends it. It is short, so that text of an agent cannot pass a line off as ours by
 * looking like one.
 */
const COMMAND =
  /agentx(?: [a-z][a-z-]{0,14}(?![\w-])){1,3}(?: (?:--?[a-z][a-z-]{0,14}|#?\d{1,9}|[A-Za-z]{2,3}-[\w-]{1,40})(?![\w-])){0,3}[,.;:]?/g;

/**
 * Breaks at spaces, but not within a command: people copy those. A word longer than a line is cut; a longer command is
 * left to the terminal, unless the lines are drawn over later and must fit (`isDrawn`). The width is counted in columns
 * of a terminal.
 */
export function wrapLine(line: string, width: number, { isDrawn = false } = {}): readonly string[] {
  // Even the narrowest window shows one character a line.
  const room = Math.max(1, width);
  if (line.length * 2 <= room) return [line];
  const pieces = piecesOf(line, isDrawn ? room : Number.POSITIVE_INFINITY);
  const lines: string[] = [];
  let start = 0;
  let columns = 0;
  /** The last space behind some text, not one of the indent. */
  let space = -1;
  let hasText = false;
  for (const [at, piece] of pieces.entries()) {
    columns += columnsOf(piece);
    if (columns > room && at > start) {
      const end = piece === ' ' || space === -1 ? at : space;
      lines.push(pieces.slice(start, end).join(''));
      start = pieces[end] === ' ' ? end + 1 : end;
      columns = columnsOf(pieces.slice(start, at + 1).join(''));
      space = -1;
      hasText = at >= start;
    } else if (piece !== ' ') hasText = true;
    else if (hasText) space = at;
  }
  return [...lines, pieces.slice(start).join('')];
}

/** Characters, and commands of at most so many columns. */
function piecesOf(line: string, columns: number): readonly string[] {
  let pieces: readonly string[] = [];
  let at = 0;
  for (const { 0: command, index } of line.matchAll(COMMAND)) {
    if (columnsOf(command) > columns) continue;
    pieces = pieces.concat([...line.slice(at, index)], command);
    at = index + command.length;
  }
  return pieces.concat([...line.slice(at)]);
}
