import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HEADER_BYTES } from '../../../src/storage/files/journal-file.js';
import { encodeHead, type JournalRecord, VOID } from '../../../src/storage/files/journal-record.js';
import { layoutOf } from '../../../src/storage/files/layout.js';
import { hostTag, type ProcessIdentity } from '../../../src/storage/files/process-identity.js';

export const LEDGER = 'state/clarifications/issue-1.json';
export const SECOND = 1_700_000_000_000;

interface LeftRecord {
  readonly path?: string;
  readonly content: string;
  readonly mtimeMs?: number;
  readonly isVoid?: boolean;
}

/** A journal as `owner` left it. */
export function putJournal(
  root: string,
  owner: ProcessIdentity,
  records: readonly LeftRecord[],
  tail: Buffer = Buffer.alloc(100),
): string {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(JSON.stringify(owner));
  const encoded = records.map(({ path = LEDGER, content, mtimeMs = SECOND, isVoid = false }) => {
    const bytes = encodeRecord({ path, mtimeMs, mode: 0o600, content: Buffer.from(content) });
    if (isVoid) VOID.copy(bytes);
    return bytes;
  });
  const file = join(layoutOf(root).journal, `${hostTag(owner.host)}-${owner.pid}-${owner.start}-0a0b0c0d.log`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, Buffer.concat([header, ...encoded, tail]));
  return file;
}

export function encodeRecord(record: JournalRecord): Buffer {
  return Buffer.concat([encodeHead(record), record.content]);
}
