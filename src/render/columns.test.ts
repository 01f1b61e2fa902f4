import { describe, expect, it } from 'vitest';
import { columnsOf, cutTo, padTo, spread } from './columns.js';

describe('columns', () => {
  it('counts wide characters twice and marks not at all', () => {
    expect(columnsOf('plain')).toBe(5);
    expect(columnsOf('\u4e2d\u6587')).toBe(4);
    expect(columnsOf('e\u0301')).toBe(1);
    expect(columnsOf('\u2705 \u26a1 \u274c \u2b50')).toBe(11);
    expect(columnsOf('\u{1f1e9}\u{1f1ea}')).toBe(2);
    expect(columnsOf('a\u2060b\ufeff')).toBe(2);
    // Vowels of Devanagari have a column of their own, those of Korean letters stand inside the first one.
    expect(columnsOf('\u0915\u093e')).toBe(2);
    expect(columnsOf('\u1112\u1161\u11ab')).toBe(2);
  });

  it('cuts what does not fit, within the columns and never in the middle of a wide character', () => {
    expect(cutTo('Health endpoint', 15)).toBe('Health endpoint');
    expect(cutTo('Health endpoint', 10)).toBe('Health e..');
    expect(columnsOf(cutTo('\u4e2d\u6587\u4e2d\u6587\u4e2d', 7))).toBeLessThanOrEqual(7);
    expect(cutTo('abc', 2)).toBe('ab');
    expect(cutTo('abc', 0)).toBe('');
  });

  it('puts one text left and one right', () => {
    expect(spread('left', 'right', 12)).toBe('left   right');
    expect(spread('much too long', 'right', 14)).toBe('much ..  right');
    expect(padTo('\u4e2d', 4)).toBe('\u4e2d  ');
  });
});
