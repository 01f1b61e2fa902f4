import { columnsOf } from './columns.js';

/** A command with what ends it, or a word. */
const PIECES = /agentx .*?[,.;](?= |$)|agentx .*$|\S+/g;

/**
 * Breaks sentences at spaces, but not within a command: people copy those. What is longer than a line is left to the
 * terminal, and so are lines that are laid out or coloured.
 */
export function wrapSentence(text: string, width = Number.POSITIVE_INFINITY): string {
  return text
    .split('\n')
    .map((line) => (columnsOf(line) <= width || isLaidOut(line) ? line : filled(line.match(PIECES) ?? [], width)))
    .join('\n');
}

function isLaidOut(line: string): boolean {
  return line.startsWith(' ') || line.includes('  ') || line.includes('\u001b');
}

function filled(pieces: readonly string[], width: number): string {
  const lines: string[] = [];
  for (const piece of pieces) {
    const longer = `${lines.at(-1)} ${piece}`;
    if (lines.length > 0 && columnsOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(piece);
  }
  return lines.join('\n');
}
