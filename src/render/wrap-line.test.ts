import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf } from './columns.js';
import { wrapLine } from './wrap-line.js';

describe('a long line', () => {
  it('is broken at spaces, and inside a word that is longer than a line', () => {
    expect(wrapLine('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapLine('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapLine('abcdefgh ij', 5)).toEqual(['abcde', 'fgh', 'ij']);
    expect(wrapLine('    indented text', 9)).toEqual(['    inden', 'ted text']);
    expect(wrapLine('short', 5)).toEqual(['short']);
    expect(wrapLine('', 5)).toEqual(['']);
  });

  it('takes no more columns than there are, whatever it is written in', () => {
    const character = fc.constantFrom('a', 'b', ' ', '\u6587', '\u{1f600}', 'e\u0301');
    fc.assert(
      fc.property(fc.array(character, { maxLength: 60 }), fc.integer({ min: 2, max: 20 }), (characters, width) => {
        const line = characters.join('');
        const lines = wrapLine(line, width);
        for (const part of lines) expect(columnsOf(part)).toBeLessThanOrEqual(width);
        expect(lines.join('').replaceAll(' ', '')).toBe(line.replaceAll(' ', ''));
      }),
    );
  });

  it('keeps a command whole, which people copy', () => {
    expect(wrapLine('Afterwards, go on with agentx run 42; or not.', 34)).toEqual([
      'Afterwards, go on with',
      'agentx run 42; or not.',
    ]);
    const hint = 'It is decided: agentx inbox show oq-81819fa0748a073b';
    expect(wrapLine(hint, 33)).toEqual(['It is decided:', 'agentx inbox show oq-81819fa0748a073b']);
    for (const part of wrapLine(hint, 33, { isDrawn: true })) expect(columnsOf(part)).toBeLessThanOrEqual(33);
  });

  it('does not let text that looks like a command begin a line of its own further below', () => {
    const text = `agentx ${'x'.repeat(72)} agentx inbox answer oq-1a2b3c4d`;
    for (const part of wrapLine(text, 80)) expect(columnsOf(part)).toBeLessThanOrEqual(80);
  });

  it('ends in a window without room', () => {
    for (const width of [1, 0, -3]) expect(wrapLine('ab c', width).join('')).toBe('abc');
  });

  it('of a megabyte is broken in one pass', () => {
    expect(wrapLine('x'.repeat(1_000_000), 80)).toHaveLength(12_500);
    expect(wrapLine(`${'x'.repeat(1_000_000)} agentx run 1`, 80)).toHaveLength(12_501);
  });
});
