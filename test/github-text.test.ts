import fc from 'fast-check';
import { marked, type Token } from 'marked';
import { describe, expect, it } from 'vitest';
import { inline, quoted } from '../src/render/github-text.js';

/* Read by a parser of GitHub's Markdown, whatever was said is text, and stands where it was put. */

/** What has a meaning somewhere in Markdown, in HTML, or to GitHub, between ordinary words. */
const PIECES = [
  ...['@octocat', '#1', 'GH-1', 'fixes', 'https://evil.example', 'www.evil.example', 'javascript:', 'a@b.example'],
  ...['<!--', '-->', '<b>', '</b>', '<details>', '<', '>', '&#64;', '&lt;', '[x]', '(y)', '![', ']:', '[^1]', ']('],
  ...['`', '```', '~~~', '*', '**', '_', '__', '~~', '|', '|-|', '$', '$$', '\\', '\\\\', ':', ':---', '+', '='],
  ...['===', '---', '- ', '1. ', '2) ', '# ', '> ', '    ', '\t', '  ', ' ', '\n', '\n\n', '\r', '\u2028', 'word', 'Z'],
];
const anything = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join(''));

const PLAIN = ['space', 'blockquote', 'paragraph', 'text', 'escape', 'br'];

function typesIn(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap((token) => [token.type, ...typesIn('tokens' in token ? (token.tokens ?? []) : [])]);
}

/** GitHub looks for these in the text that results. */
const REACHES = /@[a-z\d]|#\d|\bgh-\d|:\/\/|\bwww\.[a-z]/i;

function textIn(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      const inner = 'tokens' in token ? (token.tokens ?? []) : [];
      return inner.length > 0 ? textIn(inner) : 'text' in token ? String(token.text) : '';
    })
    .join('');
}

describe('text of an agent on GitHub', () => {
  it('is nothing but text in one quote, which it cannot end [US-7.2/9]', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const tokens = marked.lexer(`Before:\n\n${quoted(`A${text}B`)}\n\nAfter.`);
        expect(tokens.map(({ type }) => type).filter((type) => type !== 'space')).toEqual([
          'paragraph',
          'blockquote',
          'paragraph',
        ]);
        expect(typesIn(tokens).filter((type) => !PLAIN.includes(type))).toEqual([]);
        expect(textIn(tokens)).not.toMatch(REACHES);
      }),
      { numRuns: 500 },
    );
  });

  it('is nothing but text in the line where it stands', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const tokens = marked.lexer(`**Topic:** ${inline(`A${text}B`)}\n\nAfter.`);
        expect(typesIn(tokens).filter((type) => ![...PLAIN, 'strong'].includes(type))).toEqual([]);
        expect(tokens.filter(({ type }) => type !== 'space')).toHaveLength(2);
        expect(textIn(tokens)).not.toMatch(REACHES);
      }),
      { numRuns: 500 },
    );
  });

  it('still says what was said', () => {
    const original = 'Use *two* <adapters> & a `pool` of #10:\n- one\n- two @home';
    const displayed = textIn(marked.lexer(quoted(original))).replaceAll('\u200b', '');
    expect(displayed).toBe(original);
  });
});
