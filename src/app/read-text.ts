import { createReadStream } from 'node:fs';
import { AgentXError, messageOf } from '../protocol/errors.js';
import { MAX_REQUEST_BODY_BYTES } from '../protocol/limits.js';
import { shorten } from '../protocol/shorten.js';
import { errorCode } from '../storage/files/file-system.js';

/**
 * The text of a file, or of a pipe: `undefined` is stdin. It reads no more than the longest text that we accept, even
 * from a device without an end. The line break that editors leave at the end is not part of the text.
 */
export async function readText(path: string | undefined): Promise<string> {
  const name = path ?? 'stdin';
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of path === undefined ? process.stdin : createReadStream(path)) {
      const bytes = Buffer.from(part);
      size += bytes.length;
      if (size > MAX_REQUEST_BODY_BYTES) throw refused(name, `has more than ${MAX_REQUEST_BODY_BYTES} bytes`);
      parts.push(bytes);
    }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
    return text.replace(/[\r\n]+$/, '');
  } catch (error) {
    if (error instanceof AgentXError) throw error;
    if (error instanceof TypeError) throw refused(name, 'is no UTF-8 text');
    throw refused(name, `cannot be read: ${reasonOf(error)}`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
};

function reasonOf(error: unknown): string {
  return REASONS[errorCode(error) ?? ''] ?? messageOf(error);
}

function refused(name: string, problem: string): AgentXError {
  const shownName = shorten(name, 200);
  return new AgentXError('INVALID_INPUT', `${shownName} ${problem}.`, { file: shownName });
}
