import { describe, expect, it } from 'vitest';
import { byMeaning } from './by-meaning.js';

const found = ['a', 'b', 'c'].map((summary) => ({ summary }));
const embedder = (vectors: Readonly<Record<string, readonly number[]>>) => ({
  embed: async (texts: readonly string[]) => texts.map((text) => vectors[text] ?? []),
});

describe('an order by meaning', () => {
  it('brings forward what means the same, and leaves equals in their order', async () => {
    const vectors = { q: [1, 0], a: [0, 1], b: [0, 1], c: [1, 0] };
    expect(await byMeaning(embedder(vectors), 'q', found)).toEqual([
      { summary: 'a' },
      { summary: 'c' },
      { summary: 'b' },
    ]);
    expect(await byMeaning(embedder({ q: [1], a: [1], b: [1], c: [1] }), 'q', found)).toEqual(found);
    expect(await byMeaning(embedder({}), 'q', found)).toEqual(found);
  });

  it('is refused if a vector is missing', async () => {
    await expect(byMeaning({ embed: async () => [[1]] }, 'q', found)).rejects.toThrow('left out');
  });
});
