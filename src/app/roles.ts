import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Roles } from '../ports/roles.js';
import { AgentXError } from '../protocol/errors.js';
import { parseAgentName } from '../protocol/ids.js';
import { MAX_REQUEST_BODY_BYTES } from '../protocol/limits.js';
import { textProblem } from '../protocol/sound-data.js';
import { errorCode } from '../storage/files/file-system.js';
import { asStoreError } from '../storage/files/store-error.js';

/*
 * The role instructions in `agents/{name}.md` of a `.agentx` folder, as they are at the moment. An agent that is started
 * without its instructions, or with spoilt ones, would do something else than the user wants: so these are refused.
 */

export function openRoles({ root }: { readonly root: string }): Roles {
  return { of: async (agent) => readRole(join(root, 'agents', `${parseAgentName(agent)}.md`)) };
}

/** Undefined if there is no such file, or nothing in it. */
export function readRole(path: string): string | undefined {
  const bytes = bytesOf(path);
  if (bytes === undefined) return undefined;
  const text = decoded(path, bytes).trim();
  const problem = textProblem(text);
  if (problem !== undefined) throw refused(path, problem);
  return text || undefined;
}

function bytesOf(path: string): Uint8Array | undefined {
  try {
    // Opening a pipe would otherwise wait for a writer.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(file);
      if (!stat.isFile() && !stat.isDirectory()) throw refused(path, 'is no file');
      if (stat.size > MAX_REQUEST_BODY_BYTES) throw refused(path, `has more than ${MAX_REQUEST_BODY_BYTES} bytes`);
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw asStoreError('read', path, error);
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    throw refused(path, 'is a link to nothing');
  }
}

/** Without the mark that some editors put before the first character. */
function decoded(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused(path, 'is no UTF-8 text');
  }
}

function refused(file: string, problem: string): AgentXError {
  return new AgentXError('CONFIG_ERROR', `${file} ${problem}.`, { file, problem: `it ${problem}` });
}
