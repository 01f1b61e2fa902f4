import { findTerm, idOf, type Segment } from './segment.js';
import { queryWords } from './words.js';

/*
 * BM25, and three small weights on top of it. A hit counts more if it has more of the query's words, if its neighbours in
 * the session speak of the same, and, among near equals, if it is newer or has been recalled often. Text decides: the
 * last two change a score by a few percent.
 */

const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.5;
const NEIGHBOUR = 0.35;
const COVERAGE = 0.6;
const RECENCY = 0.04;
const RECALL = 0.03;
const TAG_WEIGHT = 0.5;
/** Queries of fewer words name what they want. */
const FULL_QUESTION = 3;
/** How far beside a match its session is looked at. */
const REACH = 2;
/** What all neighbours together can count, in the best score of a segment: two at once, two at half. */
const ALL_NEAR = 3;
const MOST_PRIOR = 1 + RECENCY + RECALL;
const DAY_MS = 86_400_000;

export interface Hit {
  readonly segment: Segment;
  readonly doc: number;
  readonly score: number;
}

/** A segment, and which of its observations have been replaced since. */
export interface LiveSegment {
  readonly segment: Segment;
  /** Undefined as long as all of them hold. */
  dead: Uint8Array | undefined;
}

interface Ranking {
  readonly query: string;
  readonly accepts: (segment: Segment) => (doc: number) => boolean;
  readonly limit: number;
}

interface Searched {
  readonly count: number;
  readonly segments: readonly LiveSegment[];
}

interface WeighedTerm {
  readonly weight: number;
  /** Where each segment has it. */
  readonly places: readonly number[];
  readonly isTag: boolean;
}

export function rank(
  index: Searched,
  { query, accepts, limit }: Ranking,
): { readonly hits: readonly Hit[]; readonly total: number } {
  const terms = termsFor(index, query);
  const wordCount = terms.filter(({ isTag }) => !isTag).length;
  const best = new Best(limit);
  if (terms.length === 0 || limit < 1) return { hits: [], total: 0 };
  const average = averageLength(index);
  const newest = index.segments.reduce((latest, { segment }) => Math.max(latest, newestIn(segment)), 0);
  for (const [which, { segment, dead }] of index.segments.entries()) {
    const { count: matched, most } = score(segment, { terms, which, average });
    const isAccepted = accepts(segment);
    const weighed = (doc: number): number => {
      const covered = wordCount === 0 ? 1 : matchesAround(segment, doc) / wordCount;
      const coverage = 1 - COVERAGE + COVERAGE * covered;
      const own = scores[doc] ?? 0;
      // Most observations cannot be among the best, whatever stands beside them.
      if ((own + NEIGHBOUR * ALL_NEAR * most) * coverage * MOST_PRIOR <= best.least) return 0;
      const age = Math.max(0, newest - (segment.at[doc] ?? 0)) / DAY_MS;
      const prior = 1 + RECENCY / (1 + age / 30) + RECALL * Math.min((segment.recalls[doc] ?? 0) / 10, 1);
      return (own + NEIGHBOUR * neighbours(segment, doc)) * coverage * prior;
    };
    for (let at = 0; at < matched; at++) {
      const doc = touched[at] ?? 0;
      if (dead?.[doc] === 1 || !isAccepted(doc)) continue;
      best.total++;
      const total = weighed(doc);
      if (total > 0 && total >= best.least) best.offer({ segment, doc, score: total });
    }
    // What stands beside a match is worth what its neighbours are; beside weak ones, nothing can be among the best.
    const least = best.least / (NEIGHBOUR * ALL_NEAR * MOST_PRIOR);
    const count = wordCount >= FULL_QUESTION ? withNeighbours(segment, matched, least) : matched;
    for (let at = matched; at < count; at++) {
      const doc = touched[at] ?? 0;
      if (dead?.[doc] === 1 || !isAccepted(doc)) continue;
      const total = weighed(doc);
      if (total > 0 && total >= best.least) best.offer({ segment, doc, score: total });
    }
    clear(count);
  }
  return { hits: best.hits, total: best.total };
}

