import type { Segment } from './segment.js';

/*
 * How much of its weight a word counts in a text (BM25): more if it stands there often, less in a long text than in a
 * short one. It is found out for a word when a query first has it.
 */

export const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.5;
/** For texts of so many words and more, the same is counted: no observation is that long. */
const LONGEST = 1023;

export class Shares {
  /** By number of the posting; of the words that were looked for. */
  readonly ofPosting: Float32Array;
  /** By place in the dictionary: 1 for those words. */
  readonly #isFound: Uint8Array;

  constructor(
    private readonly segment: Segment,
    private readonly once: Float32Array,
  ) {
    this.ofPosting = new Float32Array(segment.postingDoc.length);
    this.#isFound = new Uint8Array(segment.termAt.length);
  }

  /** Of the word at that place of the dictionary. */
  find(place: number): void {
    if (this.#isFound[place] === 1) return;
    this.#isFound[place] = 1;
    const { postingAt, postingDoc, postingCount, lengths } = this.segment;
    const { once, ofPosting } = this;
    const end = postingAt[place + 1] ?? 0;
    for (let at = postingAt[place] ?? 0; at < end; at++) {
      const occurrences = postingCount[at] ?? 0;
      // Nearly all words stand once in a text: for these, the division is done already.
      const share = once[Math.min(lengths[postingDoc[at] ?? 0] ?? 0, LONGEST)] ?? 1;
      ofPosting[at] = occurrences === 1 ? share : occurrences / (occurrences + 1 / share - 1);
    }
  }
}

const sharesBySegment = new WeakMap<Segment, { readonly average: number; readonly shares: Shares }>();

/** Among texts that are so long on average. */
export function sharesIn(segment: Segment, average: number): Shares {
  const latest = sharesBySegment.get(segment);
  if (latest?.average === average) return latest.shares;
  const shares = new Shares(segment, onceByLength(average));
  sharesBySegment.set(segment, { average, shares });
  return shares;
}

let byLength: { readonly average: number; readonly once: Float32Array } | undefined;

/** By length of the text, what a word counts that stands in it once. */
function onceByLength(average: number): Float32Array {
  if (byLength?.average === average) return byLength.once;
  const once = new Float32Array(LONGEST + 1);
  for (let length = 0; length <= LONGEST; length++) {
    const relative = length / Math.max(average, 1);
    once[length] = 1 / (1 + SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * relative));
  }
  byLength = { average, once };
  return once;
}
