import { idOf, type Segment } from './segment.js';

export interface Hit {
  readonly segment: Segment;
  readonly doc: number;
  readonly score: number;
}

/** The best so many, best first. Among equals, the newest. */
export class BestHits {
  readonly hits: Hit[] = [];
  /** What a hit needs to be among them; 0 while there is space. */
  least = 0;

  constructor(private readonly limit: number) {}

  offer(hit: Hit): void {
    const last = this.hits.at(-1);
    if (this.hits.length === this.limit && last !== undefined && !isBetter(hit, last)) return;
    const { hits } = this;
    if (hits.length < this.limit) hits.push(hit);
    let place = hits.length - 1;
    for (; place > 0; place--) {
      const other = hits[place - 1];
      if (other === undefined || isBetter(other, hit)) break;
      hits[place] = other;
    }
    hits[place] = hit;
    if (this.hits.length === this.limit) this.least = this.hits.at(-1)?.score ?? 0;
  }
}

/** The largest so many of the numbers that it was offered. */
export class LargestScores {
  /** The smallest of them; 0 while there is space. */
  least = 0;
  /** A heap: the smallest is the first. */
  readonly #heap: number[] = [];

  constructor(private readonly limit: number) {}

  offer(score: number): void {
    const heap = this.#heap;
    if (heap.length === this.limit && score <= this.least) return;
    if (heap.length < this.limit) rise(heap, score);
    else sink(heap, score);
    if (heap.length === this.limit) this.least = heap[0] ?? 0;
  }
}

function rise(heap: number[], score: number): void {
  let place = heap.push(score) - 1;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    const above = heap[parent] ?? 0;
    if (above <= score) break;
    heap[place] = above;
    place = parent;
  }
  heap[place] = score;
}

/** Takes the place of the smallest. */
function sink(heap: number[], score: number): void {
  let place = 0;
  for (;;) {
    const left = 2 * place + 1;
    const child = (heap[left + 1] ?? Infinity) < (heap[left] ?? Infinity) ? left + 1 : left;
    const below = heap[child] ?? Infinity;
    if (below >= score) break;
    heap[place] = below;
    place = child;
  }
  heap[place] = score;
}

function isBetter(left: Hit, right: Hit): boolean {
  if (left.score !== right.score) return left.score > right.score;
  const [leftAt = 0, rightAt = 0] = [left.segment.at[left.doc], right.segment.at[right.doc]];
  if (leftAt !== rightAt) return leftAt > rightAt;
  return idOf(left.segment, left.doc) < idOf(right.segment, right.doc);
}
