import { eolOf, lineStart, splice, splitBom } from './text-file.js';
import { UneditableError } from './uneditable.js';

const BEGIN = '<!-- agentx:begin';
const END = '<!-- agentx:end -->';
const FIRST_LINE = `${BEGIN} written by: agentx mcp install; removed by the same with --uninstall -->`;

/** Puts our text into a file of instructions, between two comments: in the place of the present one, or at the end. */
export function setBlock(text: string, lines: readonly string[]): string {
  const { bom, body } = splitBom(text);
  const eol = eolOf(body);
  const block = [FIRST_LINE, ...lines, END].join(eol);
  const existingRange = rangeOf(body);
  if (existingRange !== undefined) return bom + splice(body, ...existingRange, block);
  if (body === '') return `${bom}${block}${eol}`;
  // A file without a line break at its end gets none, so that removing the block leaves it as it was.
  return body.endsWith('\n') ? `${bom}${body}${eol}${block}${eol}` : `${bom}${body}${eol}${eol}${block}`;
}

/** The text without our block; without the front matter as well if nothing else is left. */
export function removeBlock(text: string): string {
  const { bom, body } = splitBom(text);
  const existingRange = rangeOf(body);
  if (existingRange === undefined) return text;
  const [start, end] = existingRange;
  const before = body.slice(0, start);
  const after = body.slice(end);
  const rest = /^\r?\n/.test(after)
    ? before.replace(/(^|\n)\r?\n$/, '$1') + after.replace(/^\r?\n/, '')
    : before.replace(/\r?\n\r?\n$/, '') + after;
  return /^\s*(?:---\r?\n[\s\S]*?\r?\n---\s*)?$/.test(rest) ? '' : bom + rest;
}

export function hasBlock(text: string): boolean {
  return rangeOf(splitBom(text).body) !== undefined;
}

function rangeOf(body: string): [number, number] | undefined {
  const begins = positionsOf(body, BEGIN);
  const ends = positionsOf(body, END);
  const [begin] = begins;
  const [end] = ends;
  if (begin === undefined && end === undefined) return undefined;
  if (begin === undefined || end === undefined || end < begin || begins.length > 1 || ends.length > 1) {
    throw new UneditableError(
      `has '${BEGIN} ... -->' or '${END}' without the other, or more than one of them`,
      'Remove these lines there by hand, with what is between them, then run this again.',
    );
  }
  return [begin, end + END.length];
}

/** Only at the beginning of a line: elsewhere it is a quotation. */
function positionsOf(body: string, mark: string): readonly number[] {
  const positions: number[] = [];
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + 1)) {
    if (lineStart(body, at) === at) positions.push(at);
  }
  return positions;
}
