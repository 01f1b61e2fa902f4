import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { orElse } from './file-system.js';

/** Which process on which machine: enough to distinguish a dead holder from another process that got its number. */
export interface ProcessIdentity {
  /** Host name, boot id and process-id namespace: two processes that share it see each other's process ids. */
  readonly host: string;
  readonly pid: number;
  /** When the process started, in clock ticks since boot; 0 if the system does not tell. */
  readonly start: number;
}

let self: ProcessIdentity | undefined;

export function thisProcess(): ProcessIdentity {
  self ??= { host: hostIdentity(), pid: process.pid, start: readStat(process.pid)?.start ?? 0 };
  return self;
}

/** Begins the names of what belongs to a process alone. */
export function tagOf({ host, pid, start }: ProcessIdentity): string {
  return `${hostTag(host)}-${pid}-${start}`;
}

const TAGGED = /(?:^|\.)([0-9a-f]{8})-(\d+)-(\d+)-[0-9a-z]+\.(?:claim\.tmp|heir\.lock|tmp|log)$/;

/** Whether the process runs whose tag is in the name of a file; unknown on another host, undefined without a tag. */
export function ownerOf(name: string, { host } = thisProcess()): 'dead' | 'alive' | 'unknown' | undefined {
  const [, tag, pid, start] = TAGGED.exec(name) ?? [];
  if (tag === undefined) return undefined;
  if (tag !== hostTag(host)) return 'unknown';
  return isRunning({ pid: Number(pid), start: Number(start) }) ? 'alive' : 'dead';
}

/** Short form of a host identity that fits into a file name. */
export function hostTag(host: string): string {
  return createHash('sha256').update(host).digest('hex').slice(0, 8);
}

/** The boot of a host identity; empty if the system does not tell. */
export function bootOf(host: string): string {
  const [, boot = '', namespace] = host.split('/');
  return namespace === undefined ? '' : boot;
}

/** The machine of a host identity, whichever boot. */
export function machineOf(host: string): string {
  return host.split('/')[0] ?? '';
}

/** Judges a process of this host. A zombie is dead: it will never write again. */
export function isRunning({ pid, start = 0 }: { readonly pid: number; readonly start?: number }): boolean {
  const stat = readStat(pid);
  if (stat) return stat.state !== 'Z' && stat.state !== 'X' && (start === 0 || stat.start === start);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function hostIdentity(): string {
  const bootId = orElse('', () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const namespace = orElse('', () => readlinkSync('/proc/self/ns/pid'));
  return [hostname(), bootId, namespace].filter(Boolean).join('/');
}

/**
 * Fields 3 and 22 of /proc/<pid>/stat. The second field, the program's name, may itself hold spaces and brackets. Systems
 * without /proc, and processes that ended meanwhile, have nothing to read.
 */
function readStat(pid: number): { state: string; start: number } | undefined {
  const text = orElse('', () => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return state && start ? { state, start: Number(start) } : undefined;
}
