import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import * as z from 'zod/mini';
import { AgentXError, messageOf } from '../protocol/errors.js';
import { parseWith } from '../protocol/parse.js';
import { errorCode } from './error-code.js';

/** `repository` is for people who read the file; the hash covers it too. */
const TrustFile = z.looseObject({ approved: z.record(z.string(), z.looseObject({ repository: z.string() })) });
type Approvals = z.output<typeof TrustFile>['approved'];

/** By hash. A damaged file is CORRUPT_FILE: it approves nothing, and it is not overwritten. */
export function readApprovals(file: string): Approvals {
  return read(file).approved;
}

/** Call this under the file's lock. */
export function addApproval(file: string, hash: string, approval: Approvals[string]): void {
  const content = read(file);
  if (hash in content.approved) return;
  const next = { ...content, approved: { ...content.approved, [hash]: approval } };
  writeWhole(file, `${JSON.stringify(next, null, 2)}\n`);
}

function read(file: string): z.output<typeof TrustFile> {
  const text = readIfThere(file);
  if (text === undefined) return { approved: {} };
  try {
    return parseWith(TrustFile, JSON.parse(text), 'the list of approvals');
  } catch (error) {
    const reason = messageOf(error);
    throw new AgentXError('CORRUPT_FILE', `${file} cannot be read: ${reason}`, { path: file, reason });
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function writeWhole(file: string, text: string): void {
  const scratch = `${file}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    const fd = openSync(scratch, 'wx', 0o600);
    try {
      writeSync(fd, text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(scratch, file);
  } catch (error) {
    rmSync(scratch, { force: true });
    throw error;
  }
}
