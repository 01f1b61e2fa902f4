import { BestHits, type Hit } from './best-hits.js';
import { type QueryTerm, SATURATION, termsFor } from './query-terms.js';
import type { Segment } from './segment.js';

/*
 * BM25, and three small weights on top of it. A hit counts more if its neighbours in the session speak of the same, if it
 * and they have more of the query's words, and, among near equals, if it is newer or has been recalled often. Text decides:
 * the last two change a score by a few percent.
 *
 * Every observation that has a word of the query is counted. Once as many are found as are wanted, most of the others score
 * so little that no weight could raise them to the best: these are not looked at any further.
 */

const LENGTH_WEIGHT = 0.5;
const NEIGHBOUR = 0.35;
/** How much of a score rests on having all words of the query, and what one counts that only a neighbour has. */
const COVERAGE = 0.6;
const COVERED_BESIDE = 0.7;
const RECENCY = 0.04;
const RECALL = 0.03;
/** Queries of fewer words name what they want. */
const FULL_QUESTION = 3;
/** How far beside a match its session is looked at. */
const REACH = 2;
const MOST_PRIOR = 1 + RECENCY + RECALL;
/** What all neighbours together can add, in the score of the best of them: two count in full, two by half. */
const MOST_BESIDE = NEIGHBOUR * 3;
/** Scores are rounded when they are kept. */
const ROUNDING = 1 - 1e-5;
const DAY_MS = 86_400_000;

/** A segment, and which of its observations have been replaced since. */
export interface LiveSegment {
  readonly segment: Segment;
  /** Undefined as long as all of them hold. */
  dead: Uint8Array | undefined;
  /** By number of the observation: recalls beyond those that the segment tells of. */
  recalled: ReadonlyMap<number, number> | undefined;
}

interface Ranking {
  readonly query: string;
  /** Undefined if every observation is wanted. */
  readonly accepts: (segment: Segment) => ((doc: number) => boolean) | undefined;
  readonly limit: number;
}

interface Searched {
  readonly count: number;
  readonly segments: readonly LiveSegment[];
}

export function rank(
  index: Searched,
  { query, accepts, limit }: Ranking,
): { readonly hits: readonly Hit[]; readonly total: number } {
  const { terms, wordCount } = termsFor(index, query);
  const best = new BestHits(limit);
  if (terms.length === 0 || limit < 1) return { hits: [], total: 0 };
  const average = averageLength(index);
  const newest = index.segments.reduce((latest, { segment }) => Math.max(latest, factsOf(segment).newest), 0);
  let total = 0;
  for (const [which, { segment, dead, recalled }] of index.segments.entries()) {
    const matched = score(segment, { terms, which, average });
    const isAccepted = accepts(segment);
    const isWanted = (doc: number): boolean => dead?.[doc] !== 1 && isAccepted?.(doc) !== false;
    total += isAccepted === undefined && dead === undefined ? matched : countWanted(matched, isWanted);
    const recallsOf = (doc: number): number => (segment.recalls[doc] ?? 0) + (recalled?.get(doc) ?? 0);
    weighAll(segment, matched, { best, wordCount, newest, isWanted, recallsOf });
    clear(matched);
  }
  return { hits: best.hits, total };
}

/** So that the first and the last observation have something beside them: zeros. */
const MARGIN = REACH;

/** Reused by every search: clearing what was touched is cheaper than new arrays. Scores begin behind the margin. */
let scores = new Float32Array(2 * MARGIN);
let covered = new Int32Array(0);
let touched = new Uint16Array(0);
let isWeighed = new Uint8Array(0);

/** Adds up what each observation scores by its own words. Returns how many have one. */
function score(
  segment: Segment,
  { terms, which, average }: { readonly terms: readonly QueryTerm[]; readonly which: number; readonly average: number },
): number {
  if (covered.length < segment.count) {
    scores = new Float32Array(segment.count + 2 * MARGIN);
    covered = new Int32Array(segment.count);
    touched = new Uint16Array(segment.count);
    isWeighed = new Uint8Array(segment.count);
  }
  const { postingAt, postingDoc, postingCount, lengths } = segment;
  const byLength = shareByLength(average);
  const [own, words, found] = [scores, covered, touched];
  let count = 0;
  for (const { weight, places, bit } of terms) {
    const place = places[which] ?? -1;
    if (place < 0) continue;
    const end = postingAt[place + 1] ?? 0;
    for (let at = postingAt[place] ?? 0; at < end; at++) {
      const doc = postingDoc[at] ?? 0;
      const occurrences = postingCount[at] ?? 0;
      const before = own[doc + MARGIN] ?? 0;
      if (before === 0) found[count++] = doc;
      // Nearly all words stand once in a text: for these, the division is done already.
      const once = byLength[Math.min(lengths[doc] ?? 0, LONGEST)] ?? 1;
      const share = occurrences === 1 ? once : occurrences / (occurrences + 1 / once - 1);
      own[doc + MARGIN] = before + weight * share;
      words[doc] = (words[doc] ?? 0) | bit;
    }
  }
  return count;
}

function countWanted(matched: number, isWanted: (doc: number) => boolean): number {
  let count = 0;
  for (let at = 0; at < matched; at++) if (isWanted(touched[at] ?? 0)) count++;
  return count;
}

function clear(matched: number): void {
  for (let at = 0; at < matched; at++) {
    const doc = touched[at] ?? 0;
    scores[doc + MARGIN] = 0;
    covered[doc] = 0;
  }
}

