import { germanForms, MARK } from './german.js';
import { alternativesOf } from './same-meaning.js';
import { findTerm, hasTermWith, type Segment } from './segment.js';
import { SATURATION } from './shares.js';
import { joinedWords, type Query, readQuery, stemOf } from './words.js';

/*
 * What a query is searched by. Each of its words is searched together with other names of the same thing. These are an
 * abbreviation or a synonym, the word that it makes with its neighbour, and the agent of that name. They count less than
 * the word itself, and together as one word.
 */

const TAG_WEIGHT = 0.5;
const GERMAN_WEIGHT = 0.9;
const PART_WEIGHT = 0.5;
/** Of loose synonyms: of a word that no observation has, and of one that few have. */
const LOOSE_WEIGHT = 0.4;
const LOOSE_WEIGHT_BESIDE = 0.2;
const FEW = 3;
const FEW_SHARE = 0.002;
/** As many words have a bit of their own; more than a question ever has share the last one. */
const MOST_WORDS = 32;

interface Searched {
  readonly count: number;
  readonly segments: readonly { readonly segment: Segment }[];
}

export interface QueryTerm {
  readonly weight: number;
  /** Where each segment has it, or -1. */
  readonly places: readonly number[];
  /** The bit of the word that it stands for; 0 for the name of an issue or an agent. */
  readonly bit: number;
}

export interface QueryTerms {
  /** The rarest first. */
  readonly terms: readonly QueryTerm[];
  /** Of the query; one that no observation has is missing in each of them. */
  readonly wordCount: number;
}

export function termsFor(index: Searched, query: string): QueryTerms {
  const groups = groupsOf(index, query).toSorted((left, right) => heaviest(right) - heaviest(left));
  const hasWords = groups.some((group) => group.length > 0);
  const terms: QueryTerm[] = [];
  for (const [place, group] of groups.entries())
    for (const { weight, places } of group) terms.push({ weight, places, bit: bitOf(place) });
  for (const tag of tagsIn(query, hasWords)) {
    const weighedTag = weigh(index, tag, TAG_WEIGHT);
    if (weighedTag !== undefined) terms.push({ weight: weighedTag.weight, places: weighedTag.places, bit: 0 });
  }
  return { terms, wordCount: hasWords ? Math.min(groups.length, MOST_WORDS) : 0 };
}

type Weighed = Omit<QueryTerm, 'bit'> & { readonly frequency: number };

/** For each word of the query, what the index has of it. */
function groupsOf(index: Searched, query: string): readonly (readonly Weighed[])[] {
  const parsedQuery = readQuery(query);
  const { words, names } = parsedQuery;
  const joinedNames = joinedWords(parsedQuery);
  const isGermanSearched = parsedQuery.mayBeGerman && index.segments.some(({ segment }) => hasTermWith(segment, MARK));
  const german = isGermanSearched ? germanByWord(parsedQuery) : NO_FORMS;
  const groups: (readonly Weighed[])[] = [];
  for (const word of words) {
    const ownTerm = weigh(index, word, 1);
    // The parts of a name in code are searched too: a name that no observation has is not missed.
    if (ownTerm === undefined && names.includes(word)) continue;
    const group = ownTerm === undefined ? [] : [ownTerm];
    const addOther = (term: string, factor: number): void => {
      const other = factor === 0 || words.includes(term) ? undefined : weigh(index, term, factor);
      if (other !== undefined) group.push(other);
    };
    const byLoose = looseWeight(ownTerm, index.count);
    for (const { term, weight, isLoose } of alternativesOf(word)) addOther(term, isLoose ? byLoose : weight);
    for (const { parts, whole } of joinedNames) if (parts.includes(word)) addOther(whole, 1);
    const { stem, parts = [] } = german.get(word) ?? {};
    if (stem !== undefined) addOther(stem, GERMAN_WEIGHT);
    for (const part of parts) addOther(part, PART_WEIGHT);
    addOther(`@${word}`, TAG_WEIGHT);
    groups.push(group);
  }
  return groups;
}

function looseWeight(ownTerm: Weighed | undefined, count: number): number {
  if (ownTerm === undefined) return LOOSE_WEIGHT;
  return ownTerm.frequency <= Math.max(FEW, count * FEW_SHARE) ? LOOSE_WEIGHT_BESIDE : 0;
}

const NO_FORMS: ReturnType<typeof germanByWord> = new Map();

/** What each searched word is if it is German; of its spellings the last. */
function germanByWord({ spelled, lower }: Query): ReadonlyMap<string, ReturnType<typeof germanForms>> {
  return new Map(spelled.map((word, place) => [stemOf(lower[place] ?? ''), germanForms(word)]));
}

function heaviest(terms: readonly Weighed[]): number {
  return terms.reduce((highest, { weight }) => Math.max(highest, weight), 0);
}

function bitOf(place: number): number {
  return 1 << Math.min(place, MOST_WORDS - 1);
}

/** `#42` and `@architect` are names of an issue and an agent; a query of nothing else may leave the marks out. */
function tagsIn(query: string, hasWords: boolean): readonly string[] {
  if (hasWords && !/[#@]/.test(query)) return [];
  const parts = query.toLowerCase().split(/\s+/).filter(Boolean);
  const tags = parts.filter((part) => /^(?:#\d+|@[a-z][a-z0-9-]*)$/.test(part));
  if (hasWords || tags.length > 0) return tags;
  return parts.flatMap((part) => (/^\d+$/.test(part) ? [`#${part}`] : [`@${part}`]));
}

/** Undefined if no observation has it. */
function weigh({ segments, count }: Searched, term: string, factor: number): Weighed | undefined {
  let frequency = 0;
  const places = segments.map(({ segment }) => {
    const place = findTerm(segment, term);
    if (place >= 0) frequency += (segment.postingAt[place + 1] ?? 0) - (segment.postingAt[place] ?? 0);
    return place;
  });
  if (frequency === 0) return undefined;
  const rarity = Math.log(1 + Math.max(0.5, count - frequency + 0.5) / (frequency + 0.5));
  return { weight: rarity * (SATURATION + 1) * factor, places, frequency };
}
