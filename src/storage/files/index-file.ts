/*
 * How an index is stored: a JSON document whose first line lists what is known of each file. The summaries that a
 * listing shows follow in its order; their format may leave some of them to be parsed later.
 */

/** How summaries are written, as JSON. */
export interface SummaryFormat<S> {
  readonly encode: (summaries: readonly S[]) => string;
  readonly decode: (bytes: Buffer) => readonly S[];
}

/**
 * The files as they were when they were read, in columns: with thousands of files, an object for each would cost as much
 * as the look at it.
 */
export interface KnownFiles<S> {
  readonly names: readonly string[];
  /** `COLUMNS` numbers for each file: inode, size, time of modification and of change. */
  readonly prints: Float64Array;
  /** What a listing shows of each file, or null. */
  readonly summaries: readonly (S | null)[];
}

interface SavedIndex<S> {
  readonly files: KnownFiles<S>;
  /** The summaries that are shown, in their order. */
  readonly shown: readonly S[];
}

export const COLUMNS = 4;
const NEW_LINE = 0x0a;
const END = '\n}\n';

export function encodeIndex<S>(
  { version, format }: { version: number; format: SummaryFormat<S> },
  { files, shown }: SavedIndex<S>,
): string {
  const places = new Map(files.summaries.map((summary, place) => [summary, place]));
  const { buffer, byteOffset, byteLength } = files.prints;
  const summaries = format.encode(shown);
  const header = JSON.stringify({
    version,
    size: Buffer.byteLength(summaries),
    names: files.names.join('\n'),
    prints: Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
    places: shown.map((summary) => places.get(summary)),
  });
  return `${header.slice(0, -1)},"summaries":\n${summaries}${END}`;
}

/** Throws if it is damaged; undefined if it is of another version. */
export function decodeIndex<S>(
  bytes: Buffer,
  { version, format }: { version: number; format: SummaryFormat<S> },
): SavedIndex<S> | undefined {
  const end = bytes.indexOf(NEW_LINE);
  const header = JSON.parse(`${bytes.toString('utf8', 0, end)}null}`);
  if (header.version !== version) return undefined;
  const names: string[] = header.names === '' ? [] : header.names.split('\n');
  const prints = Uint8Array.from(Buffer.from(header.prints, 'base64'));
  const shown = format.decode(bytes.subarray(end + 1, bytes.length - END.length));
  const isWhole =
    bytes.length === end + 1 + header.size + END.length &&
    prints.length === names.length * COLUMNS * Float64Array.BYTES_PER_ELEMENT &&
    header.places.length === shown.length;
  if (!isWhole) throw new Error('the index is damaged');
  const summaries = new Array<S | null>(names.length).fill(null);
  for (const [at, summary] of shown.entries()) summaries[header.places[at]] = summary;
  return { files: { names, prints: new Float64Array(prints.buffer), summaries }, shown };
}
