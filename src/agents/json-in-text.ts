import { readJsonPrefix } from '../protocol/json-prefix.js';

/*
 * Finds the JSON in what a model writes: bare or in a fence, with prose around it, whole or broken. Blocks do not nest:
 * everything inside one is part of it. Code of other languages is skipped, unless the fence opens with a bracket.
 */

export interface JsonBlock {
  /** Its range in the text, with its fence. */
  readonly start: number;
  readonly end: number;
  /** The text between the fences, from the first bracket on. */
  readonly json: string;
  /** Undefined if it does not parse. */
  readonly value: object | undefined;
  /** `code`: a fence that names another language than JSON. */
  readonly form: 'bare' | 'json' | 'code';
}

const FENCE_OR_BRACKET = /^[ \t]*(`{3,}|~{3,})[ \t]*([^\s`{]*)[^\n\r`]*$|[{[]/gm;
/** Of any language, as the inside of a class. */
export const QUOTES = '"\'\\u2018-\\u201f\\u00ab\\u00bb\\uff02';
/** An object, also in careless spelling: any quotes around the first key, or none, and line breaks written `\n`. */
const OBJECT = new RegExp(`\\{(?:[\\s>]|\\\\[nrt]|//.*\\n)*(?:\\\\?[${QUOTES}]|[A-Za-z_][\\w-]*\\s*:|/\\*)`, 'y');
const LIST_OR_OBJECT = new RegExp(`(?:\\[\\s*)?${OBJECT.source}`, 'y');
/** Fences with these names may hold a whole text; JSON may stand below a comment. */
const PROSE = /^(?:md|markdown|text|txt|plaintext|json\w*)?$/i;
/** An agent that repeats itself endlessly opens one bracket, or one fence, after the other. */
const MAX_TRIES = 1000;
const PARAGRAPH_OR_FENCE = /\n[^\S\n]*\n|^[ \t]*(?:`{3,}|~{3,})/gm;

export function* jsonBlocksIn(text: string): Generator<JsonBlock> {
  const search = new RegExp(FENCE_OR_BRACKET);
  let isBelowOpenBracket = false;
  let tries = 0;
  for (let match = search.exec(text); match !== null; match = search.exec(text)) {
    const [{ length }, marks, language = ''] = match;
    const { index } = match;
    const { block, end }: Passed =
      marks === undefined
        ? bareBlock(text, index, isBelowOpenBracket)
        : fencedBlock(text, index, { length, marks, language });
    if (block !== undefined) yield block;
    else if ((marks === undefined ? isBelowOpenBracket : end === index + length) && ++tries > MAX_TRIES) return;
    isBelowOpenBracket ||= block !== undefined && end < block.end;
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
  const contentStart = start + length;
  const closing = new RegExp(`^[ \\t]*\\${marks[0]}{${marks.length},}[ \\t]*$`, 'gm');
  closing.lastIndex = contentStart;
  const close = closing.exec(text);
  const blockEnd = close === null ? text.length : close.index + close[0].length;
  const content = text.slice(contentStart, close?.index);
  const json = content.trim();
  if (!/^[{[]/.test(json)) return { end: PROSE.test(language) ? contentStart : blockEnd };
  const block = blockAt(json);
  const form = language === '' || /^json/i.test(language) ? 'json' : 'code';
  // Text may follow the JSON: in an unclosed fence, or in one that closes behind the last words.
  const end = block.end === json.length ? blockEnd : text.indexOf(json, contentStart) + block.end;
  return { block: { ...block, start, end, form }, end };
}

/**
 * Lists are common in prose, so a bare one counts only at the start of a line. An unclosed bracket may be prose too: a
 * whole block below it counts, a broken one is part of what the bracket opened.
 */
function bareBlock(text: string, start: number, isBelowOpenBracket: boolean): Passed {
  const opening = start === 0 || text[start - 1] === '\n' ? LIST_OR_OBJECT : OBJECT;
  opening.lastIndex = start;
  if (!opening.test(text)) return { end: start + 1 };
  const rest = text.slice(start);
  const block = isBelowOpenBracket ? wholeAt(rest) : blockAt(rest);
  if (block === undefined) return { end: nextPart(text, start) };
  const end = start + block.end;
  return { block: { ...block, start, end, form: 'bare' }, end: block.isOpen ? nextPart(text, start) : end };
}

function nextPart(text: string, start: number): number {
  PARAGRAPH_OR_FENCE.lastIndex = start;
  return PARAGRAPH_OR_FENCE.exec(text)?.index ?? text.length;
}

interface BlockAt extends Pick<JsonBlock, 'json' | 'value' | 'end'> {
  readonly isOpen?: boolean;
}

function blockAt(text: string): BlockAt {
  const completeBlock = wholeAt(text);
  if (completeBlock !== undefined) return completeBlock;
  const end = endOfBrackets(text);
  return { json: text.slice(0, end).trimEnd(), value: undefined, end: end ?? text.length, isOpen: end === undefined };
}

function wholeAt(text: string): BlockAt | undefined {
  const { value, state, end } = readJsonPrefix(text);
  const isWhole = (state === 'whole' || state === 'followed') && typeof value === 'object' && value !== null;
  const json = text.slice(0, end).trimEnd();
  return isWhole ? { json, value, end: json.length } : undefined;
}

/** Behind the bracket that closes the first one, if any does. A line break ends a string. */
function endOfBrackets(text: string): number | undefined {
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
  return undefined;
}
