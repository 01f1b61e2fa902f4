import type { ObservationCategory, ObservationIndex } from '../protocol/observation.js';
import type { RecallCounts } from '../protocol/recalls.js';
import type { Hit } from './best-hits.js';
import { buildSegments, type GroupContent } from './build-segment.js';
import { mergeSegments } from './merge-segments.js';
import { type LiveSegment, rank } from './rank.js';
import { CATEGORIES, DECIDED, docsWith, entryOf, type Group, idOf, MAX_SEGMENT, type Segment } from './segment.js';

export interface EntryFilter {
  readonly agent?: string | undefined;
  readonly issueNumber?: number | undefined;
  readonly category?: ObservationCategory | undefined;
  /** Epoch milliseconds: from this one on, and before that one. */
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  /** Archived ones too; otherwise they stay out. */
  readonly archived?: boolean | undefined;
  /** Only what can answer a question. */
  readonly isDecided?: boolean | undefined;
}

/** More small segments than these are merged: each costs a look into its dictionary. */
const MOST_SEGMENTS = 24;

/**
 * Everything that is searched: segments, of which the first were loaded and the others hold what changed since. A group
 * is replaced whole.
 */
export class SearchIndex {
  #segments: LiveSegment[];
  readonly #groups = new Map<string, { readonly live: LiveSegment; readonly group: Group }>();
  #count = 0;
  /** Those that the segments know. */
  #recalls: RecallCounts | undefined;

