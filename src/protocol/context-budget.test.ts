import { describe, expect, it } from 'vitest';
import { aWorkBrief } from '../../test/builders/brief.js';
import { bandOf, contextOf } from './context-budget.js';

const words = (tokens: number) => 'abc '.repeat(tokens);

describe('what a brief takes of a window', () => {
  it('is told part by part, what memory recalled among them [ME-6/2]', () => {
    const memory = `## Memory Recall\n\n- ${words(50)}\n- ${words(50)}`;
    const brief = aWorkBrief({
      issue: { number: 42, title: '', body: words(100), labels: [] },
      artifacts: [
        { path: 'a.md', content: words(1000) },
        { path: 'b.md', content: words(500) },
      ],
      memory,
      prompt: words(2000),
    });
    const parts = contextOf(brief);
    expect(parts.find(({ part }) => part === 'artifacts')).toEqual({ part: 'artifacts', tokens: 1500, items: 2 });
    expect(parts.find(({ part }) => part === 'memory')).toEqual({ part: 'memory', tokens: 106, items: 2 });
    expect(parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(2000);
  });
});

describe('the band of a share', () => {
  it.each([
    [0, 'ok'],
    [0.499, 'ok'],
    [0.5, 'watch'],
    [0.7, 'compact-soon'],
    [0.9, 'critical'],
    [1.5, 'critical'],
  ])('of %d is %s', (share, band) => {
    expect(bandOf(share)).toBe(band);
  });
});
