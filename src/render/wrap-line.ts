import { columnsOf } from './columns.js';

/** Breaks at spaces; a word longer than a line is cut. The width is counted in columns of a terminal. */
export function wrapLine(line: string, width: number): readonly string[] {
  // Even the narrowest window shows one character a line.
  const room = Math.max(1, width);
  if (line.length * 2 <= room) return [line];
  const characters = [...line];
  const lines: string[] = [];
  let start = 0;
  let columns = 0;
  /** The last space behind some text, not one of the indent. */
  let space = -1;
  let hasText = false;
  for (const [at, character] of characters.entries()) {
    columns += columnsOf(character);
    if (columns > room && at > start) {
      const end = character === ' ' || space === -1 ? at : space;
      lines.push(characters.slice(start, end).join(''));
      start = characters[end] === ' ' ? end + 1 : end;
      columns = columnsOf(characters.slice(start, at + 1).join(''));
      space = -1;
      hasText = at >= start;
    } else if (character !== ' ') hasText = true;
    else if (hasText) space = at;
  }
  return [...lines, characters.slice(start).join('')];
}
