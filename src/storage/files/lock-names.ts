import { randomBytes } from 'node:crypto';
import { tagOf, thisProcess } from './process-identity.js';

/*
 * The files that appear beside `issue-42.json` while a process changes it. Each private one carries the token of its
 * lock, and the token shows its owner, so that leftovers of a dead process can be distinguished from files that a live
 * one needs.
 *
 *   issue-42.json.lock                the lock: the open contract, see lock.ts
 *   issue-42.json.<token>.claim.tmp   the lock's body before it is linked into place
 *   issue-42.json.<token>.heir.lock   the right to replace the dead lock with that token
 *   issue-42.json.waiting.lock        a process waits: the holder lets others go first when it is done
 *   issue-42.json.<token>.tmp         the next content, until it is renamed into place
 */
export const lockPath = (file: string): string => `${file}.lock`;
export const claimPath = (file: string, token: string): string => `${file}.${token}.claim.tmp`;
export const heirPath = (file: string, token: string): string => `${file}.${token}.heir.lock`;
export const waitingPath = (file: string): string => `${file}.waiting.lock`;
export const scratchPath = (file: string, token: string): string => `${file}.${token}.tmp`;

let tokenPrefix: string | undefined;
let tokensMade = 0;

export function makeToken(): string {
  tokenPrefix ??= newPrefix();
  // All of one length, as bodies that are overwritten must be.
  return `${tokenPrefix}${(tokensMade++).toString(36).padStart(6, '0')}`;
}

/** Random per process and thread: worker threads share process id and start time. */
function newPrefix(): string {
  return `${tagOf(thisProcess())}-${randomBytes(4).readUInt32LE().toString(36)}z`;
}
