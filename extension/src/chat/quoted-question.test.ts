import { describe, expect, it } from 'vitest';
import { quotedQuestion } from './quoted-question.js';

describe('a question about a selection', () => {
  it('quotes the text and its path, and fits the limits', () => {
    const short = quotedQuestion({ path: 'docs/adr/ADR-1.md', line: 7, selected: 'Use\nSQLite.', question: 'Why?' });
    expect(short).toEqual({
      topic: 'docs/adr/ADR-1.md: Why?',
      question: 'Why?\n\ndocs/adr/ADR-1.md, line 7:\n> Use\n> SQLite.',
    });
    const long = quotedQuestion({
      path: 'a.md',
      line: 1,
      selected: 'x\n'.repeat(5000),
      question: `${'why '.repeat(100)}`,
    });
    expect(long.topic.length).toBeLessThanOrEqual(200);
    expect(long.question.length).toBeLessThanOrEqual(2000);
    expect(long.question).toContain('> ...');
  });

  it('is cut inside no character, which no record takes', () => {
    for (const start of ['', 'x']) {
      const words = `${start}${'\u{1f600}'.repeat(120)}`;
      const { topic, question } = quotedQuestion({ path: 'a', line: 1, selected: words.repeat(20), question: words });
      expect(`${topic}${question}`).not.toMatch(/\p{Cs}/u);
    }
  });
});
