import { isAscii } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { CATEGORIES, type Group, type Segment } from './segment.js';

/*
 * How an index is stored, in two derived files. The manifest is JSON: which files were read and how they looked, and the
 * columns of what every entry has, without summaries. The search file holds summaries, dictionary and postings as they
 * are used. Each search file belongs to one manifest, which names its checksum.
 *
 *   search file: "AGXS" | version | length of the header | header (JSON) | sections, each at a multiple of eight bytes
 */

const MANIFEST_VERSION = 2;
const MAGIC = 0x53584741;
const SEARCH_VERSION = 6;
const ALIGNMENT = 8;
const PREFIX = 12;

/** The columns that stand in the search file. */
type SectionName = (typeof SECTION_NAMES)[number];
const SECTION_NAMES = [
  'session',
  'lengths',
  'summaryAt',
  'summaries',
  'termAt',
  'terms',
  'postingAt',
  'postingDoc',
  'postingCount',
] as const;

interface StoredSegment {
  readonly files: readonly (readonly [
    key: string,
    issueNumber: number,
    isArchived: 0 | 1,
    count: number,
    ...number[],
  ])[];
  readonly agents: readonly string[];
  readonly agent: string;
  readonly category: string;
  readonly tokens: string;
  readonly recalls: string;
  readonly archived: string;
  readonly timestamp: string;
  readonly idTime: string;
  readonly idSuffix: string;
  readonly oddIds: Segment['oddIds'];
  readonly oddTimestamps: Segment['oddTimes'];
}

/** As it stands in its file, unchecked. */
interface StoredManifest {
  readonly version: number;
  /** The checksum of its search file. */
  readonly search: number;
  readonly categories: unknown;
  readonly segments: readonly StoredSegment[];
}

export interface StoredIndex {
  readonly manifest: string;
  readonly search: Buffer;
}

export function encodeIndex(segments: readonly Segment[], updatedAt: string): StoredIndex {
  const search = encodeSearch(segments);
  const manifest = JSON.stringify({
    version: MANIFEST_VERSION,
    updatedAt,
    count: segments.reduce((sum, { count }) => sum + count, 0),
    search: crc32(search),
    categories: CATEGORIES,
    segments: segments.map(storedSegment),
  });
  return { manifest: `${manifest}\n`, search };
}

export function parseManifest(manifest: Buffer): StoredManifest {
  // Nearly all of it is base64, which is copied much faster than UTF-8 is decoded.
  return JSON.parse(manifest.toString(isAscii(manifest) ? 'latin1' : 'utf8'));
}

/** Throws if one of the two is damaged, of another version, or does not belong to the other. */
export function decodeIndex(stored: StoredManifest, search: Buffer): readonly Segment[] {
  if (stored.version !== MANIFEST_VERSION) throw new Error(`it is of version ${stored.version}`);
  if (crc32(search) !== stored.search) throw new Error('the search index belongs to another manifest');
  if (String(stored.categories) !== String(CATEGORIES)) throw new Error('it knows other categories');
  // Columns are used where they lie, which must be at a multiple of their size.
  const sections = decodeSearch(
    search.byteOffset % ALIGNMENT === 0 ? search : Buffer.from(new Uint8Array(search).buffer),
  );
  return stored.segments.map((segment, place) => segmentOf(segment, sections[place]));
}

function storedSegment(segment: Segment): StoredSegment {
  return {
    files: segment.groups.map(({ key, issueNumber, isArchived, count, print }) => [
      key,
      issueNumber,
      isArchived ? 1 : 0,
      count,
      ...print,
    ]),
    agents: segment.agents,
    agent: toText(segment.agent),
    category: toText(segment.category),
    tokens: toText(segment.tokens),
    recalls: toText(segment.recalls),
    archived: toText(segment.archived),
    timestamp: toText(segment.at),
    idTime: toText(segment.idMs),
    idSuffix: segment.suffixes,
    oddIds: segment.oddIds,
    oddTimestamps: segment.oddTimes,
  };
}

type Sections = Pick<Segment, SectionName>;

