import { areGerman } from './german.js';
import { CARRIES_NOTHING, NOTHING_IN_GERMAN, stopKind, TELLS_ENGLISH } from './stop-words.js';
import { baseForm } from './word-forms.js';

/*
 * How texts become the words that are searched: lower case, without stop words, in one form. Names in code are found whole
 * and by their parts: `FileLockManager`, `retry_seconds`, `src/auth/token.ts`. Scripts without spaces are cut into pairs of
 * characters.
 */

const PLAIN = /^[a-z]+$/;
/** A longer word is a hash or a key: it is found by its beginning. */
const LONGEST = 40;

/** The searched words of a text, in their order, with repeats. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const word of spelledIn(text)) addWord(words, word, word.toLowerCase());
  return words;
}

/** A query, cut into words once. */
export interface Query {
  /** What is searched, each once. A query of stop words alone is searched by them all the same. */
  readonly words: readonly string[];
  /** Those that are names in code; their parts are words of their own. */
  readonly names: readonly string[];
  /** All of it, stop words too: as it is spelled, and in lower case. */
  readonly spelled: readonly string[];
  readonly lower: readonly string[];
  /** Whether it is German, or too short to tell. */
  readonly mayBeGerman: boolean;
}

export function readQuery(text: string): Query {
  const spelled = spelledIn(text);
  const lower = spelled.map((word) => word.toLowerCase());
  const isInGerman = areGerman(lower);
  const words: string[] = [];
  const names: string[] = [];
  let tellsEnglish = false;
  for (const [place, word] of lower.entries()) {
    const kind = stopKind(word);
    if ((kind & TELLS_ENGLISH) !== 0) tellsEnglish = true;
    if (isInGerman && (kind & NOTHING_IN_GERMAN) !== 0) continue;
    const isName = addWord(words, spelled[place] ?? '', word);
    if (isName) names.push(stemOf(word));
  }
  return {
    words: [...new Set(words.length > 0 ? words : lower.map(stemOf))],
    names,
    spelled,
    lower,
    mayBeGerman: isInGerman || !tellsEnglish,
  };
}

/**
 * The words as they are spelled. An accent is a part of its letter, whether a system writes the two as one character or as
 * two. This expression and those of `addWord` stand where they are used: every command would wait a millisecond for them.
 */
function spelledIn(text: string): readonly string[] {
  return text.normalize().match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];
}

/** What two words that stand together are as one: "time out", "data base", "roll back". */
export function joinedWords({
  lower,
}: Query): readonly { readonly parts: readonly string[]; readonly whole: string }[] {
  return lower.slice(1).map((word, place) => {
    const before = lower[place] ?? '';
    return { parts: [stemOf(before), stemOf(word)], whole: stemOf(`${before}${word}`) };
  });
}

/** Returns whether it is a name in code. */
function addWord(words: string[], word: string, lower: string): boolean {
  if (isStopWord(lower)) return false;
  if (lower.length > 1 && !PLAIN.test(lower) && isDense(lower)) {
    addPairs(words, lower);
    return false;
  }
  words.push(stemOf(lower));
  if (word === lower || !/[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2,}\p{Ll}/u.test(word)) return false;
  for (const part of word.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}]+|\p{N}+/gu) ?? []) {
    const lowerPart = part.toLowerCase();
    if (part.length > 1 && part.length < word.length && !isStopWord(lowerPart)) words.push(stemOf(lowerPart));
  }
  return true;
}

function isDense(word: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u.test(word);
}

function isStopWord(lower: string): boolean {
  return (stopKind(lower) & CARRIES_NOTHING) !== 0;
}

function addPairs(words: string[], run: string): void {
  const characters = [...run];
  for (let index = 0; index + 1 < characters.length; index++)
    words.push(`${characters[index] ?? ''}${characters[index + 1] ?? ''}`);
}

const MOST_STEMS = 65_536;
const stems = new Map<string, string>();

/** A process meets the same few thousand words again and again. */
export function stemOf(lower: string): string {
  const knownStem = stems.get(lower);
  if (knownStem !== undefined) return knownStem;
  const stem = baseForm(lower);
  const short = stem.length > LONGEST ? stem.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '') : stem;
  if (stems.size >= MOST_STEMS) stems.clear();
  stems.set(lower, short);
  return short;
}
