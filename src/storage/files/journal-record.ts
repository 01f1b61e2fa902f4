import { crc32 } from 'node:zlib';

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
 * 0 magic, 4 checksum of what begins at 12, 8 state, 12 generation, 16 mtimeMs, 24 mode, 28 length of the path, 32
 * length of the content, 36 path and content. Documents hold no zero bytes, so that no part of one looks like a record.
 */
const MAGIC = 0x4a584741;
const STATE_AT = 8;
const CHECKED_FROM = 12;
const HEAD_BYTES = 36;
const COUNTS = 1;

/** Written over the state of a record, which its checksum does not cover. */
export const VOID_STATE = { at: STATE_AT, bytes: Buffer.from([2]) } as const;

/** The part before the content. A record is written in two parts: copying every document once more costs more. */
export function encodeHead({ path, mtimeMs, mode, content }: JournalRecord, generation: number): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES + Buffer.byteLength(path));
  head.writeUInt32LE(MAGIC, 0);
  head.writeUInt32LE(COUNTS, STATE_AT);
  head.writeUInt32LE(generation, 12);
  head.writeDoubleLE(mtimeMs, 16);
  head.writeUInt32LE(mode, 24);
  head.writeUInt32LE(head.length - HEAD_BYTES, 28);
  head.writeUInt32LE(content.length, 32);
  head.write(path, HEAD_BYTES);
  head.writeUInt32LE(crc32(content, crc32(head.subarray(CHECKED_FROM))), 4);
  return head;
}

interface Head extends Omit<StoredRecord, 'content'> {
  readonly generation: number;
  /** Where the content begins and ends. */
  readonly start: number;
  readonly end: number;
}

/** Undefined if no record begins there. Nothing is checked yet. */
export function decodeHead(bytes: Buffer, at = 0): Head | undefined {
  if (at + HEAD_BYTES > bytes.length || bytes.readUInt32LE(at) !== MAGIC) return undefined;
  const start = at + HEAD_BYTES + bytes.readUInt32LE(at + 28);
  return {
    generation: bytes.readUInt32LE(at + 12),
    mtimeMs: bytes.readDoubleLE(at + 16),
    mode: bytes.readUInt32LE(at + 24) & 0o777,
    isVoid: bytes[at + STATE_AT] !== COUNTS,
    path: bytes.toString('utf8', at + HEAD_BYTES, start),
    start,
    end: start + bytes.readUInt32LE(at + 32),
  };
}

/** The records of the generation that was written last. One that is torn or older is behind the end. */
export function decodeRecords(bytes: Buffer): readonly StoredRecord[] {
  const records: StoredRecord[] = [];
  const latest = decodeHead(bytes)?.generation;
  for (let at = 0; at < bytes.length; ) {
    const head = decodeHead(bytes, at);
    if (head === undefined || head.generation !== latest || head.end > bytes.length) break;
    if (crc32(bytes.subarray(at + CHECKED_FROM, head.end)) !== bytes.readUInt32LE(at + 4)) break;
    const { path, mtimeMs, mode, isVoid, start, end } = head;
    records.push({ path, mtimeMs, mode, isVoid, content: bytes.subarray(start, end) });
    at = end;
  }
  return records;
}