  constructor(segments: readonly Segment[] = []) {
    this.#segments = segments.map(liveOf);
    for (const live of this.#segments) for (const group of live.segment.groups) this.#enter(live, group);
  }

  get count(): number {
    return this.#count;
  }

  get segments(): readonly LiveSegment[] {
    return this.#segments;
  }

  group(key: string): Group | undefined {
    return this.#groups.get(key)?.group;
  }

  keys(): readonly string[] {
    return [...this.#groups.keys()];
  }

  replace(contents: readonly GroupContent[]): void {
    for (const { key } of contents) this.remove(key);
    for (const segment of buildSegments(contents)) {
      const live = liveOf(segment);
      this.#segments.push(live);
      for (const group of segment.groups) this.#enter(live, group);
    }
    if (this.#segments.length > MOST_SEGMENTS) this.#mergeSmall();
  }

  remove(key: string): void {
    const entry = this.#groups.get(key);
    if (entry === undefined) return;
    const { live, group } = entry;
    this.#groups.delete(key);
    this.#count -= group.count;
    live.dead ??= new Uint8Array(live.segment.count);
    live.dead.fill(1, group.start, group.start + group.count);
  }

  /** From now on these recalls count, beside those that observations tell of themselves. */
  useRecalls(counts: RecallCounts): void {
    if (counts === this.#recalls) return;
    this.#recalls = counts;
    const hasAny = Object.keys(counts).length > 0;
    for (const live of this.#segments) live.recalls = hasAny ? { counts, byDoc: new Map() } : undefined;
  }

  /** Everything in as few segments as possible, to be stored. */
  compacted(): readonly Segment[] {
    this.#merge(this.#segments);
    return this.#segments.map(({ segment }) => segment);
  }

  search(query: string, filter: EntryFilter, limit: number): { readonly hits: readonly Hit[]; readonly total: number } {
    return rank(this, { query, accepts: (segment) => acceptor(segment, filter), limit });
  }

  /** What the filter accepts, newest first. */
  list(filter: EntryFilter = {}): readonly ObservationIndex[] {
    return this.entries(filter).map(({ segment, doc }) => entryOf(segment, doc));
  }

  entries(filter: EntryFilter = {}): readonly Omit<Hit, 'score'>[] {
    const hits: { segment: Segment; doc: number }[] = [];
    for (const { segment, dead } of this.#segments) {
      const isAccepted = acceptor(segment, filter);
      for (let doc = 0; doc < segment.count; doc++) {
        if (dead?.[doc] !== 1 && isAccepted?.(doc) !== false) hits.push({ segment, doc });
      }
    }
    return hits.sort(newestFirst);
  }

  #enter(live: LiveSegment, group: Group): void {
    this.#recalls = undefined;
    this.#groups.set(group.key, { live, group });
    this.#count += group.count;
  }

  /** Large ones are left alone: what is merged again and again is small. */
  #mergeSmall(): void {
    const [largest, ...others] = this.#segments.toSorted((left, right) => right.segment.count - left.segment.count);
    const isSmall = largest !== undefined && largest.segment.count > 4 * this.#countOf(others);
    this.#merge(isSmall ? this.#segments.filter((live) => live !== largest) : this.#segments);
  }

  #merge(segments: readonly LiveSegment[]): void {
    if (segments.length < 2 && segments[0]?.dead === undefined) return;
    const others = this.#segments.filter((live) => !segments.includes(live));
    const results: LiveSegment[] = [];
    for (const batch of batchesOf(segments.map((live) => ({ live, count: this.#countOf([live]) })))) {
      const parts = batch.map((live) => ({ segment: live.segment, groups: this.#groupsOf(live) }));
      const live = liveOf(mergeSegments(parts));
      for (const group of live.segment.groups) this.#groups.set(group.key, { live, group });
      this.#recalls = undefined;
      results.push(live);
    }
    this.#segments = [...others, ...results];
  }

  #groupsOf(live: LiveSegment): readonly Group[] {
    return live.segment.groups.filter((group) => this.#groups.get(group.key)?.live === live);
  }

  #countOf(segments: readonly LiveSegment[]): number {
    return segments.reduce((sum, live) => sum + this.#groupsOf(live).reduce((all, { count }) => all + count, 0), 0);
  }
}

/** Among those of one moment by id: a page of a list goes on behind the last one of the page before. */
function newestFirst(left: Omit<Hit, 'score'>, right: Omit<Hit, 'score'>): number {
  const byTime = (right.segment.at[right.doc] ?? 0) - (left.segment.at[left.doc] ?? 0);
  return byTime || (idOf(left.segment, left.doc) < idOf(right.segment, right.doc) ? -1 : 1);
}

function liveOf(segment: Segment): LiveSegment {
  return { segment, dead: undefined, recalls: undefined };
}

/** As few as possible, none of them too large. */
function batchesOf(segments: readonly { readonly live: LiveSegment; readonly count: number }[]): LiveSegment[][] {
  const batches: LiveSegment[][] = [];
  let space = 0;
  for (const { live, count } of segments) {
    if (count > space || batches.length === 0) {
      batches.push([]);
      space = MAX_SEGMENT;
    }
    batches.at(-1)?.push(live);
    space -= count;
  }
  return batches;
}

/** Whether the observation of that number is wanted, decided from the columns alone; undefined if all of them are. */
function acceptor(segment: Segment, filter: EntryFilter): ((doc: number) => boolean) | undefined {
  const { agent, issueNumber, category, sinceMs = -Infinity, untilMs = Infinity, archived = false } = filter;
  const agentNumber = agent === undefined ? -1 : segment.agents.indexOf(agent);
  const categoryNumber = category === undefined ? -1 : CATEGORIES.indexOf(category);
  const ranges =
    issueNumber === undefined ? undefined : segment.groups.filter((group) => group.issueNumber === issueNumber);
  const isUnknown = (agent !== undefined && agentNumber < 0) || (category !== undefined && categoryNumber < 0);
  if (isUnknown || ranges?.length === 0) return () => false;
  const { archived: _archived, isDecided = false, ...narrowing } = filter;
  const isNarrow = isDecided || Object.values(narrowing).some((value) => value !== undefined);
  const { at, agent: agents, category: categories, archived: isArchived } = segment;
  if (!isNarrow) return archived || !hasArchived(segment) ? undefined : (doc) => isArchived[doc] !== 1;
  const decidedDocs = isDecided ? docsWith(segment, DECIDED) : undefined;
  return (doc) => {
    if (!archived && isArchived[doc] === 1) return false;
    if (decidedDocs?.has(doc) === false) return false;
    if (agentNumber >= 0 && agents[doc] !== agentNumber) return false;
    if (categoryNumber >= 0 && categories[doc] !== categoryNumber) return false;
    if (ranges !== undefined && !ranges.some(({ start, count }) => doc >= start && doc < start + count)) return false;
    const time = at[doc] ?? 0;
    return time >= sinceMs && time < untilMs;
  };
}

const archivedIn = new WeakMap<Segment, boolean>();

function hasArchived(segment: Segment): boolean {
  const hasAny = archivedIn.get(segment) ?? segment.archived.includes(1);
  archivedIn.set(segment, hasAny);
  return hasAny;
}
