import { type RecallCounts, recallsOf } from '../protocol/recalls.js';
import { BestHits, type Hit } from './best-hits.js';
import { type QueryTerm, termsFor } from './query-terms.js';
import { MARGIN, Scoreboard, type ScoredWord } from './scoreboard.js';
import { idOf, type Segment } from './segment.js';
import { type Shares, sharesIn } from './shares.js';

/*
 * BM25, and three small weights on top of it. A hit counts more if its neighbours in the session speak of the same, and
 * if it and they have more of the query's words. Among near equals, a newer hit or one that was recalled often counts
 * more. Text decides: the last two change a score by a few percent.
 *
 * Every observation that has a word of the query is counted. Only those that can be among the best are looked at closely.
 * The words are taken from the rarest on, so that the best come early. Observations that cannot reach them are passed
 * over.
 */

const NEIGHBOUR = 0.35;
/** How much of a score rests on having all words of the query, and what one counts that only a neighbour has. */
const COVERAGE = 0.6;
const COVERED_BESIDE = 0.7;
const RECENCY = 0.04;
const RECALL = 0.03;
/** Queries of fewer words name what they want. */
const FULL_QUESTION = 3;
/** How far beside a match its session is looked at. */
const REACH = MARGIN;
/** What all neighbours together can add, in the score of the best of them: two count in full, two by half. */
const MOST_BESIDE = NEIGHBOUR * 3;
const MOST_PRIOR = 1 + RECENCY + RECALL;
/** Scores are rounded when they are kept. */
const ROUNDING = 1 - 1e-5;
const DAY_MS = 86_400_000;

/** A segment, and which of its observations have been replaced since. */
export interface LiveSegment {
  readonly segment: Segment;
  /** Undefined as long as all of them hold. */
  dead: Uint8Array | undefined;
  /** Recalls beyond those that the segment tells of; those that a search has looked at, by number of the observation. */
  recalls: { readonly counts: RecallCounts; readonly byDoc: Map<number, number> } | undefined;
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
  for (const [segmentNumber, live] of index.segments.entries()) {
    const shares = sharesIn(live.segment, average);
    const words = wordsIn(terms, segmentNumber, shares);
    if (words.length === 0) continue;
    const isWanted = wantedIn(live, accepts(live.segment));
    total += searchSegment(live, words, { best, wordCount, newest, shares, isWanted });
  }
  return { hits: best.hits, total };
}

/** The words that the segment has, in the order of the query's terms. */
function wordsIn(terms: readonly QueryTerm[], segmentNumber: number, shares: Shares): readonly ScoredWord[] {
  const words: { bit: number; terms: { place: number; weight: number }[] }[] = [];
  for (const { weight, places, bit } of terms) {
    const place = places[segmentNumber] ?? -1;
    if (place < 0) continue;
    let word = words.at(-1);
    if (word === undefined || word.bit !== bit) {
      word = { bit, terms: [] };
      words.push(word);
    }
    shares.find(place);
    word.terms.push({ place, weight });
  }
  return words;
}

/** Undefined if all are. */
function wantedIn(
  { dead }: LiveSegment,
  isAccepted: ((doc: number) => boolean) | undefined,
): ((doc: number) => boolean) | undefined {
  if (dead === undefined) return isAccepted;
  return (doc) => dead[doc] !== 1 && isAccepted?.(doc) !== false;
}

const board = new Scoreboard();

interface Search {
  readonly best: BestHits;
  readonly wordCount: number;
  readonly newest: number;
  readonly shares: Shares;
  readonly isWanted: ((doc: number) => boolean) | undefined;
}

/** Offers what can be among the best. Returns how many observations have a word. */
function searchSegment(live: LiveSegment, words: readonly ScoredWord[], search: Search): number {
  const { segment } = live;
  const { shares, isWanted } = search;
  board.open(segment.count);
  for (const word of words) board.add(segment, word, shares);
  const strong = offerScored(live, search);
  // To a question in full words, the answer may have none of them: what stands beside a match in its session is found too.
  if (search.wordCount >= FULL_QUESTION) offerUnscored(live, strong, search);
  const total = board.countOf(isWanted);
  board.close();
  return total;
}

