/*
 * How an index is stored: a JSON document whose first line lists what is known of each file. The summaries that a
 * listing shows follow in its order; their format may leave some of them to be parsed later.
 */

/** How summaries are written, as JSON. */
export interface SummaryFormat<S> {
  readonly encode: (summaries: readonly S[]) => string;
  readonly decode: (bytes: Buffer) => readonly S[];
}

/** One file as it was when it was read, and what a listing shows of it. */
export interface Row<S> {
  readonly print: Print;
  readonly summary: S | null;
}

export interface Print {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

interface SavedIndex<S> {
  readonly rows: Map<string, Row<S>>;
  /** The summaries that are shown, in their order. */
  readonly shown: readonly S[];
}

const COLUMNS = 4;
const NEW_LINE = 0x0a;
const END = '\n}\n';

export function encodeIndex<S>(
  { version, format }: { version: number; format: SummaryFormat<S> },
  rows: ReadonlyMap<string, Row<S>>,
  shown: readonly S[],
): string {
  const places = new Map([...rows.values()].map(({ summary }, place) => [summary, place]));
  const prints = Float64Array.from([...rows.values()].flatMap(({ print }) => columnsOf(print)));
  const summaries = format.encode(shown);
  const header = JSON.stringify({
    version,
    size: Buffer.byteLength(summaries),
    names: [...rows.keys()].join('\n'),
    prints: Buffer.from(prints.buffer).toString('base64'),
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
  const prints = Buffer.from(header.prints, 'base64');
  const shown = format.decode(bytes.subarray(end + 1, bytes.length - END.length));
  const isWhole =
    bytes.length === end + 1 + header.size + END.length &&
    prints.length === names.length * COLUMNS * Float64Array.BYTES_PER_ELEMENT &&
    header.places.length === shown.length;
  if (!isWhole) throw new Error('the index is damaged');
  const rows = rowsOf<S>(names, prints, new Map(shown.map((summary, at) => [header.places[at], summary])));
  return { rows, shown };
}

function rowsOf<S>(names: readonly string[], prints: Buffer, summaries: ReadonlyMap<number, S>): Map<string, Row<S>> {
  let at = -Float64Array.BYTES_PER_ELEMENT;
  const next = () => {
    at += Float64Array.BYTES_PER_ELEMENT;
    return prints.readDoubleLE(at);
  };
  return new Map(
    names.map((name, place) => {
      const print: Print = { ino: next(), size: next(), mtimeMs: next(), ctimeMs: next() };
      return [name, { print, summary: summaries.get(place) ?? null }];
    }),
  );
}

function columnsOf({ ino, size, mtimeMs, ctimeMs }: Print): readonly number[] {
  return [ino, size, mtimeMs, ctimeMs];
}
