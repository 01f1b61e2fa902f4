import { describe, expect, it } from 'vitest';
import { MAX_JSON_DEPTH } from './limits.js';
import { findUnsound, pathText, textProblem } from './sound-data.js';

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

describe('data that comes from outside', () => {
  it('may be nested so deep and no deeper, however deep it is', () => {
    expect(findUnsound(nested(MAX_JSON_DEPTH))).toBeUndefined();
    for (const depth of [MAX_JSON_DEPTH + 1, 5_000, 200_000]) {
      expect(findUnsound({ extra: nested(depth) })?.problem).toBe('is nested more than 200 levels deep');
    }
  });

  it('that holds itself is too deep as well', () => {
    const circle: Record<string, unknown> = {};
    circle.again = circle;
    expect(findUnsound(circle)?.problem).toContain('nested more than 200');
  });

  it.each([
    [{ a: [{ b: 'x\0y' }] }, 'a[0].b', 'has a NUL character'],
    ['\0', 'it', 'has a NUL character'],
    [{ text: 'half \ud83d of it' }, 'text', 'has half of a character (U+D83D)'],
    [{ text: 'other half \ude00' }, 'text', 'has half of a character (U+DE00)'],
    [{ a: { 'k\0': 1 } }, 'a', 'has a NUL character in a key'],
    [JSON.parse('{"a":{"__proto__":{"b":1}}}'), 'a.__proto__', 'is not an allowed key'],
  ])('is refused with its place: %j', (value, path, problem) => {
    const defect = findUnsound(value);
    expect(defect && { path: pathText(defect.path, 'it'), problem: defect.problem }).toEqual({ path, problem });
  });

  it('is fine with whole characters of every kind, and with dates and functions of a caller', () => {
    expect(findUnsound({ text: 'a\tb\n\u{1f600}\ufffd', at: new Date(0), call: () => '\0' })).toBeUndefined();
    expect(textProblem('\u{1f600}')).toBeUndefined();
  });

  it('may hold any text where it is what a program printed', () => {
    expect(findUnsound({ stderr: '\0' }, { anyText: true })).toBeUndefined();
    expect(findUnsound(nested(300), { anyText: true })).toBeDefined();
  });
});
