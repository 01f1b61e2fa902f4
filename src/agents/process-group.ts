import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from './error-code.js';

const TERM_GRACE_MS = 2000;
const POLL_MS = 20;
const FATAL_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Asks every process of the group to end, and kills those that are still there after two seconds. `isEnough` may say
 * earlier that the rest does not matter: a dead process that its parent has not collected yet counts as there.
 */
export async function endGroup(leader: number, isEnough = (): boolean => false): Promise<void> {
  if (!signalGroup(leader, 'SIGTERM')) return;
  for (let waitedMs = 0; waitedMs < TERM_GRACE_MS; waitedMs += POLL_MS) {
    await sleep(POLL_MS);
    if (isEnough() || !signalGroup(leader, 0)) return;
  }
  signalGroup(leader, 'SIGKILL');
}

/** False if no process is left in the group, or none that we may signal (EPERM: only zombies, on some systems). */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ESRCH' || errorCode(error) === 'EPERM') return false;
    throw error;
  }
}

interface Group {
  leader?: number;
}

const groups = new Set<Group>();

/**
 * A process group of its own does not receive the Ctrl-C that ends this process, so signals are passed on until `leave`
 * is called. Listening begins before the start: a signal that comes in between waits until the leader is known.
 */
export function startGroup<Child extends { readonly pid?: number | undefined }>(start: () => Child) {
  const group: Group = {};
  const leave = (): void => {
    if (groups.delete(group) && groups.size === 0) stopListening();
  };
  if (groups.size === 0) listen();
  groups.add(group);
  try {
    const child = start();
    if (child.pid !== undefined) group.leader = child.pid;
    return { child, leave };
  } catch (error) {
    leave();
    throw error;
  }
}

function listen(): void {
  process.on('exit', onExit);
  for (const signal of FATAL_SIGNALS) process.on(signal, onSignal);
}

function stopListening(): void {
  process.off('exit', onExit);
  for (const signal of FATAL_SIGNALS) process.off(signal, onSignal);
}

function onExit(): void {
  signalAll('SIGKILL');
}

/** Without another listener, the signal then does to this process what it would have done without us. */
function onSignal(signal: NodeJS.Signals): void {
  signalAll('SIGTERM');
  if (process.listenerCount(signal) > 1) return;
  stopListening();
  process.kill(process.pid, signal);
}

function signalAll(signal: NodeJS.Signals): void {
  for (const { leader } of groups) if (leader !== undefined) signalGroup(leader, signal);
}
