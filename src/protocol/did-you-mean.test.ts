import { describe, expect, it } from 'vitest';
import { suggestion } from './did-you-mean.js';

describe('a suggestion', () => {
  it.each([
    ['comand', 'command'],
    ['paln', 'plan'],
    ['Runner', 'runner'],
    ['can_clarfy', 'can_clarify'],
    ['rnr', 'runner'],
    ['CMD', 'command'],
    ['pl', 'plan'],
    ['can', 'can_clarify'],
  ])('takes %s for %s', (word, meant) => {
    expect(suggestion(word, ['runner', 'plan', 'can_clarify', 'command'])).toContain(
      ` Did you mean '${meant}'? Allowed: `,
    );
  });

  it.each(['colour', '', 'r', 'nr', 'cnc', 'x'.repeat(10_000)])('is none where nothing is near', (word) => {
    expect(suggestion(word, ['runner', 'plan'])).toBe(' Allowed: runner, plan.');
  });

  it('is none where an abbreviation could be two', () => {
    expect(suggestion('in', ['init', 'inbox'])).toBe(' Allowed: init, inbox.');
  });
});