/** Reused by every search: clearing what was touched is cheaper than new arrays. */
let scores = new Float32Array(0);
let matches = new Uint8Array(0);
let touched = new Uint16Array(0);
let isNear = new Uint8Array(0);

function score(
  segment: Segment,
  {
    terms,
    which,
    average,
  }: { readonly terms: readonly WeighedTerm[]; readonly which: number; readonly average: number },
): { readonly count: number; readonly most: number } {
  if (scores.length < segment.count) {
    scores = new Float32Array(segment.count);
    matches = new Uint8Array(segment.count);
    touched = new Uint16Array(segment.count);
    isNear = new Uint8Array(segment.count);
  }
  const { postingAt, postingDoc, postingCount } = segment;
  const norms = normsOf(segment, average);
  let count = 0;
  let most = 0;
  for (const { weight, places, isTag } of terms) {
    const place = places[which] ?? -1;
    if (place < 0) continue;
    const end = postingAt[place + 1] ?? 0;
    for (let at = postingAt[place] ?? 0; at < end; at++) {
      const doc = postingDoc[at] ?? 0;
      const occurrences = postingCount[at] ?? 0;
      if (scores[doc] === 0) touched[count++] = doc;
      const total = (scores[doc] ?? 0) + (weight * occurrences) / (occurrences + (norms[doc] ?? 1));
      scores[doc] = total;
      if (total > most) most = total;
      if (!isTag) matches[doc] = (matches[doc] ?? 0) + 1;
    }
  }
  return { count, most };
}

function clear(count: number): void {
  for (let at = 0; at < count; at++) {
    const doc = touched[at] ?? 0;
    scores[doc] = 0;
    matches[doc] = 0;
    isNear[doc] = 0;
  }
}

/**
 * To a question in full words, the answer may have none of them: what stands beside a match in its session is found too,
 * behind the matches themselves, as long as the match scores so much. Returns how many are touched now.
 */
function withNeighbours({ session, count: docs }: Segment, count: number, least: number): number {
  let touchedCount = count;
  for (let at = 0; at < count; at++) {
    const doc = touched[at] ?? 0;
    if ((scores[doc] ?? 0) < least) continue;
    for (let near = Math.max(0, doc - REACH); near <= Math.min(docs - 1, doc + REACH); near++) {
      if (scores[near] !== 0 || isNear[near] === 1 || session[near] !== session[doc]) continue;
      isNear[near] = 1;
      touched[touchedCount++] = near;
    }
  }
  return touchedCount;
}

/** How well those around it in the same session match; the nearest count most. */
function neighbours({ session, count }: Segment, doc: number): number {
  let sum = 0;
  for (let near = Math.max(0, doc - REACH); near <= Math.min(count - 1, doc + REACH); near++) {
    if (near !== doc && session[near] === session[doc]) sum += (scores[near] ?? 0) / Math.abs(near - doc);
  }
  return sum;
}

/** What has no word of the query itself is as good as the best beside it. */
function matchesAround({ session, count }: Segment, doc: number): number {
  if (isNear[doc] !== 1) return matches[doc] ?? 0;
  let most = 0;
  for (let near = Math.max(0, doc - REACH); near <= Math.min(count - 1, doc + REACH); near++) {
    if (session[near] === session[doc]) most = Math.max(most, matches[near] ?? 0);
  }
  return most;
}

const norms = new WeakMap<Segment, { readonly average: number; readonly values: Float32Array }>();

function normsOf(segment: Segment, average: number): Float32Array {
  const known = norms.get(segment);
  // A store that grows changes the average a little with every write.
  if (known !== undefined && Math.abs(known.average - average) < average / 50) return known.values;
  const values = Float32Array.from(
    segment.lengths,
    (length) => SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / Math.max(average, 1)),
  );
  norms.set(segment, { average, values });
  return values;
}

