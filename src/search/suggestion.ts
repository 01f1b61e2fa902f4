import { germanForms } from './german.js';
import type { SearchIndex } from './search-index.js';
import { findTerm, firstWith, type Segment, summaryOf, termCount, termOf } from './segment.js';
import { stemOf, wordsOf } from './words.js';

const WORD = /[\p{L}\p{N}]+/gu;
const SHORT = 4;
/** Fewer letters begin too many words. */
const SHORTEST_BEGINNING = 3;

/** The query with each word that no observation has replaced by a similar one; undefined if there is nothing better. */
export function suggestion(index: SearchIndex, query: string): string | undefined {
  let hasChanged = false;
  const meant = query.replace(WORD, (word) => {
    const [stem, ...parts] = wordsOf(word);
    if (stem === undefined || parts.length > 0 || word.length < SHORTEST_BEGINNING || isKnown(index, stem)) return word;
    const german = germanForms(word).stem;
    if (german !== undefined && isKnown(index, german)) return word;
    const similar =
      completed(index, word.toLowerCase()) ?? (word.length < SHORT ? undefined : similarWord(index, stem));
    if (similar === undefined) return word;
    hasChanged = true;
    return similar;
  });
  return hasChanged ? meant : undefined;
}

function isKnown({ segments }: SearchIndex, stem: string): boolean {
  return segments.some(({ segment }) => findTerm(segment, stem) >= 0);
}

/** Of the words that begin so, the one that most observations have: a word that is still being typed. */
function completed({ segments }: SearchIndex, beginning: string): string | undefined {
  let best: { count: number; segment: Segment; place: number } | undefined;
  for (const { segment } of segments) {
    for (let place = firstWith(segment, beginning.charCodeAt(0)); place < termCount(segment); place++) {
      if (segment.terms[segment.termAt[place] ?? 0] !== beginning.charCodeAt(0)) break;
      const count = (segment.postingAt[place + 1] ?? 0) - (segment.postingAt[place] ?? 0);
      if (count > (best?.count ?? 0) && termOf(segment, place).startsWith(beginning)) best = { count, segment, place };
    }
  }
  return best === undefined ? undefined : spelledOut(best.segment, best.place);
}

/** Among equally similar words the one that most observations have. */
function similarWord({ segments }: SearchIndex, stem: string): string | undefined {
  let best: { distance: number; count: number; segment: Segment; place: number } | undefined;
  const most = stem.length <= SHORT ? 1 : 2;
  for (const { segment } of segments) {
    const letter = stem.charCodeAt(0);
    for (let place = firstWith(segment, letter); place < termCount(segment); place++) {
      const start = segment.termAt[place] ?? 0;
      const length = (segment.termAt[place + 1] ?? 0) - start;
      if (segment.terms[start] !== letter) break;
      if (Math.abs(length - stem.length) > most) continue;
      const distance = distanceBetween(stem, termOf(segment, place), most);
      if (distance > most) continue;
      const count = (segment.postingAt[place + 1] ?? 0) - (segment.postingAt[place] ?? 0);
      const isBetter =
        best === undefined || distance < best.distance || (distance === best.distance && count > best.count);
      if (isBetter) best = { distance, count, segment, place };
    }
  }
  return best === undefined ? undefined : spelledOut(best.segment, best.place);
}

/** A stem is no word: it is shown as an observation spells it. */
function spelledOut(segment: Segment, place: number): string {
  const term = termOf(segment, place);
  const doc = segment.postingDoc[segment.postingAt[place] ?? 0] ?? 0;
  const words = summaryOf(segment, doc).match(WORD) ?? [];
  return words.find((word) => stemOf(word.toLowerCase()) === term) ?? term;
}

/** How many letters differ, two that changed places being one; `most` + 1 if more do. */
function distanceBetween(left: string, right: string, most: number): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, place) => place);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1];
      const isSwapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1), swapped));
    }
    if (Math.min(...row, ...next) > most) return most + 1;
    before = row;
    row = next;
  }
  return row[right.length] ?? 0;
}
