import { isDecided, type Observation } from '../protocol/observation.js';
import { germanTermsOf, isGerman } from './german.js';
import { CATEGORIES, DECIDED, type Group, MAX_SEGMENT, type Segment, SUFFIX_LENGTH } from './segment.js';
import { wordsOf } from './words.js';

/** The observations of one file, to be indexed. */
export interface GroupContent extends Pick<Group, 'key' | 'issueNumber' | 'isArchived' | 'print'> {
  readonly observations: readonly Observation[];
}

const MOST = 255;
const LONGEST_TEXT = 65_535;
const ID = /^obs-(.*)-(\d+)-(\d+)-([A-Za-z0-9]{6})$/;

/** As many segments as the number of observations takes. */
export function buildSegments(contents: Iterable<GroupContent>): Segment[] {
  const segments: Segment[] = [];
  let builder = new SegmentBuilder();
  for (const content of contents) {
    if (builder.count > 0 && builder.count + content.observations.length > MAX_SEGMENT) {
      segments.push(builder.build());
      builder = new SegmentBuilder();
    }
    builder.add(content);
  }
  return builder.isEmpty ? segments : [...segments, builder.build()];
}

interface Postings {
  readonly docs: number[];
  readonly counts: number[];
}

class SegmentBuilder {
  count = 0;
  #groups: Group[] = [];
  #agents = new Map<string, number>();
  #agent: number[] = [];
  #category: number[] = [];
  #tokens: number[] = [];
  #recalls: number[] = [];
  #archived: number[] = [];
  #at: number[] = [];
  #idMs: number[] = [];
  #suffixes: string[] = [];
  #oddIds: Record<string, string> = {};
  #oddTimes: Record<string, string> = {};
  #session: number[] = [];
  #sessions = 0;
  #lengths: number[] = [];
  #summaries: Buffer[] = [];
  readonly #postings = new Map<string, Postings>();

  get isEmpty(): boolean {
    return this.#groups.length === 0;
  }

  add({ observations, key, issueNumber, isArchived, print }: GroupContent): void {
    const start = this.count;
    const sessions = new Map<string, number>();
    for (const observation of bySession(observations).slice(0, MAX_SEGMENT)) {
      const session = sessions.get(observation.sessionId) ?? this.#sessions++;
      sessions.set(observation.sessionId, session);
      this.#session.push(session);
      this.#addDoc(observation, issueNumber, isArchived);
    }
    this.#groups.push({ key, issueNumber, isArchived, print, start, count: this.count - start });
  }

