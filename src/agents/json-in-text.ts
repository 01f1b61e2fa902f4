import { readJsonPrefix } from '../protocol/json-prefix.js';

/*
 * Finds the JSON in what a model writes: bare or in a fence, with prose around it, whole or spoilt. Blocks do not nest:
 * what stands inside one is part of it. Code of other languages is passed over, unless the fence opens with a bracket.
 */

export interface JsonBlock {
  /** Where it stands in the text, its fence included. */
  readonly start: number;
  readonly end: number;
  /** What is between the fences, from the first bracket on. */
  readonly json: string;
  /** Undefined where it does not parse. */
  readonly value: object | undefined;
  /** `code`: a fence that names another language than JSON. */
  readonly form: 'bare' | 'json' | 'code';
}

const FENCE_OR_BRACKET = /^[ \t]*(`{3,}|~{3,})[ \t]*([^\s`{]*)[^\n\r`]*$|[{[]/gm;
/** Objects as they are written by those who do not mind the rules: any quotes around the first key, or none. */
const OBJECT = /\{\s*(?:["'\u201c\u201d]|[A-Za-z_][\w-]*\s*:)/y;
const LIST_OR_OBJECT = new RegExp(`(?:\\[\\s*)?${OBJECT.source}`, 'y');
/** Whole texts are put into fences like these, with what they hold unchanged. */
const PROSE = ['md', 'markdown', 'text', 'txt', 'plaintext'];

export function* jsonBlocksIn(text: string): Generator<JsonBlock> {
  const search = new RegExp(FENCE_OR_BRACKET);
  for (let found = search.exec(text); found !== null; found = search.exec(text)) {
    const [{ length }, marks, language = ''] = found;
    const { index } = found;
    const { block, end } =
      marks === undefined ? bareBlock(text, index) : fencedBlock(text, index, { length, marks, language });
    if (block !== undefined) yield block;
    search.lastIndex = end;
  }
}

interface Passed {
  readonly block?: JsonBlock;
  readonly end: number;
}

interface Opening {
  readonly length: number;
  readonly marks: string;
  readonly language: string;
}

function fencedBlock(text: string, start: number, { length, marks, language }: Opening): Passed {
  const opened = start + length;
  const closing = new RegExp(`^[ \\t]*\\${marks[0]}{${marks.length},}[ \\t]*$`, 'gm');
  closing.lastIndex = opened;
  const close = closing.exec(text);
  const closed = close === null ? text.length : close.index + close[0].length;
  const inside = text.slice(opened, close?.index);
  const json = inside.trim();
  if (!/^[{[]/.test(json)) return { end: mayHoldProse(language) ? opened : closed };
  const found = blockAt(json);
  const form = language === '' || /^json/i.test(language) ? 'json' : 'code';
  // Something may stand behind the JSON: in a fence that was not closed, or that closes behind what was said last.
  const end = found.end === json.length ? closed : text.indexOf(json, opened) + found.end;
  return { block: { ...found, start, end, form }, end };
}

function mayHoldProse(language: string): boolean {
  return language === '' || PROSE.includes(language.toLowerCase());
}

/** Lists are common in prose, so that a bare one counts only where the text begins with it. */
function bareBlock(text: string, start: number): Passed {
  const opening = start === 0 ? LIST_OR_OBJECT : OBJECT;
  opening.lastIndex = start;
  if (!opening.test(text)) return { end: start + 1 };
  const found = blockAt(text.slice(start));
  const end = start + found.end;
  return { block: { ...found, start, end, form: 'bare' }, end };
}

function blockAt(text: string): Pick<JsonBlock, 'json' | 'value' | 'end'> {
  const { value, state, end } = readJsonPrefix(text);
  const isWhole = (state === 'whole' || state === 'followed') && typeof value === 'object' && value !== null;
  const until = isWhole ? end : endOfBrackets(text);
  return { json: text.slice(0, until).trimEnd(), value: isWhole ? value : undefined, end: until };
}

/** Behind the bracket that closes the first one; the end of the text if none does. A line break ends a string. */
function endOfBrackets(text: string): number {
  let open = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at++;
      else if (character === '"' || character === '\n') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') open++;
    else if ((character === '}' || character === ']') && --open === 0) return at + 1;
  }
  return text.length;
}
