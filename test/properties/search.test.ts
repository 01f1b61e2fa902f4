import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/protocol/observation.js';
import { byIssue } from '../../src/protocol/observation-file.js';
import { SearchIndex } from '../../src/search/search-index.js';
import { idOf } from '../../src/search/segment.js';
import { readQuery, wordsOf } from '../../src/search/words.js';
import { anObservation } from '../builders/observation.js';
import { repetitions } from '../support/mode.js';

const STORES = repetitions({ short: 300, long: 3000 });

/** Common words, rare ones, and two that mean the same. */
const WORDS =
  'cache cache cache cache queue queue queue retry retry token token order lock shard mutex vertex zebra db database'.split(
    ' ',
  );
const word = fc.constantFrom(...WORDS);
const note = fc.record({
  text: fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' ')),
  issueNumber: fc.integer({ min: 1, max: 3 }),
  session: fc.integer({ min: 1, max: 3 }),
  day: fc.integer({ min: 1, max: 28 }),
  recalls: fc.integer({ min: 0, max: 12 }),
  category: fc.constantFrom('decision' as const, 'error' as const),
});
const scene = fc.record({
  notes: fc.array(note, { minLength: 1, maxLength: 60 }),
  query: fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' ')),
  limit: fc.integer({ min: 1, max: 12 }),
  category: fc.constantFrom(undefined, 'decision' as const),
  replaced: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
});

type Note = typeof note extends fc.Arbitrary<infer T> ? T : never;

function observationOf({ text, issueNumber, session, day, recalls, category }: Note, number: number): Observation {
  return anObservation({
    id: `obs-engineer-${issueNumber}-1772100000000-${String(number).padStart(6, '0')}`,
    issueNumber,
    category,
    content: text,
    summary: text,
    sessionId: `s${session}`,
    timestamp: `2026-02-${String(day).padStart(2, '0')}T10:00:00.000Z`,
    recallCount: recalls,
  });
}

const groupOf = (issueNumber: number, observations: readonly Observation[]) => ({
  key: `issue-${issueNumber}.json`,
  issueNumber,
  isArchived: false,
  print: [issueNumber],
  observations,
});

/** Each issue in a segment of its own. */
function indexOf(observations: readonly Observation[]): SearchIndex {
  const index = new SearchIndex();
  for (const [issueNumber, group] of byIssue(observations)) index.replace([groupOf(issueNumber, group)]);
  return index;
}

const shown = (index: SearchIndex, query: string, limit: number, category?: 'decision') => {
  const { hits, total } = index.search(query, { category }, limit);
  return { total, hits: hits.map(({ segment, doc, score }) => ({ id: idOf(segment, doc), score })) };
};

describe('any search', () => {
  it(`gives the first of what it gives without a limit, which leaves none out (${STORES} stores)`, () => {
    fc.assert(
      fc.property(scene, ({ notes, query, limit, category, replaced }) => {
        const observations = notes.map(observationOf);
        const index = indexOf(observations);
        // An older segment keeps what no longer counts.
        if (replaced !== undefined)
          index.replace([
            groupOf(
              replaced,
              observations.filter(({ issueNumber }) => issueNumber === replaced),
            ),
          ]);
        const all = shown(index, query, 1000, category);
        expect(shown(index, query, limit, category)).toEqual({ total: all.total, hits: all.hits.slice(0, limit) });
      }),
      { numRuns: STORES },
    );
  });

  it(`scores as a plain scorer does that goes through all observations (${STORES} stores)`, () => {
    fc.assert(
      fc.property(scene, ({ notes, query }) => {
        const observations = notes.map(observationOf);
        const results = shown(indexOf(observations), query, 1000);
        const expected = plainScores(observations, query);
        expect(results.total).toBe(expected.matching);
        expect(new Set(results.hits.map(({ id }) => id))).toEqual(new Set(expected.scores.keys()));
        for (const { id, score } of results.hits) expect(score).toBeCloseTo(expected.scores.get(id) ?? 0, 3);
        const sorted = results.hits.map(({ score }) => score);
        expect(sorted).toEqual(sorted.toSorted((left, right) => right - left));
      }),
      { numRuns: STORES },
    );
  });
});

/** The formula of src/search/rank.ts, word by word and observation by observation. */
function plainScores(observations: readonly Observation[], query: string) {
  const texts = new Map(observations.map((one) => [one.id, wordsOf(one.content)]));
  const lengths = [...texts.values()].map(({ length }) => length);
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const { words } = readQuery(query);
  const groups = words.map((searched) => [{ term: searched, weight: 1 }, ...meant(searched, words)]);
  const own = (one: Observation) => {
    const text = texts.get(one.id) ?? [];
    return groups.map((group) =>
      group.reduce((sum, { term, weight }) => {
        const holders = [...texts.values()].filter((others) => others.includes(term)).length;
        const rarity = Math.log(1 + Math.max(0.5, texts.size - holders + 0.5) / (holders + 0.5));
        const count = text.filter((other) => other === term).length;
        return (
          sum + (weight * rarity * 2.2 * count) / (count + 1.2 * (0.5 + (0.5 * text.length) / Math.max(average, 1)))
        );
      }, 0),
    );
  };
  const scores = new Map<string, number>();
  const newest = Math.max(...observations.map(({ timestamp }) => Date.parse(timestamp)));
  const isKnown = groups.some((group) => group.some(({ term }) => [...texts.values()].flat().includes(term)));
  const matching = observations.filter((one) => own(one).some((score) => score > 0)).length;
  for (const session of sessionsOf(observations)) {
    for (const [place, one] of session.entries()) {
      const beside = session
        .map((other, at) => ({ parts: own(other), distance: Math.abs(at - place) }))
        .filter(({ distance }) => distance > 0 && distance <= 2);
      const parts = own(one);
      const sum = parts.reduce((all, part) => all + part, 0);
      const near = beside.reduce((all, other) => all + other.parts.reduce((a, b) => a + b, 0) / other.distance, 0);
      if (!isKnown || (sum === 0 && (near === 0 || words.length < 3))) continue;
      const covered = parts.map((part, at) =>
        part > 0 ? 1 : beside.some((other) => (other.parts[at] ?? 0) > 0) ? 0.7 : 0,
      );
      const share = covered.reduce((all: number, part) => all + part, 0) / words.length;
      const days = (newest - Date.parse(one.timestamp)) / 86_400_000;
      const prior = 1 + 0.04 / (1 + days / 30) + 0.03 * Math.min((one.recallCount ?? 0) / 10, 1);
      scores.set(one.id, (sum + 0.35 * near) * (0.4 + 0.6 * share) * prior);
    }
  }
  return { scores, matching };
}

/** Of the words of this test, two have another name. */
function meant(
  searched: string,
  words: readonly string[],
): readonly { readonly term: string; readonly weight: number }[] {
  const [db, database] = wordsOf('db database');
  const other = searched === db ? database : searched === database ? db : undefined;
  return other === undefined || words.includes(other) ? [] : [{ term: other, weight: 0.8 }];
}

function sessionsOf(observations: readonly Observation[]): readonly (readonly Observation[])[] {
  const sessions = new Map<string, Observation[]>();
  for (const one of observations) {
    const key = `${one.issueNumber} ${one.sessionId}`;
    sessions.set(key, [...(sessions.get(key) ?? []), one]);
  }
  return [...sessions.values()].map((all) =>
    all.toSorted((left, right) => Date.parse(left.timestamp) - Date.parse(right.timestamp)),
  );
}