  #addDoc(observation: Observation, issueNumber: number, isArchived: boolean): void {
    const doc = this.count++;
    const { id, agent, category, tokens, timestamp, summary, recallCount = 0, archived = false } = observation;
    this.#agent.push(this.#agentNumber(agent));
    this.#category.push(CATEGORIES.indexOf(category));
    this.#tokens.push(tokens);
    this.#recalls.push(Math.min(recallCount, LONGEST_TEXT));
    this.#archived.push(isArchived || archived ? 1 : 0);
    this.#addTime(doc, timestamp);
    this.#addId(doc, id, `obs-${agent}-${issueNumber}`);
    this.#summaries.push(Buffer.from(summary));
    this.#addWords(doc, observation);
  }

  #addTime(doc: number, timestamp: string): void {
    const at = Date.parse(timestamp);
    this.#at.push(at);
    if (Number.isNaN(at) || new Date(at).toISOString() !== timestamp) this.#oddTimes[doc] = timestamp;
  }

  #addId(doc: number, id: string, usual: string): void {
    const [, agent, issue, ms, suffix = ''] = ID.exec(id) ?? [];
    this.#idMs.push(Number(ms));
    this.#suffixes.push(suffix.padEnd(SUFFIX_LENGTH, '0'));
    if (`obs-${agent}-${issue}` !== usual || `${Number(ms)}` !== ms) this.#oddIds[doc] = id;
  }

  #addWords(doc: number, observation: Observation): void {
    const { summary, content, agent, issueNumber } = observation;
    const text = content.startsWith(summary) ? content : `${summary}\n${content}`;
    const words = wordsOf(text);
    this.#lengths.push(Math.min(words.length, LONGEST_TEXT));
    for (const word of words) this.#post(word, doc);
    if (isGerman(text)) for (const term of germanTermsOf(text)) this.#post(term, doc);
    this.#post(`@${agent}`, doc);
    this.#post(`#${issueNumber}`, doc);
    if (isDecided(observation)) this.#post(DECIDED, doc);
  }

  #post(term: string, doc: number): void {
    let postings = this.#postings.get(term);
    if (postings === undefined) {
      postings = { docs: [], counts: [] };
      this.#postings.set(term, postings);
    }
    const { docs, counts } = postings;
    const last = docs.length - 1;
    if (docs[last] === doc) counts[last] = Math.min((counts[last] ?? 0) + 1, MOST);
    else {
      docs.push(doc);
      counts.push(1);
    }
  }

  #agentNumber(agent: string): number {
    const number = this.#agents.get(agent) ?? this.#agents.size;
    this.#agents.set(agent, number);
    return number;
  }

  build(): Segment {
    return {
      groups: this.#groups,
      count: this.count,
      agents: [...this.#agents.keys()],
      agent: Uint16Array.from(this.#agent),
      category: Uint8Array.from(this.#category),
      tokens: Uint32Array.from(this.#tokens),
      recalls: Uint16Array.from(this.#recalls),
      archived: Uint8Array.from(this.#archived),
      at: Float64Array.from(this.#at),
      idMs: Float64Array.from(this.#idMs),
      suffixes: this.#suffixes.join(''),
      oddIds: this.#oddIds,
      oddTimes: this.#oddTimes,
      session: Uint32Array.from(this.#session),
      lengths: Uint16Array.from(this.#lengths),
      summaryAt: offsetsOf(this.#summaries),
      summaries: Buffer.concat(this.#summaries),
      ...this.#dictionary(),
    };
  }

  #dictionary(): Pick<Segment, 'terms' | 'termAt' | 'postingAt' | 'postingDoc' | 'postingCount'> {
    const terms = [...this.#postings.keys()].sort();
    const encoded = terms.map((term) => Buffer.from(term));
    const lists = terms.map((term) => this.#postings.get(term) ?? { docs: [], counts: [] });
    const postingAt = new Uint32Array(terms.length + 1);
    for (const [place, { docs }] of lists.entries()) postingAt[place + 1] = (postingAt[place] ?? 0) + docs.length;
    const postingDoc = new Uint16Array(postingAt.at(-1) ?? 0);
    const postingCount = new Uint8Array(postingDoc.length);
    for (const [place, { docs, counts }] of lists.entries()) {
      postingDoc.set(docs, postingAt[place]);
      postingCount.set(counts, postingAt[place]);
    }
    return { terms: Buffer.concat(encoded), termAt: offsetsOf(encoded), postingAt, postingDoc, postingCount };
  }
}

export function offsetsOf(parts: readonly Uint8Array[]): Uint32Array {
  const offsets = new Uint32Array(parts.length + 1);
  for (const [place, { length }] of parts.entries()) offsets[place + 1] = (offsets[place] ?? 0) + length;
  return offsets;
}

/** Sessions in the order of their first observation, each in the order of time. */
function bySession(observations: readonly Observation[]): readonly Observation[] {
  const places = new Map<string, number>();
  for (const { sessionId } of observations) if (!places.has(sessionId)) places.set(sessionId, places.size);
  return observations.toSorted(
    (left, right) =>
      (places.get(left.sessionId) ?? 0) - (places.get(right.sessionId) ?? 0) ||
      Date.parse(left.timestamp) - Date.parse(right.timestamp),
  );
}
