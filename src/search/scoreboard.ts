import type { Segment } from './segment.js';
import type { Shares } from './shares.js';

/*
 * What the observations of one segment score by their own words, while a query is answered. All searches of a process use
 * one board: clearing what was touched is cheaper than new arrays.
 */

/** So that the first and the last observation have something beside them: zeros. */
export const MARGIN = 2;

/** A word of the query in one segment, with all that it may be called there. */
export interface ScoredWord {
  /** Of the word; 0 for names of issues and agents, which are none. */
  readonly bit: number;
  readonly terms: readonly { readonly place: number; readonly weight: number }[];
}

/** If one in so many has a score, all are cleared at once. */
const MANY = 8;

export class Scoreboard {
  /** By number of the observation, behind the margin. */
  scores = new Float32Array(2 * MARGIN);
  /** The bits of the words that each has, behind the margin. */
  covered = new Int32Array(2 * MARGIN);
  /** The first `count` are those that have a score. */
  scored = new Uint16Array(0);
  count = 0;

  /** Space for so many observations. */
  open(count: number): void {
    if (this.scored.length > count) return;
    this.scores = new Float32Array(count + 2 * MARGIN);
    this.covered = new Int32Array(count + 2 * MARGIN);
    this.scored = new Uint16Array(count + 1);
  }

  /** Adds what the word scores in each observation that has it. */
  add({ postingAt, postingDoc }: Segment, { terms, bit }: ScoredWord, { ofPosting }: Shares): void {
    const { scores, covered, scored } = this;
    let { count } = this;
    for (const { place, weight } of terms) {
      const end = postingAt[place + 1] ?? 0;
      for (let at = postingAt[place] ?? 0; at < end; at++) {
        const doc = postingDoc[at] ?? 0;
        const before = scores[doc + MARGIN] ?? 0;
        // Always written and sometimes counted: what a processor cannot foresee costs it more than a write.
        scored[count] = doc;
        count += before === 0 ? 1 : 0;
        scores[doc + MARGIN] = before + weight * (ofPosting[at] ?? 0);
        covered[doc + MARGIN] = (covered[doc + MARGIN] ?? 0) | bit;
      }
    }
    this.count = count;
  }

  /** How many have a score and are wanted. */
  countOf(isWanted: ((doc: number) => boolean) | undefined): number {
    if (isWanted === undefined) return this.count;
    let wantedCount = 0;
    for (let at = 0; at < this.count; at++) if (isWanted(this.scored[at] ?? 0)) wantedCount++;
    return wantedCount;
  }

  close(): void {
    const { scores, covered, scored, count } = this;
    if (count * MANY > scored.length) {
      scores.fill(0);
      covered.fill(0);
    } else {
      for (let at = 0; at < count; at++) {
        const place = (scored[at] ?? 0) + MARGIN;
        scores[place] = 0;
        covered[place] = 0;
      }
    }
    this.count = 0;
  }
}
