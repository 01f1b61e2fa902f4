import { germanForms } from './german.js';
import type { LiveSegment } from './rank.js';
import type { SearchIndex } from './search-index.js';
import { findTerm, firstWith, summaryOf, termCount, termOf } from './segment.js';
import { stemOf, wordsOf } from './words.js';

const SHORT = 5;
/** Fewer letters begin too many words. */
const SHORTEST_BEGINNING = 3;
const SHORTEST_SIMILAR = 4;
/** In so many observations a spelling of a word is looked for. */
const MOST_READ = 20;

/**
 * The query with each word that no observation has replaced by a similar one; undefined if there is nothing better. What was
 * removed or archived is no observation here: its words find nothing.
 */
export function suggestion(index: SearchIndex, query: string): string | undefined {
  let hasChanged = false;
  const suggestedQuery = query.normalize().replace(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu, (word) => {
    const [stem, ...parts] = wordsOf(word);
    if (stem === undefined || parts.length > 0 || word.length < SHORTEST_BEGINNING || isKnown(index, stem)) return word;
    const german = germanForms(word).stem;
    if (german !== undefined && isKnown(index, german)) return word;
    const similar =
      completed(index, word.toLowerCase()) ??
      (word.length < SHORTEST_SIMILAR ? undefined : similarWord(index, stem, word.length <= SHORT ? 1 : 2));
    if (similar === undefined) return word;
    hasChanged = true;
    return similar;
  });
  return hasChanged ? suggestedQuery : undefined;
}

/** A word of the dictionary of a segment. */
interface Entry {
  readonly live: LiveSegment;
  readonly place: number;
  readonly term: string;
}

function isKnown({ segments }: SearchIndex, stem: string): boolean {
  return segments.some((live) => {
    const place = findTerm(live.segment, stem);
    return place >= 0 && !docsInUse(live, place).next().done;
  });
}

/** Of the words that begin so, the one that most observations have: a word that is still being typed. */
function completed(index: SearchIndex, beginning: string): string | undefined {
  let best: { readonly count: number; readonly entry: Entry } | undefined;
  for (const entry of entriesLike(index, beginning)) {
    if (!entry.term.startsWith(beginning)) continue;
    const count = countInUse(entry);
    if (count > (best?.count ?? 0)) best = { count, entry };
  }
  return best === undefined ? undefined : spelledOut(best.entry);
}

/**
 * The most similar of the words in which at most `maxDistance` letters differ. Of several, the one that most
 * observations have. A number or a key is never taken for another one.
 */
function similarWord(index: SearchIndex, stem: string, maxDistance: number): string | undefined {
  if (/\p{N}/u.test(stem)) return undefined;
  let best: { readonly distance: number; readonly count: number; readonly entry: Entry } | undefined;
  for (const entry of entriesLike(index, stem)) {
    const { term } = entry;
    if (Math.abs(term.length - stem.length) > maxDistance) continue;
    const distance = distanceBetween(stem, term, maxDistance);
    if (distance > Math.min(maxDistance, best?.distance ?? maxDistance)) continue;
    const count = countInUse(entry);
    const isBetter = best === undefined || distance < best.distance || count > best.count;
    if (count > 0 && isBetter) best = { distance, count, entry };
  }
  return best === undefined ? undefined : spelledOut(best.entry);
}

/** The words that begin with the same letter. */
function* entriesLike({ segments }: SearchIndex, word: string): Generator<Entry> {
  const [byte = 0] = Buffer.from(word);
  for (const live of segments) {
    const { segment } = live;
    for (let place = firstWith(segment, byte); place < termCount(segment); place++) {
      if (segment.terms[segment.termAt[place] ?? 0] !== byte) break;
      yield { live, place, term: termOf(segment, place) };
    }
  }
}

function* docsInUse({ segment, dead }: LiveSegment, place: number): Generator<number> {
  const { postingAt, postingDoc, archived } = segment;
  for (const doc of postingDoc.subarray(postingAt[place], postingAt[place + 1]))
    if (archived[doc] !== 1 && dead?.[doc] !== 1) yield doc;
}

function countInUse({ live, place }: Entry): number {
  let count = 0;
  for (const _doc of docsInUse(live, place)) count++;
  return count;
}

/** A stem is no word: it is shown as an observation spells it. */
function spelledOut({ live, place, term }: Entry): string {
  let summariesRead = 0;
  for (const doc of docsInUse(live, place)) {
    const words = summaryOf(live.segment, doc).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
    const word = words.find((one) => stemOf(one.normalize().toLowerCase()) === term);
    if (word !== undefined) return word;
    if (++summariesRead >= MOST_READ) break;
  }
  return term;
}

/** How many letters differ, two that changed places being one; `maxDistance` + 1 if more do. */
function distanceBetween(left: string, right: string, maxDistance: number): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, place) => place);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1];
      const isSwapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      const bySwapping = isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1), bySwapping));
    }
    if (Math.min(...row, ...next) > maxDistance) return maxDistance + 1;
    before = row;
    row = next;
  }
  return row[right.length] ?? 0;
}
