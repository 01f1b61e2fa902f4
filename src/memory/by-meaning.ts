import type { Embedder } from '../ports/embedder.js';

/** Neither of the two orders decides alone: each place counts as 1 / (this number + the place). */
const EVENED_BY = 60;

/**
 * What a search found by its words, ordered by words and meaning together. Rejects if the embedder does, or if it answers
 * with something else than a vector for each text.
 */
export async function byMeaning<T extends { readonly summary: string }>(
  embedder: Embedder,
  query: string,
  matches: readonly T[],
): Promise<readonly T[]> {
  if (matches.length < 2) return matches;
  const [queryVector, ...vectors] = await embedder.embed([query, ...matches.map(({ summary }) => summary)]);
  if (queryVector === undefined || vectors.length !== matches.length) throw new Error('The embedder left out a text.');
  const near = vectors.map((vector, place) => ({ place, nearness: cosine(queryVector, vector) }));
  const placeByMeaning = new Map(
    near.toSorted((left, right) => right.nearness - left.nearness).map(({ place }, order) => [place, order]),
  );
  return matches
    .map((item, place) => ({ item, weight: share(place) + share(placeByMeaning.get(place) ?? place) }))
    .toSorted((left, right) => right.weight - left.weight)
    .map(({ item }) => item);
}

function share(place: number): number {
  return 1 / (EVENED_BY + place);
}

function cosine(left: readonly number[], right: readonly number[]): number {
  let [product, ofLeft, ofRight] = [0, 0, 0];
  for (const [place, value] of left.entries()) {
    const other = right[place] ?? 0;
    product += value * other;
    ofLeft += value * value;
    ofRight += other * other;
  }
  return ofLeft === 0 || ofRight === 0 ? 0 : product / Math.sqrt(ofLeft * ofRight);
}
