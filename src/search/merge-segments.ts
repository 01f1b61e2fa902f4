import { offsetsOf } from './build-segment.js';
import { type Group, type Segment, SUFFIX_LENGTH, summaryOf, termCount, termOf } from './segment.js';

/** A segment, and which of its groups still hold. */
export interface Part {
  readonly segment: Segment;
  readonly groups: readonly Group[];
}

/**
 * One segment that holds what the parts hold, without reading a text again. The caller sees to it that they are not too
 * many for one.
 */
export function mergeSegments(parts: readonly Part[]): Segment {
  const groups: Group[] = [];
  const docs: { readonly segment: Segment; readonly doc: number }[] = [];
  const numbers = parts.map(({ segment, groups: liveGroups }) => {
    const newNumbers = new Int32Array(segment.count).fill(-1);
    for (const group of liveGroups) {
      groups.push({ ...group, start: docs.length });
      for (let doc = group.start; doc < group.start + group.count; doc++) {
        newNumbers[doc] = docs.length;
        docs.push({ segment, doc });
      }
    }
    return newNumbers;
  });
  const agents = [...new Set(docs.map(({ segment, doc }) => segment.agents[segment.agent[doc] ?? 0] ?? ''))];
  const agentNumbers = new Map(agents.map((agent, number) => [agent, number]));
  const summaries = docs.map(({ segment, doc }) => Buffer.from(summaryOf(segment, doc)));
  const column = (of: (segment: Segment, doc: number) => number | undefined): number[] =>
    docs.map(({ segment, doc }) => of(segment, doc) ?? 0);
  return {
    groups,
    count: docs.length,
    agents,
    agent: Uint16Array.from(column(({ agents: names, agent }, doc) => agentNumbers.get(names[agent[doc] ?? 0] ?? ''))),
    category: Uint8Array.from(column(({ category }, doc) => category[doc])),
    tokens: Uint32Array.from(column(({ tokens }, doc) => tokens[doc])),
    recalls: Uint16Array.from(column(({ recalls }, doc) => recalls[doc])),
    archived: Uint8Array.from(column(({ archived }, doc) => archived[doc])),
    at: Float64Array.from(column(({ at }, doc) => at[doc])),
    idMs: Float64Array.from(column(({ idMs }, doc) => idMs[doc])),
    suffixes: docs
      .map(({ segment, doc }) => segment.suffixes.slice(doc * SUFFIX_LENGTH, (doc + 1) * SUFFIX_LENGTH))
      .join(''),
    oddIds: oddOf(docs, ({ oddIds }) => oddIds),
    oddTimes: oddOf(docs, ({ oddTimes }) => oddTimes),
    session: sessionsOf(docs),
    lengths: Uint16Array.from(column(({ lengths }, doc) => lengths[doc])),
    summaryAt: offsetsOf(summaries),
    summaries: Buffer.concat(summaries),
    ...mergedDictionary(
      parts.map(({ segment }) => segment),
      numbers,
    ),
  };
}

type Docs = readonly { readonly segment: Segment; readonly doc: number }[];

function oddOf(docs: Docs, of: (segment: Segment) => Segment['oddIds']): Segment['oddIds'] {
  const odd: Record<string, string> = {};
  for (const [number, { segment, doc }] of docs.entries()) {
    const text = of(segment)[doc];
    if (text !== undefined) odd[number] = text;
  }
  return odd;
}

/** Only neighbours are ever compared. */
function sessionsOf(docs: Docs): Uint32Array {
  const sessions = new Uint32Array(docs.length);
  let session = 0;
  for (const [number, { segment, doc }] of docs.entries()) {
    const before = docs[number - 1];
    const isSame = before?.segment === segment && segment.session[before.doc] === segment.session[doc];
    if (!isSame) session++;
    sessions[number] = session;
  }
  return sessions;
}

function mergedDictionary(
  segments: readonly Segment[],
  numbers: readonly Int32Array[],
): Pick<Segment, 'terms' | 'termAt' | 'postingAt' | 'postingDoc' | 'postingCount'> {
  const total = segments.reduce((sum, { postingDoc }) => sum + postingDoc.length, 0);
  const docs = new Uint16Array(total);
  const counts = new Uint8Array(total);
  const terms: Buffer[] = [];
  const ends: number[] = [0];
  let length = 0;
  for (const { term, places } of inOrder(segments)) {
    const start = length;
    for (const [segmentNumber, place] of places) {
      const { postingAt, postingDoc, postingCount } = segments[segmentNumber] ?? NONE;
      const newNumbers = numbers[segmentNumber];
      for (let at = postingAt[place] ?? 0; at < (postingAt[place + 1] ?? 0); at++) {
        const number = newNumbers?.[postingDoc[at] ?? 0] ?? -1;
        if (number < 0) continue;
        docs[length] = number;
        counts[length++] = postingCount[at] ?? 0;
      }
    }
    if (length === start) continue;
    terms.push(Buffer.from(term));
    ends.push(length);
  }
  return {
    terms: Buffer.concat(terms),
    termAt: offsetsOf(terms),
    postingAt: Uint32Array.from(ends),
    postingDoc: docs.slice(0, length),
    postingCount: counts.slice(0, length),
  };
}

const NONE = { postingAt: new Uint32Array(0), postingDoc: new Uint16Array(0), postingCount: new Uint8Array(0) };

interface Merged {
  readonly term: string;
  /** Which segments have it, and where. */
  readonly places: readonly (readonly [which: number, place: number])[];
}

/** The words of all segments, sorted, each once. */
function* inOrder(segments: readonly Segment[]): Generator<Merged> {
  const next = segments.map((segment) => ({ segment, place: 0, term: firstOf(segment) }));
  for (;;) {
    const term = next.reduce<string | undefined>(
      (least, { term: other }) => (least === undefined || (other !== undefined && other < least) ? other : least),
      undefined,
    );
    if (term === undefined) return;
    const places: [number, number][] = [];
    for (const [segmentNumber, head] of next.entries()) {
      if (head.term !== term) continue;
      places.push([segmentNumber, head.place++]);
      head.term = head.place < termCount(head.segment) ? termOf(head.segment, head.place) : undefined;
    }
    yield { term, places };
  }
}

function firstOf(segment: Segment): string | undefined {
  return termCount(segment) > 0 ? termOf(segment, 0) : undefined;
}
