import { isUtf8 } from 'node:buffer';
import type * as z from 'zod/mini';
import { AgentXError, messageOf } from '../../protocol/errors.js';
import { parseWith } from '../../protocol/parse.js';

/** One kind of JSON document: how it is checked and stored. */
export interface DocumentKind<T> {
  /** Throws an error whose message says what is wrong, also if the value is not sound (`requireSound`). */
  readonly parse: (value: unknown) => T;
  /** True if `next` is known to be fine because `before` was; otherwise all of it is checked. */
  readonly changeFits?: (next: T, before: T) => boolean;
  /** Permissions of a new file: state may hold secrets, issues may be read by all users. */
  readonly mode: number;
  /** False for what can be derived from other files: it may be lost in a power cut. */
  readonly durable: boolean;
}

/** A document that only the user may read. What follows from others is not worth waiting for the disk. */
export function privateKind<T>(schema: z.core.$ZodType<T>, what: string, { durable = true } = {}): DocumentKind<T> {
  return { parse: (value) => parseWith(schema, value, what), mode: 0o600, durable };
}

/** Far above anything the limits of the protocol allow; a larger file is damage or an attack. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Turns bytes into a checked document. Throws CORRUPT_FILE with the path and the reason. */
export function decodeDocument<T>(kind: DocumentKind<T>, path: string, bytes: Buffer): T {
  if (!isUtf8(bytes)) throw corruptFile(path, 'it is not valid UTF-8');
  try {
    return kind.parse(JSON.parse(withoutByteOrderMark(bytes.toString('utf8'))));
  } catch (error) {
    throw corruptFile(path, messageOf(error), error);
  }
}

export function encodeDocument(path: string, value: unknown): Buffer {
  const bytes = Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  if (bytes.length <= MAX_DOCUMENT_BYTES) return bytes;
  const limit = `${MAX_DOCUMENT_BYTES / 1024 / 1024} MiB`;
  throw new AgentXError('STORE_ERROR', `${path} would grow beyond ${limit}. Nothing was changed.`, { path });
}

export function corruptFile(path: string, reason: string, cause?: unknown): AgentXError {
  return new AgentXError(
    'CORRUPT_FILE',
    `${path} is damaged: ${reason.replace(/\.$/, '')}. It is left as it is; "agentx doctor --repair" moves it aside and saves what it can.`,
    { path, reason },
    { cause },
  );
}

/** Editors on some systems begin a file with a byte order mark, which JSON does not allow. */
const withoutByteOrderMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
