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

function isBetter(left: Hit, right: Hit): boolean {
  if (left.score !== right.score) return left.score > right.score;
  const [leftAt = 0, rightAt = 0] = [left.segment.at[left.doc], right.segment.at[right.doc]];
  if (leftAt !== rightAt) return leftAt > rightAt;
  return idOf(left.segment, left.doc) < idOf(right.segment, right.doc);
}
