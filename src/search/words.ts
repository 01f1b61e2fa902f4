import { GERMAN_STOP_WORDS, isGerman, isSharedStopWord } from './german.js';
import { baseForm } from './word-forms.js';

/*
 * How texts become the words that are searched: lower case, without stop words, in one form. Names in code are found whole
 * and by their parts: `FileLockManager`, `retry_seconds`, `src/auth/token.ts`. Scripts without spaces are cut into pairs of
 * characters.
 */

const WORD = /[\p{L}\p{N}]+/gu;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}]+|\p{N}+/gu;
const HUMP = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2,}\p{Ll}/u;
const PLAIN = /^[a-z]+$/;
/** A longer word is a hash or a key: it is found by its beginning. */
const LONGEST = 40;

const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about above after again all also am an and any are as at be because been before being below between both but by ' +
    'can could did do does doing down during each few for from further had has have having he her here hers him his how i ' +
    'if in into is it its itself just let me more most my no nor not now of off on once only or other our ours out over ' +
    'own same she should so some such than that the their theirs them then there these they this those through to too ' +
    'under until up upon very was we were what when where which while who whom why will with would you your yours ' +
    'shall may might must us via per etc ' +
    // What is left of "don't", "it's" and "we'll".
    's t d m ll re ve don doesn didn isn aren wasn weren couldn wouldn shouldn hasn haven hadn'
  ).split(' '),
);

const STOP_WORDS: ReadonlySet<string> = new Set([...ENGLISH_STOP_WORDS, ...GERMAN_STOP_WORDS]);

/** The searched words of a text, in their order, with repeats. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(WORD)) addWord(words, word);
  return words;
}

/** The words of a query: a text of stop words alone is searched by them all the same. */
export function queryWords(query: string, isInGerman = isGerman(query)): string[] {
  const meant = isInGerman ? query.replace(WORD, (word) => (isSharedStopWord(word.toLowerCase()) ? '' : word)) : query;
  const words = [...new Set(wordsOf(meant))];
  return words.length > 0 ? words : [...new Set((query.toLowerCase().match(WORD) ?? []).map(stemOf))];
}

/** Words of both languages, which tell nothing about the language of a query. */
const IN_GERMAN_TOO: ReadonlySet<string> = new Set(['am', 'an', 'in', 'so', 'was', 'will']);

/** Whether a query is German, or too short to tell. */
export function mayBeGerman(query: string, isInGerman = isGerman(query)): boolean {
  const words = query.toLowerCase().match(WORD) ?? [];
  return isInGerman || !words.some((word) => ENGLISH_STOP_WORDS.has(word) && !IN_GERMAN_TOO.has(word));
}

/** What two words of a text that stand together are as one: "time out", "data base", "roll back". */
export function joinedWords(text: string): readonly { readonly parts: readonly string[]; readonly whole: string }[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  return words.slice(1).map((word, place) => {
    const before = words[place] ?? '';
    return { parts: [stemOf(before), stemOf(word)], whole: stemOf(`${before}${word}`) };
  });
}

/** The names in code that a text has; their parts are words of their own. */
export function codeNames(text: string): ReadonlySet<string> {
  const names = (text.match(WORD) ?? []).filter((word) => HUMP.test(word));
  return new Set(names.map((name) => stemOf(name.toLowerCase())));
}

function addWord(words: string[], word: string): void {
  const lower = word.toLowerCase();
  if (STOP_WORDS.has(lower)) return;
  if (lower.length > 1 && !PLAIN.test(lower) && DENSE.test(lower)) {
    addPairs(words, lower);
    return;
  }
  words.push(stemOf(lower));
  if (word !== lower && HUMP.test(word)) {
    for (const [part] of word.matchAll(PARTS)) {
      const lowerPart = part.toLowerCase();
      if (part.length > 1 && part.length < word.length && !STOP_WORDS.has(lowerPart)) words.push(stemOf(lowerPart));
    }
  }
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
  const known = stems.get(lower);
  if (known !== undefined) return known;
  const stem = baseForm(lower);
  const short = stem.length > LONGEST ? stem.slice(0, LONGEST) : stem;
  if (stems.size >= MOST_STEMS) stems.clear();
  stems.set(lower, short);
  return short;
}
