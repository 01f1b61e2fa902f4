import { ObservationCategory, type ObservationIndex } from '../protocol/observation.js';

/*
 * A segment is an index over some observations that never changes: columns, a sorted dictionary, and for each word the
 * observations it is in. All of it is typed arrays, so that a stored segment is used as it lies in the file.
 *
 * Observations of one group, which is one file of the store, stand together, and those of one session beside each other:
 * a neighbour is the observation before or after.
 */

/** The observations of one file. */
export interface Group {
  /** The name by which the store knows the file. */
  readonly key: string;
  readonly issueNumber: number;
  readonly isArchived: boolean;
  /** How the file looked when it was read; the store compares it. */
  readonly print: readonly number[];
  readonly start: number;
  readonly count: number;
}

/** Exceptions from how ids and times are usually spelled, by number of the observation. */
type Odd = Readonly<Record<string, string>>;

export interface Segment {
  readonly groups: readonly Group[];
  readonly count: number;
  readonly agents: readonly string[];
  readonly agent: Uint16Array;
  readonly category: Uint8Array;
  readonly tokens: Uint32Array;
  readonly recalls: Uint16Array;
  readonly archived: Uint8Array;
  /** Epoch milliseconds. */
  readonly at: Float64Array;
  readonly idMs: Float64Array;
  /** Six characters of each id. */
  readonly suffixes: string;
  readonly oddIds: Odd;
  readonly oddTimes: Odd;
  readonly session: Uint32Array;
  /** The number of words. */
  readonly lengths: Uint16Array;
  readonly summaryAt: Uint32Array;
  readonly summaries: Buffer;
  readonly termAt: Uint32Array;
  readonly terms: Buffer;
  readonly postingAt: Uint32Array;
  readonly postingDoc: Uint16Array;
  readonly postingCount: Uint8Array;
}

/** So many observations can be numbered in a posting; a larger store has several segments. */
export const MAX_SEGMENT = 65_535;
export const SUFFIX_LENGTH = 6;
/** What can answer a question has this word, which no text has. */
export const DECIDED = '!decided';
export const CATEGORIES = ObservationCategory.options;

export function groupOf({ groups }: Segment, doc: number): Group {
  let [low, high] = [0, groups.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((groups[middle]?.start ?? 0) <= doc) low = middle;
    else high = middle - 1;
  }
  const group = groups[low];
  if (group === undefined) throw new RangeError(`no group holds ${doc}`);
  return group;
}

export function idOf(segment: Segment, doc: number, { issueNumber } = groupOf(segment, doc)): string {
  const odd = segment.oddIds[doc];
  if (odd !== undefined) return odd;
  const suffix = segment.suffixes.slice(doc * SUFFIX_LENGTH, (doc + 1) * SUFFIX_LENGTH);
  return `obs-${agentOf(segment, doc)}-${issueNumber}-${segment.idMs[doc]}-${suffix}`;
}

export function timestampOf(segment: Segment, doc: number): string {
  return segment.oddTimes[doc] ?? new Date(segment.at[doc] ?? 0).toISOString();
}

export function agentOf(segment: Segment, doc: number): string {
  return segment.agents[segment.agent[doc] ?? 0] ?? '';
}

export function summaryOf({ summaries, summaryAt }: Segment, doc: number): string {
  return summaries.toString('utf8', summaryAt[doc], summaryAt[doc + 1]);
}

/** What a listing shows of an observation. */
export function entryOf(segment: Segment, doc: number): ObservationIndex {
  const group = groupOf(segment, doc);
  const recalls = segment.recalls[doc] ?? 0;
  return {
    id: idOf(segment, doc, group),
    agent: agentOf(segment, doc),
    issueNumber: group.issueNumber,
    category: CATEGORIES[segment.category[doc] ?? 0] ?? 'key-fact',
    summary: summaryOf(segment, doc),
    tokens: segment.tokens[doc] ?? 0,
    timestamp: timestampOf(segment, doc),
    ...(recalls > 0 && { recallCount: recalls }),
    ...(segment.archived[doc] === 1 && { archived: true }),
  };
}

export function termCount({ termAt }: Segment): number {
  return termAt.length - 1;
}

export function termOf({ terms, termAt }: Segment, place: number): string {
  return terms.toString('utf8', termAt[place], termAt[place + 1]);
}

/** The observations that have the word. */
export function docsWith(segment: Segment, term: string): ReadonlySet<number> {
  const { postingAt, postingDoc } = segment;
  const place = findTerm(segment, term);
  return new Set(place < 0 ? [] : postingDoc.subarray(postingAt[place], postingAt[place + 1]));
}

/** The place of the first word that begins with that byte or a later one: the dictionary is sorted. */
export function firstWith(segment: Segment, byte: number): number {
  let low = 0;
  let high = termCount(segment);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((segment.terms[segment.termAt[middle] ?? 0] ?? 0) < byte) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a word begins with that character. */
export function hasTermWith(segment: Segment, character: string): boolean {
  const byte = character.charCodeAt(0);
  return segment.terms[segment.termAt[firstWith(segment, byte)] ?? 0] === byte;
}

const MOST_PLACES = 16_384;
const placesIn = new WeakMap<Segment, Map<string, number>>();

/** Its place in the dictionary, or -1. A process is asked for the same words again and again. */
export function findTerm(segment: Segment, term: string): number {
  let places = placesIn.get(segment);
  if (places === undefined || places.size >= MOST_PLACES) {
    places = new Map();
    placesIn.set(segment, places);
  }
  const knownPlace = places.get(term);
  if (knownPlace !== undefined) return knownPlace;
  const place = lookUp(segment, term);
  places.set(term, place);
  return place;
}

function lookUp(segment: Segment, term: string): number {
  const compare = ASCII.test(term) ? compareBytes : compareTexts;
  let low = 0;
  let high = termCount(segment) - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = compare(segment, middle, term);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

const ASCII = /^[\0-\x7f]*$/;

/** Beside ASCII, the order of bytes is that of texts: no text is made for it. */
function compareBytes({ terms, termAt }: Segment, place: number, term: string): number {
  const start = termAt[place] ?? 0;
  const length = (termAt[place + 1] ?? 0) - start;
  const sharedLength = Math.min(length, term.length);
  for (let at = 0; at < sharedLength; at++) {
    const order = (terms[start + at] ?? 0) - term.charCodeAt(at);
    if (order !== 0) return order;
  }
  return length - term.length;
}

function compareTexts(segment: Segment, place: number, term: string): number {
  const termThere = termOf(segment, place);
  return termThere === term ? 0 : termThere < term ? -1 : 1;
}
