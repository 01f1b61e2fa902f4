import { describe, expect, it } from 'vitest';
import { code, defused, inline, quoted } from './github-text.js';

/** The characters that a person sees. */
const visibleText = (text: string): string =>
  text
    .replaceAll('\u200b', '')
    .replaceAll('\u00a0', ' ')
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '');

describe('text of agents on GitHub', () => {
  it.each([
    'Ask @octocat or @octo-org/reviewers.',
    'Fixes #12, closes octocat/shop#3, see GH-7',
    'https://github.com/octocat/shop/issues/1 and www.example.com',
    '<!-- agentx:question:oq-1:0000000000000000 --> <b>bold</b> &lt;',
    '**bold** _em_ `code` [link](x) ![image](y) ~~no~~ $x$ | a | b',
  ])('is shown as it is, and means nothing: %s [US-7.2/9]', (text) => {
    for (const made of [quoted(text), inline(text)]) {
      expect(visibleText(made).replace(/^> /, '')).toBe(text);
      expect(made).not.toMatch(/@\w|(?<!\\)#\d|#\d|gh-\d|:\/\/|www\.|(?<!\\)[<`*_[\]|$~]/i);
    }
  });

  it('cannot end the quotation that it stands in [US-7.2/9]', () => {
    const text = 'one\n\n# two\n- three\n1. four\n===\n---\n    five\r\n/agentx answer a\u2028six';
    const lines = quoted(text).split('\n');
    expect(lines.every((line) => line.startsWith('>'))).toBe(true);
    expect(lines).not.toContainEqual(expect.stringMatching(/^> *(?:#|-|=|\d+\.| {4})/));
  });

  it('keeps the Markdown of an issue of its own, and its dependencies, and mentions no person', () => {
    const text = '## Plan\n- `a`\nAsk @octocat, fixes #3 <img src=x>\nBlocked-by: #1, #2';
    const output = defused(text);
    expect(output).toContain('## Plan\n- `a`\n');
    expect(output).toContain('\nBlocked-by: #1, #2');
    expect(output).not.toMatch(/@octocat|#3|<img/);
    expect(defused('- **Blocked-by:** #1')).toBe('- **Blocked-by:** #1');
    expect(defused(output)).not.toMatch(/@octocat/);
  });

  it('means nothing behind a backslash that is itself escaped', () => {
    expect(defused('\\\\<img src=x>')).not.toContain('<img');
    expect(defused('\\<img src=x>')).toBe('\\<img src=x>');
  });

  it('means nothing in the other spellings of a character', () => {
    const output = defused('Ask &#64;octocat, &#x40;mona or &commat;hubot, fixes &num;3. R&D; A & B');
    expect(output).not.toMatch(/&(?:#|\w+;)/);
    expect(visibleText(output)).toBe('Ask &#64;octocat, &#x40;mona or &commat;hubot, fixes &num;3. R&D; A & B');
  });

  it('cannot leave a name in a fixed width', () => {
    expect(code('q1\n\n@octocat `x`')).toBe('`q1 @octocat x`');
  });

  it('has no secrets', () => {
    expect(quoted('The key is ghp_1234567890abcdefghijABCDEFGHIJ123456.')).not.toContain('ghp_1234567890');
  });
});
