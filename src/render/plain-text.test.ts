import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainLine, plainText } from './plain-text.js';

describe('plain text', () => {
  it.each([
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['cursor movement and erasing', 'a\u001b[2J\u001b[1;1Hb', 'ab'],
    ['window titles', '\u001b]0;pwned\u0007text', 'text'],
    ['links', '\u001b]8;;http://x\u001b\\here\u001b]8;;\u001b\\', 'here'],
    ['the start of a sequence without an end, and hides no word', 'Use A\u001b]0;\nNot B', 'Use A0;\nNot B'],
    ['the same on one line', 'x\u001b]52;c;aGk=', 'x52;c;aGk='],
    ['the same of a device control string', 'Use A\u001bPnot B', 'Use Anot B'],
    ['device control strings', '\u001bPq#0\u001b\\done', 'done'],
    ['eight-bit control sequences', '\u009b31mred', 'red'],
    ['resets and lone escapes', '\u001bcnew\u001b', 'new'],
    ['bells, backspaces and nulls', 'a\u0007\bb\0', 'ab'],
    ['text that runs backwards', 'abc\u202edcba', 'abcdcba'],
    ['marks of a direction', 'a\u200eb\u200fc\u061cd', 'abcd'],
  ])('strips %s', (_, text, plain) => {
    expect(plainText(text)).toBe(plain);
  });

  it('keeps line breaks, tabs and every language', () => {
    expect(plainText('one\r\ntwo\rthree\tGr\u00fc\u00dfe \u4f60\u597d \u{1f600}')).toBe(
      'one\ntwo\nthree\tGr\u00fc\u00dfe \u4f60\u597d \u{1f600}',
    );
  });

  it('leaves no control character, whatever comes in', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('\u001b', '[', ']', '\u009b', 'm', '\u0007', '\\', '0', ';', 'P', '\n') }),
        (text) => {
          expect(plainText(text)).not.toMatch(/[^\P{Cc}\n\t]/u);
        },
      ),
    );
  });

  it('folds white space where one line is all there is', () => {
    expect(plainLine('  a\n\n b\tc ')).toBe('a b c');
  });
});