const facts = new WeakMap<Segment, { readonly words: number; readonly newest: number }>();

function factsOf(segment: Segment): { readonly words: number; readonly newest: number } {
  const known = facts.get(segment);
  if (known !== undefined) return known;
  const words = segment.lengths.reduce((sum, length) => sum + length, 0);
  const newest = segment.at.reduce((latest, at) => Math.max(latest, at), 0);
  facts.set(segment, { words, newest });
  return { words, newest };
}

const newestIn = (segment: Segment): number => factsOf(segment).newest;

function averageLength({ segments }: Searched): number {
  const [words, count] = segments.reduce(
    ([sum, all], { segment }) => [sum + factsOf(segment).words, all + segment.count],
    [0, 0],
  );
  return count === 0 ? 1 : words / count;
}

/** A word that no observation has is left out, but counts as missing in each of them. */
function termsFor(index: Searched, query: string): readonly WeighedTerm[] {
  // Rare words first: what they find is soon so good that most of the rest need not be looked at.
  const words = queryWords(query)
    .map((term) => weigh(index, term, false))
    .toSorted((left, right) => right.weight - left.weight);
  const known = words.filter(({ places }) => places.some((place) => place >= 0));
  return [...(known.length > 0 ? words : []), ...tagsIn(query, known.length > 0).map((tag) => weigh(index, tag, true))];
}

/** `#42` and `@architect` are names of an issue and an agent; a query of nothing else may leave the marks out. */
function tagsIn(query: string, hasWords: boolean): readonly string[] {
  const parts = query.toLowerCase().split(/\s+/).filter(Boolean);
  const marked = parts.filter((part) => /^(?:#\d+|@[a-z][a-z0-9-]*)$/.test(part));
  if (hasWords || marked.length > 0) return marked;
  return parts.flatMap((part) => (/^\d+$/.test(part) ? [`#${part}`] : [`@${part}`]));
}

function weigh({ segments, count }: Searched, term: string, isTag: boolean): WeighedTerm {
  const places = segments.map(({ segment }) => findTerm(segment, term));
  const frequency = segments.reduce((sum, { segment }, which) => {
    const place = places[which] ?? -1;
    return place < 0 ? sum : sum + (segment.postingAt[place + 1] ?? 0) - (segment.postingAt[place] ?? 0);
  }, 0);
  const rarity = Math.log(1 + Math.max(0.5, count - frequency + 0.5) / (frequency + 0.5));
  return { weight: rarity * (SATURATION + 1) * (isTag ? TAG_WEIGHT : 1), places, isTag };
}

/** The best so many, best first. */
class Best {
  readonly hits: Hit[] = [];
  total = 0;
  /** What a hit needs to be among them; 0 while there is space. */
  least = 0;

  constructor(private readonly limit: number) {}

  offer(hit: Hit): void {
    const last = this.hits.at(-1);
    if (this.hits.length === this.limit && last !== undefined && !isBetter(hit, last)) return;
    let [low, high] = [0, this.hits.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.hits[middle];
      if (other !== undefined && isBetter(other, hit)) low = middle + 1;
      else high = middle;
    }
    this.hits.splice(low, 0, hit);
    if (this.hits.length > this.limit) this.hits.pop();
    if (this.hits.length === this.limit) this.least = this.hits.at(-1)?.score ?? 0;
  }
}

function isBetter(left: Hit, right: Hit): boolean {
  if (left.score !== right.score) return left.score > right.score;
  const [leftAt = 0, rightAt = 0] = [left.segment.at[left.doc], right.segment.at[right.doc]];
  if (leftAt !== rightAt) return leftAt > rightAt;
  return idOf(left.segment, left.doc) < idOf(right.segment, right.doc);
}