interface Weighing {
  readonly best: BestHits;
  readonly wordCount: number;
  readonly newest: number;
  readonly isWanted: (doc: number) => boolean;
  readonly recallsOf: (doc: number) => number;
}

/** Offers every observation that can be among the best. */
function weighAll(segment: Segment, matched: number, weighing: Weighing): void {
  const [found, all] = [touched, scores];
  let least = weighing.best.least / MOST_PRIOR;
  for (let at = 0; at < matched; at++) {
    const doc = found[at] ?? 0;
    const place = doc + MARGIN;
    const nearest = (all[place - 1] ?? 0) + (all[place + 1] ?? 0);
    const further = (all[place - 2] ?? 0) + (all[place + 2] ?? 0);
    // As if all of them belonged to its session.
    if ((all[place] ?? 0) + NEIGHBOUR * (nearest + further / 2) < least) continue;
    offer(segment, doc, weighing);
    least = weighing.best.least / MOST_PRIOR;
  }
  if (weighing.wordCount >= FULL_QUESTION) weighUnmatched(segment, matched, weighing);
}

/** To a question in full words, the answer may have none of them: what stands beside a match in its session is found too. */
function weighUnmatched(segment: Segment, matched: number, weighing: Weighing): void {
  const { best } = weighing;
  const done: number[] = [];
  for (let at = 0; at < matched; at++) {
    const doc = touched[at] ?? 0;
    // Where nothing scores as much as this, all that stands around cannot raise an observation to the best.
    if ((scores[doc + MARGIN] ?? 0) * MOST_BESIDE * MOST_PRIOR < best.least * ROUNDING) continue;
    const last = doc + countAfter(segment, doc);
    for (let near = doc - countBefore(segment, doc); near <= last; near++) {
      if (scores[near + MARGIN] !== 0 || isWeighed[near] === 1) continue;
      isWeighed[near] = 1;
      done.push(near);
      offer(segment, near, weighing);
    }
  }
  for (const doc of done) isWeighed[doc] = 0;
}

function offer(segment: Segment, doc: number, weighing: Weighing): void {
  const { best, wordCount, newest, isWanted, recallsOf } = weighing;
  const before = countBefore(segment, doc);
  const after = countAfter(segment, doc);
  const byWords = withNeighbours(doc, before, after);
  if (byWords * MOST_PRIOR < best.least) return;
  const share = wordCount === 0 ? 1 : coveredBy(doc, before, after) / wordCount;
  const byText = byWords * (1 - COVERAGE + COVERAGE * share);
  if (byText * MOST_PRIOR < best.least || !isWanted(doc)) return;
  const score = byText * priorOf(Math.max(0, newest - (segment.at[doc] ?? 0)), recallsOf(doc));
  if (score >= best.least) best.offer({ segment, doc, score });
}

/** By its own words and those around it in the same session; the nearest count most. */
function withNeighbours(doc: number, before: number, after: number): number {
  const place = doc + MARGIN;
  let sum = 0;
  if (before > 0) sum += scores[place - 1] ?? 0;
  if (before > 1) sum += (scores[place - 2] ?? 0) / 2;
  if (after > 0) sum += scores[place + 1] ?? 0;
  if (after > 1) sum += (scores[place + 2] ?? 0) / 2;
  return (scores[place] ?? 0) + NEIGHBOUR * sum;
}

function coveredBy(doc: number, before: number, after: number): number {
  const own = covered[doc] ?? 0;
  let around = 0;
  for (let near = doc - before; near <= doc + after; near++) around |= covered[near] ?? 0;
  return bitsIn(own) + COVERED_BESIDE * bitsIn(around & ~own);
}

/** How many before an observation belong to its session, within reach. */
function countBefore({ session }: Segment, doc: number): number {
  let count = 0;
  while (count < REACH && doc - count > 0 && session[doc - count - 1] === session[doc]) count++;
  return count;
}

function countAfter({ session, count: all }: Segment, doc: number): number {
  let count = 0;
  while (count < REACH && doc + count + 1 < all && session[doc + count + 1] === session[doc]) count++;
  return count;
}

function priorOf(ageMs: number, recalls: number): number {
  return 1 + RECENCY / (1 + ageMs / DAY_MS / 30) + RECALL * Math.min(recalls / 10, 1);
}

function bitsIn(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** For texts of so many words and more, the same is counted: no observation is that long. */
const LONGEST = 1023;
const shares = new Float32Array(LONGEST + 1);
let sharesFor = Number.NaN;

/** By length of the text, what a word counts that stands in it once: less in a long text than in a short one. */
function shareByLength(average: number): Float32Array {
  if (average === sharesFor) return shares;
  for (let length = 0; length <= LONGEST; length++) {
    const relative = length / Math.max(average, 1);
    shares[length] = 1 / (1 + SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * relative));
  }
  sharesFor = average;
  return shares;
}

const facts = new WeakMap<Segment, { readonly words: number; readonly newest: number }>();

function factsOf(segment: Segment): { readonly words: number; readonly newest: number } {
  const known = facts.get(segment);
  if (known !== undefined) return known;
  let [words, newest] = [0, 0];
  for (let doc = 0; doc < segment.count; doc++) {
    words += segment.lengths[doc] ?? 0;
    const at = segment.at[doc] ?? 0;
    if (at > newest) newest = at;
  }
  facts.set(segment, { words, newest });
  return { words, newest };
}

function averageLength({ segments }: Searched): number {
  const [words, count] = segments.reduce(
    ([sum, all], { segment }) => [sum + factsOf(segment).words, all + segment.count],
    [0, 0],
  );
  return count === 0 ? 1 : words / count;
}
