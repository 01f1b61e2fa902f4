import { spawnSync } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { heirPath, lockPath } from '../../../src/storage/files/lock-names.js';
import { hostTag, thisProcess } from '../../../src/storage/files/process-identity.js';

interface LockFields {
  readonly pid: number;
  readonly start?: number;
  readonly host?: string;
  readonly agent?: string;
  readonly timestamp?: string;
}

/** The number of a process that ran and ended. */
export function deadProcess(): number {
  return spawnSync('true').pid;
}

/** The body of a lock as our own processes write it. */
export function aLockOfOurs({ pid, start = 1, host = thisProcess().host, ...rest }: LockFields) {
  const token = `${hostTag(host)}-${pid}-${start}-${Math.random().toString(36).slice(2, 8)}z0`;
  return { ...aLiteralLock({ pid, ...rest }), token, host, start };
}

/** The body of a lock as the open contract has it. */
export function aLiteralLock({ pid, agent = 'stranger', timestamp = new Date().toISOString() }: LockFields) {
  return { pid, timestamp, agent };
}

export function putLock(file: string, body: object | string, modified?: Date): void {
  put(lockPath(file), body, modified);
}

export function putHeir(file: string, inherited: { readonly token: string }, body: object, modified?: Date): void {
  put(heirPath(file, inherited.token), body, modified);
}

function put(path: string, body: object | string, modified?: Date): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof body === 'string' ? body : JSON.stringify(body));
  if (modified) utimesSync(path, modified, modified);
}

export const secondsFromNow = (seconds: number): Date => new Date(Date.now() + seconds * 1000);
