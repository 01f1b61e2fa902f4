import { alternativesOf } from './same-meaning.js';
import { findTerm, type Segment } from './segment.js';
import { codeNames, joinedWords, queryWords } from './words.js';

/*
 * What a query is searched by. Each of its words is searched together with what else it may be called: an abbreviation or a
 * synonym, the word that it makes with the one beside it, the agent of that name. They count less, and as one word.
 */

export const SATURATION = 1.2;
const TAG_WEIGHT = 0.5;
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
  const hasWords = groups.some((terms) => terms.length > 0);
  const tags = tagsIn(query, hasWords).flatMap((tag) => weigh(index, tag, TAG_WEIGHT));
  const words = groups.flatMap((terms, place) => terms.map((term) => ({ ...term, bit: bitOf(place) })));
  return {
    terms: [...words, ...tags.map((tag) => ({ ...tag, bit: 0 }))],
    wordCount: hasWords ? Math.min(groups.length, MOST_WORDS) : 0,
  };
}

type Weighed = Omit<QueryTerm, 'bit'>;

/** For each word of the query, what the index has of it. */
function groupsOf(index: Searched, query: string): readonly (readonly Weighed[])[] {
  const words = queryWords(query);
  const names = codeNames(query);
  const joined = joinedWords(query);
  return words.flatMap((word) => {
    const own = weigh(index, word, 1);
    // The parts of a name in code are searched too: a name that no observation has is not missed.
    if (own.length === 0 && names.has(word)) return [];
    const others = [
      ...alternativesOf(word),
      ...joined.filter(({ parts }) => parts.includes(word)).map(({ whole }) => ({ term: whole, weight: 1 })),
      { term: `@${word}`, weight: TAG_WEIGHT },
    ].filter(({ term }) => !words.includes(term));
    return [[...own, ...others.flatMap(({ term, weight }) => weigh(index, term, weight))]];
  });
}

function heaviest(terms: readonly Weighed[]): number {
  return terms.reduce((most, { weight }) => Math.max(most, weight), 0);
}

function bitOf(place: number): number {
  return 1 << Math.min(place, MOST_WORDS - 1);
}

/** `#42` and `@architect` are names of an issue and an agent; a query of nothing else may leave the marks out. */
function tagsIn(query: string, hasWords: boolean): readonly string[] {
  const parts = query.toLowerCase().split(/\s+/).filter(Boolean);
  const marked = parts.filter((part) => /^(?:#\d+|@[a-z][a-z0-9-]*)$/.test(part));
  if (hasWords || marked.length > 0) return marked;
  return parts.flatMap((part) => (/^\d+$/.test(part) ? [`#${part}`] : [`@${part}`]));
}

/** Nothing if no observation has it. */
function weigh({ segments, count }: Searched, term: string, factor: number): readonly Weighed[] {
  const places = segments.map(({ segment }) => findTerm(segment, term));
  const frequency = segments.reduce((sum, { segment }, which) => {
    const place = places[which] ?? -1;
    return place < 0 ? sum : sum + (segment.postingAt[place + 1] ?? 0) - (segment.postingAt[place] ?? 0);
  }, 0);
  if (frequency === 0) return [];
  const rarity = Math.log(1 + Math.max(0.5, count - frequency + 0.5) / (frequency + 0.5));
  return [{ weight: rarity * (SATURATION + 1) * factor, places }];
}
