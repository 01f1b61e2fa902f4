import type { Paint } from '../../../src/render/conversation.js';

/*
 * What the terminal shows, as Markdown. Text of agents is text: nothing in it becomes a link, a heading, code or a
 * formula. The marks of the paint are control characters, which `plainText` takes out of everything that agents write,
 * so that only our own words can be painted.
 */

const STRONG = '\u0001';
const FAINT = '\u0002';

const strong = (text: string): string => (text === '' ? '' : `${STRONG}${text}${STRONG}`);

export const MARKDOWN_PAINT: Paint = {
  name: strong,
  quiet: (text) => (text.trim() === '' ? text : `${FAINT}${text}${FAINT}`),
  good: String,
  waiting: strong,
  alarming: strong,
};

/** Text of which every character is shown as it is. */
export function escaped(text: string): string {
  return text
    .replace(/[\\`*_[\]<>~|$@&]/g, (character) => (character === '&' ? '&amp;' : `\\${character}`))
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/\bwww\./gi, (word) => `${word.slice(0, -1)}\\.`)
    .replace(/^(\s*)([#+=-])/gm, '$1\\$2')
    .replace(/^(\s*\d+)([.)])/gm, '$1\\$2');
}

const BLOCKS = /^\u0001\[(?:ESCALATED|QUESTION)\]/;

/** One piece of the stream as paragraphs; an escalation and a question to a person stand apart as a quotation. */
export function markdownOf(text: string): string {
  // Lines of ours begin at the margin; what agents say is indented, empty lines in it included.
  return text
    .split(/\n{2,}(?=\S)/)
    .map((paragraph) => paragraph.replace(/^\n+|\s+$/g, ''))
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => {
      const lines = paragraph.split('\n').map(lineOf);
      return BLOCKS.test(paragraph) ? quoted(lines) : broken(lines);
    })
    .join('\n\n');
}

/** Text of several lines, every character and every line as it is. */
export function textBlock(text: string): string {
  return broken(text.split('\n').map(lineOf));
}

/** Every line stays a line of its own. */
function broken(lines: readonly string[]): string {
  return lines
    .map((line, index) => (line === '' || lines[index + 1] === '' ? line : `${line}  `))
    .join('\n')
    .trimEnd();
}

/** Lines that stand apart as one quotation. */
export function quoted(lines: readonly string[]): string {
  return broken(lines)
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** A line of its own. One that begins with four blanks would be code, which knows no escapes. */
export function lineOf(line: string): string {
  const [, margin = '', rest = ''] = /^(\s*)(.*)$/.exec(line) ?? [];
  const indent = '&nbsp;'.repeat(margin.length);
  return `${indent}${painted(escaped(rest.replace(/ {2,}/g, ' ').trimEnd()))}`;
}

/** Markdown wants no space inside its marks. */
function painted(text: string): string {
  return text
    .replace(/\u0001\s*([^\u0001]*?)\s*\u0001/g, (_all, inner: string) => (inner === '' ? '' : `**${inner}**`))
    .replace(/\u0002\s*([^\u0002]*?)\s*\u0002/g, (_all, inner: string) => (inner === '' ? '' : `*${inner}*`))
    .replace(/[\u0001\u0002]/g, '');
}
