import { expect, it } from 'vitest';
import { anObservation } from '../../test/builders/observation.js';
import { keywordScore, RelevanceScorer, recallScore, recencyScore } from './relevance-scorer.js';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const daysAgo = (days: number) => new Date(NOW - days * 86_400_000).toISOString();
const entry = (summary: string, days: number, recallCount = 0) =>
  anObservation({ summary, timestamp: daysAgo(days), ...(recallCount > 0 && { recallCount }) });

it('halves recency every thirty days [ME-4/1]', () => {
  expect(recencyScore(daysAgo(0), NOW)).toBe(1);
  expect(recencyScore(daysAgo(30), NOW)).toBe(0.5);
  expect(recencyScore(daysAgo(90), NOW)).toBe(0.25);
});

it('counts the share of the keywords that match, in any form [ME-4/2]', () => {
  expect(keywordScore('Retries were limited', ['retri', 'limit', 'queue', 'webhook'])).toBe(0.5);
  expect(keywordScore('anything', [])).toBe(0);
});

it('counts recalls up to ten [ME-4/3]', () => {
  expect([0, 5, 10, 99].map(recallScore)).toEqual([0, 0.5, 1, 1]);
});

it('orders by age alone where nothing else is known [ME-4/4]', () => {
  const [fresh, old] = [entry('a', 1), entry('b', 100)];
  const scored = new RelevanceScorer().score([old, fresh], { nowMs: NOW });
  expect(scored.map(({ entry: one }) => one)).toEqual([fresh, old]);
  expect(scored.map(({ score }) => score)).toEqual([
    recencyScore(fresh.timestamp, NOW),
    recencyScore(old.timestamp, NOW),
  ]);
});

it('weighs age and keywords the same without recalls [ME-4/5]', () => {
  const [scored] = new RelevanceScorer().score([entry('retry limit', 30)], { nowMs: NOW, query: 'retry queue' });
  expect(scored?.score).toBeCloseTo(0.5 * 0.5 + 0.5 * 0.5);
});

it('weighs all three 0.4, 0.2 and 0.4 [ME-4/6]', () => {
  const [scored] = new RelevanceScorer().score([entry('retry', 30, 5)], { nowMs: NOW, query: 'retry' });
  expect(scored?.score).toBeCloseTo(0.4 * 0.5 + 0.2 * 0.5 + 0.4 * 1);
});

it('stays between 0 and 1, whatever the dates and counts [ME-4/7]', () => {
  const strange = [
    entry('x', -1000),
    entry('x', 1e6, 1e9),
    anObservation({ timestamp: 'never' }),
    anObservation({ recallCount: -5 }),
  ];
  for (const { score } of new RelevanceScorer().score(strange, { nowMs: NOW, query: 'x y z' })) {
    expect(score).toBeGreaterThanOrEqual(0);
    expect(score).toBeLessThanOrEqual(1);
  }
});

it('puts what is relevant before what is only newer [ME-4/8]', () => {
  const relevant = [entry('Tokens expire after 15 minutes', 40), entry('Refresh tokens are rotated', 50)];
  const newer = [entry('The header became blue', 1), entry('Lint passes', 2), entry('Renamed a file', 3)];
  const order = new RelevanceScorer().score([...newer, ...relevant], {
    nowMs: NOW,
    query: 'refresh of expiring tokens',
  });
  expect(
    order
      .slice(0, 2)
      .map(({ entry: one }) => one.summary)
      .toSorted(),
  ).toEqual(relevant.map(({ summary }) => summary).toSorted());
});

it('takes other weights [ME-4/9]', () => {
  const scorer = new RelevanceScorer({ recency: 0, recall: 0, keywords: 1 });
  const [first] = scorer.score([entry('other', 0), entry('retry', 900)], { nowMs: NOW, query: 'retry' });
  expect(first).toMatchObject({ score: 1, entry: { summary: 'retry' } });
  const byAge = new RelevanceScorer({ recency: 1, recall: 0, keywords: 0 });
  const [newest] = byAge.score([entry('retry', 900), entry('other', 0)], { nowMs: NOW, query: 'retry' });
  expect(newest).toMatchObject({ score: 1, entry: { summary: 'other' } });
});
