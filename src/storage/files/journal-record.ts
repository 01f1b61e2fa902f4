import { crc32 } from 'node:zlib';
import * as z from 'zod/mini';

/** The new content of a document. */
export interface JournalRecord {
  /** From the root of the store, with `/` between the parts. */
  readonly path: string;
  /** As `stat` reports it: of two records of one document, the later one has a larger time. */
  readonly mtimeMs: number;
  readonly mode: number;
  readonly content: Buffer;
}

export interface StoredRecord extends JournalRecord {
  /** Its update was given up: it never happened. */
  readonly isVoid: boolean;
}

/*
 * A record is a line and the content: `+<checksum of the rest> {"path":...,"mtimeMs":...,"mode":...,"bytes":...}`. To
 * make it void, the first byte is overwritten. Behind the last record is a zero: what follows is left over from before the
 * journal was emptied.
 */
const LINE = /^([+-])(\d+) (.*)$/s;
export const VOID = Buffer.from('-');
export const END = Buffer.from('\0');

const About = z.object({ path: z.string(), mtimeMs: z.number(), mode: z.int(), bytes: z.int().check(z.gte(0)) });

/** The line. The content is written by itself: copying every document once more costs more. */
export function encodeHead({ path, mtimeMs, mode, content }: JournalRecord): Buffer {
  const about = JSON.stringify({ path, mtimeMs, mode, bytes: content.length });
  return Buffer.from(`+${crc32(content, crc32(about))} ${about}\n`);
}

/** Undefined if no record begins there. Its content is not checked yet. */
export function decodeHead(bytes: Buffer, at = 0) {
  const start = bytes.indexOf('\n', at) + 1;
  const [, sign, checksum, about = ''] = LINE.exec(bytes.toString('utf8', at, Math.max(at, start - 1))) ?? [];
  if (sign === undefined) return undefined;
  const { bytes: length, ...head } = z.parse(About, JSON.parse(about));
  return { ...head, isVoid: sign === '-', checksum: Number(checksum), about, start, end: start + length };
}

/** The records in a journal: they end at one that is torn, or at a zero. */
export function decodeRecords(bytes: Buffer): readonly StoredRecord[] {
  const records: StoredRecord[] = [];
  try {
    for (let at = 0; ; ) {
      const head = decodeHead(bytes, at);
      if (head === undefined) return records;
      const { path, mtimeMs, mode, isVoid } = head;
      const content = bytes.subarray(head.start, head.end);
      if (content.length < head.end - head.start || crc32(content, crc32(head.about)) !== head.checksum) return records;
      records.push({ path, mtimeMs, mode: mode & 0o777, isVoid, content });
      at = head.end;
    }
  } catch {
    return records; // A line that is torn is no JSON.
  }
}