function segmentOf(stored: StoredSegment, sections: Sections | undefined): Segment {
  if (sections === undefined) throw new Error('a segment is missing');
  const groups: Group[] = [];
  let start = 0;
  for (const [key, issueNumber, isArchived, count, ...print] of stored.files) {
    groups.push({ key, issueNumber, isArchived: isArchived === 1, count, print, start });
    start += count;
  }
  const agent = new Uint16Array(fromText(stored.agent));
  if (agent.length !== start || sections.lengths.length !== start) throw new Error('its columns differ in length');
  return {
    groups,
    count: start,
    agents: stored.agents,
    agent,
    category: new Uint8Array(fromText(stored.category)),
    tokens: new Uint32Array(fromText(stored.tokens)),
    recalls: new Uint16Array(fromText(stored.recalls)),
    archived: new Uint8Array(fromText(stored.archived)),
    at: new Float64Array(fromText(stored.timestamp)),
    idMs: new Float64Array(fromText(stored.idTime)),
    suffixes: stored.idSuffix,
    oddIds: stored.oddIds,
    oddTimes: stored.oddTimestamps,
    ...sections,
  };
}

function encodeSearch(segments: readonly Segment[]): Buffer {
  const parts: Buffer[] = [];
  const sizes = segments.map((segment) =>
    SECTION_NAMES.map((name) => {
      const { buffer, byteOffset, byteLength } = segment[name];
      parts.push(Buffer.from(buffer, byteOffset, byteLength), Buffer.alloc(paddingAfter(byteLength)));
      return byteLength;
    }),
  );
  const header = Buffer.from(JSON.stringify({ sizes }));
  const prefix = Buffer.alloc(PREFIX);
  prefix.writeUInt32LE(MAGIC, 0);
  prefix.writeUInt32LE(SEARCH_VERSION, 4);
  prefix.writeUInt32LE(header.length, 8);
  return Buffer.concat([prefix, header, Buffer.alloc(paddingAfter(PREFIX + header.length)), ...parts]);
}

function decodeSearch(bytes: Buffer): readonly Sections[] {
  if (bytes.length < PREFIX || bytes.readUInt32LE(0) !== MAGIC) throw new Error('the search index is damaged');
  if (bytes.readUInt32LE(4) !== SEARCH_VERSION) throw new Error('the search index is of another version');
  const headerEnd = PREFIX + bytes.readUInt32LE(8);
  const { sizes } = JSON.parse(bytes.toString('utf8', PREFIX, headerEnd));
  let at = headerEnd + paddingAfter(headerEnd);
  const take = (size: number): { buffer: ArrayBufferLike; start: number; size: number } => {
    const start = bytes.byteOffset + at;
    if (at + size > bytes.length) throw new Error('the search index is cut off');
    at += size + paddingAfter(size);
    return { buffer: bytes.buffer, start, size };
  };
  return sizes.map((lengths: readonly number[]) => {
    const [session, words, summaryAt, summaries, termAt, terms, postingAt, postingDoc, postingCount] =
      lengths.map(take);
    if (postingCount === undefined) throw new Error('the search index is cut off');
    return {
      session: u32(session),
      lengths: u16(words),
      summaryAt: u32(summaryAt),
      summaries: bufferOf(summaries),
      termAt: u32(termAt),
      terms: bufferOf(terms),
      postingAt: u32(postingAt),
      postingDoc: u16(postingDoc),
      postingCount: new Uint8Array(postingCount.buffer, postingCount.start, postingCount.size),
    };
  });
}

type Slice = { readonly buffer: ArrayBufferLike; readonly start: number; readonly size: number } | undefined;

function u32(slice: Slice): Uint32Array {
  return slice === undefined ? new Uint32Array(0) : new Uint32Array(slice.buffer, slice.start, slice.size / 4);
}

function u16(slice: Slice): Uint16Array {
  return slice === undefined ? new Uint16Array(0) : new Uint16Array(slice.buffer, slice.start, slice.size / 2);
}

function bufferOf(slice: Slice): Buffer {
  return slice === undefined ? Buffer.alloc(0) : Buffer.from(slice.buffer, slice.start, slice.size);
}

function paddingAfter(length: number): number {
  return (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT;
}

function toText({ buffer, byteOffset, byteLength }: Uint8Array | Uint16Array | Uint32Array | Float64Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/** Small buffers lie anywhere in a shared one: these are copied. */
function fromText(text: string): ArrayBufferLike {
  const { buffer, byteOffset, byteLength } = Buffer.from(text, 'base64');
  return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
}
