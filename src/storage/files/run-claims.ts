import { join } from 'node:path';
import type { RunClaim } from '../../ports/store.js';
import { AgentXError } from '../../protocol/errors.js';
import { STALE_LOCK_THRESHOLD_MS } from '../../protocol/limits.js';
import { type RunHolder, runClaimed } from '../../protocol/run.js';
import type { FileSystem } from './file-system.js';
import type { FilesContext } from './json-file.js';
import type { Layout } from './layout.js';
import { acquireLock } from './lock.js';
import { type LockOnDisk, readLock } from './lock-claim.js';
import { lockPath } from './lock-names.js';
import { isRunning, machineOf, thisProcess } from './process-identity.js';
import { asStoreError } from './store-error.js';

/*
 * The right to carry a run on: a lock of its own beside the run's file, which is free for whoever writes to it. It is held
 * as long as a process carries the run, which may be hours; like every lock it has a heartbeat.
 */

/** Long enough to see that a holder of this machine is dead, which is known at the second look. */
const CLAIM_WAIT_MS = 250;
/** A holder that cannot be seen from here is watched for a while, however old its last sign of life is. */
const WATCH_MS = 2_000;

const claimFile = (layout: Layout, issueNumber: number): string => join(layout.runs, `issue-${issueNumber}.claim.json`);

export async function claimRun(
  { fs, folders, agent }: FilesContext,
  layout: Layout,
  issueNumber: number,
): Promise<RunClaim> {
  folders.prepare(layout.runs);
  const file = claimFile(layout, issueNumber);
  try {
    const holder = readClaim(fs, lockPath(file));
    const waitMs = holder === undefined || isOfThisHost(holder) ? CLAIM_WAIT_MS : WATCH_MS;
    const lock = await acquireLock(file, { fs, agent, waitMs });
    return { isHeld: () => lock.isMine(), release: () => lock.release() };
  } catch (error) {
    if (!(error instanceof AgentXError) || error.code !== 'LOCK_TIMEOUT') throw error;
    const present = readClaim(fs, lockPath(file));
    throw runClaimed(present === undefined ? { issueNumber } : describe(present, issueNumber));
  }
}

/** Who carries the run of an issue on; nobody where the holder died, or gave no sign of life for as long as a lease. */
export function runHolder(fs: FileSystem, layout: Layout, issueNumber: number): RunHolder | undefined {
  const lock = readClaim(fs, lockPath(claimFile(layout, issueNumber)));
  return lock === undefined || isLeft(lock) ? undefined : describe(lock, issueNumber);
}

/** Its process died, or gave no sign of life for as long as a lease. */
export function isLeft(lock: LockOnDisk): boolean {
  return isOfThisHost(lock) && lock.body !== undefined
    ? !isRunning(lock.body)
    : Date.now() - lock.modifiedMs > STALE_LOCK_THRESHOLD_MS;
}

export function readClaim(fs: FileSystem, path: string): LockOnDisk | undefined {
  try {
    return readLock(fs, path);
  } catch (error) {
    throw asStoreError('read', path, error);
  }
}

/** Whether its process can be seen from here: neither that of another machine nor one from before a restart can. */
function isOfThisHost({ body }: LockOnDisk): boolean {
  return body?.token !== undefined && body.host === thisProcess().host;
}

function describe(lock: LockOnDisk, issueNumber: number): RunHolder {
  const { agent, pid, host, since } = lock.body ?? {};
  return {
    issueNumber,
    ...(agent === undefined ? {} : { by: agent }),
    ...(pid === undefined ? {} : { pid }),
    // Boot and namespace, which tell one machine from itself, tell people nothing.
    ...(host === undefined ? {} : { host: machineOf(host) }),
    ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
    ...(isOfThisHost(lock) ? {} : { freeAt: new Date(lock.modifiedMs + STALE_LOCK_THRESHOLD_MS).toISOString() }),
  };
}
