import { describe, expect, it } from 'vitest';
import { fitted } from './shorten-result.js';

const MAX = 9_000;

describe('a result for a model', () => {
  it('stays whole while every client takes it whole', () => {
    const answers = [{ answer: 'a'.repeat(2_000) }, { answer: 'b'.repeat(2_000) }, { answer: 'c'.repeat(2_000) }];
    const longResult = { text: 'x'.repeat(MAX), data: { answers } };
    expect(fitted(longResult)).toEqual(longResult);
  });

  it('is cut at the ends of its longest texts and lists otherwise', () => {
    const issues = Array.from({ length: 5_000 }, (_, number) => ({ number, title: 'A title' }));
    const { text, data } = fitted({
      text: 'x'.repeat(50_000),
      data: { id: 'CLR-1-001', body: '\u{1F600}'.repeat(40_000), issues, next: 'Go on.' },
    });
    expect(text).toHaveLength(MAX);
    expect(JSON.stringify(data).length).toBeLessThanOrEqual(MAX);
    expect(data).toMatchObject({ id: 'CLR-1-001', next: 'Go on.' });
    // No half characters.
    expect(String(data.body)).toBe(Buffer.from(String(data.body)).toString());
  });
});
