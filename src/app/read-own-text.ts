import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { AgentXError } from '../protocol/errors.js';
import { MAX_REQUEST_BODY_BYTES } from '../protocol/limits.js';
import { errorCode } from '../storage/files/file-system.js';
import { asStoreError } from '../storage/files/store-error.js';

/**
 * A text that a person wrote for us: settings, a workflow, the role of an agent. Undefined if there is no such file;
 * CONFIG_ERROR if something else is in its place, such as a link to a device that never ends.
 */
export function readOwnText(path: string): string | undefined {
  const bytes = bytesOf(path);
  return bytes && decoded(path, bytes);
}

function bytesOf(path: string): Uint8Array | undefined {
  try {
    // Opening a pipe would otherwise wait for a writer.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(file);
      if (!stat.isFile() && !stat.isDirectory()) throw refusedText(path, 'is no file');
      if (stat.size > MAX_REQUEST_BODY_BYTES) throw refusedText(path, `has more than ${MAX_REQUEST_BODY_BYTES} bytes`);
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw asStoreError('read', path, error);
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    throw refusedText(path, 'is a link to nothing');
  }
}

/** Without the mark that some editors put before the first character. */
function decoded(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refusedText(path, 'is no UTF-8 text');
  }
}

export function refusedText(file: string, problem: string): AgentXError {
  return new AgentXError('CONFIG_ERROR', `${file} ${problem}.`, { file, problem: `it ${problem}` });
}
