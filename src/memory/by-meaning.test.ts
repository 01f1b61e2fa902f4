import { describe, expect, it } from 'vitest';
import { byMeaning } from './by-meaning.js';

const matches = ['a', 'b', 'c'].map((summary) => ({ summary }));
const embedder = (vectors: Readonly<Record<string, readonly number[]>>) => ({
  embed: async (texts: readonly string[]) => texts.map((text) => vectors[text] ?? []),
});

describe('an order by meaning', () => {
  it('brings forward what means the same, and leaves equals in their order', async () => {
    const vectors = { q: [1, 0], a: [0, 1], b: [0, 1], c: [1, 0] };
    expect(await byMeaning(embedder(vectors), 'q', matches)).toEqual([
      { summary: 'a' },
      { summary: 'c' },
      { summary: 'b' },
    ]);
    expect(await byMeaning(embedder({ q: [1], a: [1], b: [1], c: [1] }), 'q', matches)).toEqual(matches);
    expect(await byMeaning(embedder({}), 'q', matches)).toEqual(matches);
  });

  it('is refused if a vector is missing', async () => {
    await expect(byMeaning({ embed: async () => [[1]] }, 'q', matches)).rejects.toThrow('left out');
  });
});
