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

  it('takes texts for the same in meaning if one only adds a word to the other, and no denial', () => {
    const text = 'one two three four five six seven eight nine ten';
    expect(meansTheSame(text, `${text} eleven`)).toBe(true);
    expect(meansTheSame(`${text} eleven`, `${text} twelve`)).toBe(false);
    expect(meansTheSame(text, `${text} never`)).toBe(false);
    expect(meansTheSame(`It isn't ${text}`, `It is ${text}`)).toBe(false);
  });
});
