import { germanTermsOf } from '../search/german.js';
import { readQuery, wordsOf } from '../search/words.js';

/** The part of a text that matches best, and which of its characters are words of the query. */
export interface Snippet {
  readonly text: string;
  readonly matches: readonly (readonly [start: number, end: number])[];
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_-]*/gu;

/** Pure. About so many characters, beginning and ending between words. */
export function snippetOf(content: string, query: string, length = 160): Snippet {
  const text = content.replace(/\s+/g, ' ').trim();
  const { words, mayBeGerman } = readQuery(query);
  const terms = new Set(words);
  const german = new Set(mayBeGerman ? germanTermsOf(query) : []);
  const matches = [...text.matchAll(WORD)]
    .filter(
      ([word]) => wordsOf(word).some((stem) => terms.has(stem)) || germanTermsOf(word).some((term) => german.has(term)),
    )
    .map(({ 0: word, index }) => [index, index + word.length] as const);
  if (text.length <= length) return { text, matches };
  const start = wordStart(text, bestStart(matches, length));
  const end = wordEnd(text, start + length);
  const opening = start > 0 ? '...' : '';
  const shift = opening.length - start;
  return {
    text: `${opening}${text.slice(start, end)}${end < text.length ? '...' : ''}`,
    matches: matches.filter(([from, to]) => from >= start && to <= end).map(([from, to]) => [from + shift, to + shift]),
  };
}

/** A little before the first of the most matches that fit. */
function bestStart(matches: Snippet['matches'], length: number): number {
  let best = { start: 0, count: 0 };
  for (const [start] of matches) {
    const count = matches.filter(([from, to]) => from >= start && to <= start + length - LEAD).length;
    if (count > best.count) best = { start, count };
  }
  return Math.max(0, best.start - LEAD);
}

const LEAD = 24;

/** Scripts without spaces, and long names, are cut where they are. */
function wordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const space = text.indexOf(' ', at);
  return space >= 0 && space < at + LEAD ? space + 1 : characterStart(text, at);
}

function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const end = text.lastIndexOf(' ', at);
  return end > at - LEAD ? end : characterStart(text, at);
}

/** Some characters are two units long. */
function characterStart(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}
