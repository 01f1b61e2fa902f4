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
  /** No observation scores more by it. */
  readonly most: number;
  readonly postings: number;
}

/** If one in so many has a score, all are cleared at once. */
const MANY = 8;

const NEW = 0;
const COUNTED = 1;
const KEPT = 2;

export class Scoreboard {
  /** By number of the observation, behind the margin. */
  scores = new Float32Array(2 * MARGIN);
  /** The bits of the words that each has, behind the margin. */
  covered = new Int32Array(2 * MARGIN);
  /** The first `count` are those that have a score. */
  scored = new Uint16Array(0);
  count = 0;
  #marks = new Uint8Array(0);
  #hasMarks = false;

  /** Space for so many observations. */
  open(count: number): void {
    if (this.scored.length >= count) return;
    this.scores = new Float32Array(count + 2 * MARGIN);
    this.covered = new Int32Array(count + 2 * MARGIN);
    this.scored = new Uint16Array(count);
    this.#marks = new Uint8Array(count);
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
        if (before === 0) scored[count++] = doc;
        scores[doc + MARGIN] = before + weight * (ofPosting[at] ?? 0);
        covered[doc + MARGIN] = (covered[doc + MARGIN] ?? 0) | bit;
      }
    }
    this.count = count;
  }

  /** From now on, `addToKept` scores those alone that have a score or stand so near to one that has. */
  keepAround(reach: number): void {
    const { scored, count } = this;
    const marks = this.#marks;
    // They were scored word by word, each time in their order: most are marked already up to somewhere.
    let [before, next] = [0, 0];
    for (let at = 0; at < count; at++) {
      const doc = scored[at] ?? 0;
      if (doc < before) next = 0;
      const end = Math.min(doc + reach + 1, marks.length);
      for (let near = Math.max(doc - reach, next); near < end; near++) marks[near] = KEPT;
      [before, next] = [doc, end];
    }
    this.#hasMarks = true;
  }

  /** As `add`, for those that are kept. Returns how many others have it that are wanted and were not counted yet. */
  addToKept(
    { postingAt, postingDoc }: Segment,
    { terms, bit }: ScoredWord,
    {
      shares: { ofPosting },
      isWanted,
    }: { readonly shares: Shares; readonly isWanted: ((doc: number) => boolean) | undefined },
  ): number {
    const { scores, covered, scored } = this;
    const marks = this.#marks;
    let { count } = this;
    let others = 0;
    for (const { place, weight } of terms) {
      const end = postingAt[place + 1] ?? 0;
      for (let at = postingAt[place] ?? 0; at < end; at++) {
        const doc = postingDoc[at] ?? 0;
        const mark = marks[doc] ?? NEW;
        if (mark === COUNTED) continue;
        if (mark === NEW) {
          marks[doc] = COUNTED;
          if (isWanted === undefined || isWanted(doc)) others++;
          continue;
        }
        const before = scores[doc + MARGIN] ?? 0;
        if (before === 0) scored[count++] = doc;
        scores[doc + MARGIN] = before + weight * (ofPosting[at] ?? 0);
        covered[doc + MARGIN] = (covered[doc + MARGIN] ?? 0) | bit;
      }
    }
    this.count = count;
    return others;
  }

  /** How many have a score and are wanted. */
  countOf(isWanted: ((doc: number) => boolean) | undefined): number {
    if (isWanted === undefined) return this.count;
    let wanted = 0;
    for (let at = 0; at < this.count; at++) if (isWanted(this.scored[at] ?? 0)) wanted++;
    return wanted;
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
    if (this.#hasMarks) this.#marks.fill(NEW);
    this.#hasMarks = false;
  }
}
