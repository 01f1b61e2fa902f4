import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Facts, saysMore } from './near-duplicate.js';

const isNearDuplicate = (left: string, right: string) => new Facts([left]).find(right) >= 0;

const FOLDER = join(import.meta.dirname, '../../test/fixtures/paraphrases');
const linesOf = (name: string) => readFileSync(join(FOLDER, name), 'utf8').split('\n');

interface ParaphraseSet {
  readonly name: string;
  /** Forty ways to say one fact. */
  readonly same: readonly string[];
  /** What looks like it and says something else. */
  readonly different: readonly string[];
}

function setsIn(name: string): readonly ParaphraseSet[] {
  return linesOf(name)
    .join('\n')
    .split(/^# /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n');
      const marked = (mark: string) => lines.flatMap((line) => (line.startsWith(mark) ? [line.slice(2)] : []));
      return { name: title, same: marked('+ '), different: marked('- ') };
    });
}

/** What is kept of them when they are written one after the other. */
function kept(texts: readonly string[]): readonly string[] {
  const keptTexts: string[] = [];
  const facts = new Facts([]);
  for (const text of texts) {
    const found = facts.find(text, () => true);
    const place = found < 0 ? keptTexts.length : found;
    if (found >= 0 && !saysMore(text, keptTexts[found] ?? '')) continue;
    keptTexts[place] = text;
    facts.set(place, text);
  }
  return keptTexts;
}

const SETS = ['first.txt', 'second.txt', 'third.txt', 'fourth.txt'].flatMap(setsIn);

/** What is left of the forty. Of the last file, only what was merged wrongly was looked at while the rules were made. */
const MOST_LEFT: Readonly<Record<string, number>> = {
  'database-choice': 3,
  'webhook-timeout': 1,
  'ci-timezone': 4,
  'token-check-moved': 7,
  'no-direct-commits': 7,
  'session-cookies': 9,
  'upload-limit': 4,
  'docker-memory': 12,
  'orders-index': 13,
  'nightly-deploy': 4,
  'api-versioning': 5,
  'retry-count': 13,
  'cache-removed': 5,
  'login-error': 8,
  'eslint-biome': 15,
  'log-retention': 15,
  'empty-list-bug': 10,
  'test-port': 7,
};

describe('forty paraphrases of one fact', () => {
  it.each(SETS)('become a few observations: $name [ME-10/7]', ({ name, same }) => {
    expect(same).toHaveLength(40);
    expect(kept(same).length).toBeLessThanOrEqual(MOST_LEFT[name] ?? 0);
  });

  it.each(SETS)('do not take in what says something else: $name [ME-10/7]', ({ same, different }) => {
    expect(different.length).toBeGreaterThanOrEqual(9);
    const merged = different.flatMap((other) =>
      same.filter((text) => isNearDuplicate(text, other) || isNearDuplicate(other, text)).map((text) => [other, text]),
    );
    expect(merged).toEqual([]);
  });
});

it('texts that differ in a number, a name, a denial or a role stay apart [ME-10/7]', () => {
  const pairs = linesOf('different.txt').flatMap((line) => {
    const [left, right] = line.split(' || ');
    return left === undefined || right === undefined ? [] : [[left, right] as const];
  });
  expect(pairs.length).toBeGreaterThan(310);
  const merged = pairs.filter(([left, right]) => isNearDuplicate(left, right) || isNearDuplicate(right, left));
  expect(merged).toEqual([]);
});

it('different facts stay apart', () => {
  const texts = SETS.flatMap(({ name, same }) => same.map((text) => ({ name, text })));
  const facts = new Facts(texts.map(({ text }) => text));
  const merged = texts.filter(({ name, text }) => facts.find(text, (place) => texts[place]?.name !== name) >= 0);
  expect(merged).toEqual([]);
});