/** Returns those beside which an observation without a word may be among the best. */
function offerScored(live: LiveSegment, search: Search): readonly number[] {
  const { scores, covered, scored, count } = board;
  const { best, wordCount } = search;
  const strong: number[] = [];
  let least = leastBeside(best);
  for (let at = 0; at < count; at++) {
    const doc = scored[at] ?? 0;
    const place = doc + MARGIN;
    const nearest = (scores[place - 1] ?? 0) + (scores[place + 1] ?? 0);
    const further = (scores[place - 2] ?? 0) + (scores[place + 2] ?? 0);
    // As if all of them belonged to its session, and had all words together.
    const ownScore = scores[place] ?? 0;
    const byWords = ownScore + NEIGHBOUR * (nearest + further / 2);
    if (byWords < least) continue;
    if (ownScore >= least) strong.push(doc);
    const besideBits = (covered[place - 1] ?? 0) | (covered[place + 1] ?? 0);
    const all = (covered[place] ?? 0) | besideBits | (covered[place - 2] ?? 0) | (covered[place + 2] ?? 0);
    if (byWords * byCoverage(bitsIn(all), wordCount) * MOST_PRIOR < best.least) continue;
    offer(live, doc, textScore(live.segment, doc, wordCount), search);
    least = leastBeside(best);
  }
  return strong;
}

function offerUnscored(live: LiveSegment, strong: readonly number[], search: Search): void {
  const { segment } = live;
  const { scores } = board;
  const done = new Set<number>();
  for (const doc of strong) {
    if ((scores[doc + MARGIN] ?? 0) < leastBeside(search.best)) continue;
    const last = doc + countAfter(segment, doc);
    for (let near = doc - countBefore(segment, doc); near <= last; near++) {
      if (scores[near + MARGIN] !== 0 || done.has(near)) continue;
      done.add(near);
      offer(live, near, textScore(segment, near, search.wordCount), search);
    }
  }
}

/** Where nothing scores as much as this, all that stands around cannot raise an observation to the best. */
function leastBeside({ least }: BestHits): number {
  return (least * ROUNDING) / (MOST_BESIDE * MOST_PRIOR);
}

function textScore(segment: Segment, doc: number, wordCount: number): number {
  const before = countBefore(segment, doc);
  const after = countAfter(segment, doc);
  return withNeighbours(doc, before, after) * byCoverage(coveredBy(doc, before, after), wordCount);
}

function byCoverage(covered: number, wordCount: number): number {
  return 1 - COVERAGE + COVERAGE * (wordCount === 0 ? 1 : covered / wordCount);
}

function offer(live: LiveSegment, doc: number, byText: number, search: Search): void {
  const { best, newest, isWanted } = search;
  if (byText * MOST_PRIOR < best.least || isWanted?.(doc) === false) return;
  const { segment } = live;
  const recalls = (segment.recalls[doc] ?? 0) + recallsBeside(live, doc);
  const score = byText * priorOf(Math.max(0, newest - (segment.at[doc] ?? 0)), recalls);
  if (score >= best.least) best.offer({ segment, doc, score });
}

/** Few observations are ever offered: their ids are made when they are. */
function recallsBeside({ segment, recalls }: LiveSegment, doc: number): number {
  if (recalls === undefined) return 0;
  const { counts, byDoc } = recalls;
  let count = byDoc.get(doc);
  if (count === undefined) {
    count = recallsOf(counts, idOf(segment, doc));
    byDoc.set(doc, count);
  }
  return count;
}

/** By its own words and those around it in the same session; the nearest count most. */
function withNeighbours(doc: number, before: number, after: number): number {
  const { scores } = board;
  const place = doc + MARGIN;
  let sum = 0;
  if (before > 0) sum += scores[place - 1] ?? 0;
  if (before > 1) sum += (scores[place - 2] ?? 0) / 2;
  if (after > 0) sum += scores[place + 1] ?? 0;
  if (after > 1) sum += (scores[place + 2] ?? 0) / 2;
  return (scores[place] ?? 0) + NEIGHBOUR * sum;
}

function coveredBy(doc: number, before: number, after: number): number {
  const { covered } = board;
  const place = doc + MARGIN;
  const ownBits = covered[place] ?? 0;
  let bitsAround = 0;
  for (let near = place - before; near <= place + after; near++) bitsAround |= covered[near] ?? 0;
  return bitsIn(ownBits) + COVERED_BESIDE * bitsIn(bitsAround & ~ownBits);
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
  const pairs = mask - ((mask >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const facts = new WeakMap<Segment, { readonly words: number; readonly newest: number }>();

function factsOf(segment: Segment): { readonly words: number; readonly newest: number } {
  const knownFacts = facts.get(segment);
  if (knownFacts !== undefined) return knownFacts;
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
