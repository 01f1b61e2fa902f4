import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meansTheSame, saysTheSame, similarity } from './similarity.js';

describe('similarity', () => {
  it('is symmetric, between 0 and 1, and 1 of a text with itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (left, right) => {
        expect(similarity(left, right)).toBe(similarity(right, left));
        expect(similarity(left, right)).toBeGreaterThanOrEqual(0);
        expect(similarity(left, right)).toBeLessThanOrEqual(1);
        expect(similarity(left, left)).toBe(1);
      }),
    );
  });

  it.each([
    ['case and punctuation', 'Which database: SQLite, or PostgreSQL?', 'which database sqlite or postgresql'],
    ['word order and repetition', 'SQLite or PostgreSQL', 'PostgreSQL or or SQLite'],
    ['composed and decomposed letters', 'Caf\u00e9 men\u00fc', 'Cafe\u0301 menu\u0308'],
    [
      'Cyrillic case',
      '\u041a\u0430\u043a\u0430\u044f \u0431\u0430\u0437\u0430?',
      '\u043a\u0430\u043a\u0430\u044f \u0411\u0410\u0417\u0410',
    ],
    [
      'Japanese punctuation',
      '\u3069\u306e\u30c7\u30fc\u30bf\u30d9\u30fc\u30b9\uff1f',
      '\u3069\u306e\u30c7\u30fc\u30bf\u30d9\u30fc\u30b9',
    ],
    ['nothing but punctuation', '???', ' ??? '],
  ])('does not count %s', (_what, left, right) => {
    expect(similarity(left, right)).toBe(1);
  });

  it('counts shared words of all words', () => {
    expect(similarity('a b c d', 'a b c e')).toBeCloseTo(3 / 5);
    expect(similarity('one two', 'three four')).toBe(0);
    expect(similarity('', 'something')).toBe(0);
    expect(similarity('?', '!')).toBe(0);
  });

  it('tells sentences apart in scripts without spaces', () => {
    expect(
      similarity('\u6570\u636e\u5e93\u9009\u54ea\u4e2a', '\u6570\u636e\u5e93\u9009\u54ea\u4e2a\u5462'),
    ).toBeGreaterThan(0.8);
    expect(similarity('\u6570\u636e\u5e93\u9009\u54ea\u4e2a', '\u7528\u6237\u5982\u4f55\u767b\u5f55')).toBeLessThan(
      0.2,
    );
  });

  it('takes texts for the same above 0.8 only [US-5.2/4]', () => {
    expect(similarity('a b c d', 'a b c d e')).toBe(0.8);
    expect(saysTheSame('a b c d', 'a b c d e')).toBe(false);
    expect(saysTheSame('a b c d e', 'a b c d e f')).toBe(true);
  });

  it.each([
    ['Which database should be used?', 'which database should be used here, please'],
    ['SQLite or PostgreSQL?', 'PostgreSQL or SQLite?'],
    ['\u6570\u636e\u5e93\u9009\u54ea\u4e2a', '\u6570\u636e\u5e93\u9009\u54ea\u4e2a\uff1f'],
  ])('takes texts for the same in meaning: %s = %s', (left, right) => {
    expect(meansTheSame(left, right)).toBe(true);
    expect(meansTheSame(right, left)).toBe(true);
  });

  it.each([
    [
      'Delete all rows of the orders table on the test host',
      'Delete all rows of the orders table on the test host if paid',
    ],
    ['Send a mail to all of the customers who bought it', 'Never send a mail to all of the customers who bought it'],
    ["It isn't needed by any of the pages", 'It is needed by any of the pages'],
    ['Drop the table users and keep the table orders', 'Drop the table orders and keep the table users'],
    ['Upgrade react from 18 to 19 in the web package', 'Upgrade react from 19 to 18 in the web package'],
    ['Use the live keys on the first host of the shop', 'Use the test keys on the first host of the shop'],
    ['?', '!'],
    ['Now?', 'Here?'],
  ])('does not take what adds, denies or exchanges something for the same: %s / %s', (left, right) => {
    expect(meansTheSame(left, right)).toBe(false);
    expect(meansTheSame(right, left)).toBe(false);
  });
});
