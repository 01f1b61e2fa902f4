/*
 * Which process comes next. Nothing here matters for safety: a lock can be placed only once. It matters for speed and
 * fairness. Node cannot sleep for less than a millisecond, and a change takes a fifth of one. Handing the lock to a
 * sleeping process each time would leave the lock idle most of the time.
 *
 * So a process may keep a lock busy for a while (a turn). Meanwhile the others stand in a line of two places. One process
 * is next and looks every millisecond. The rest look now and then whether they can be next, because that place is empty
 * or because they have waited longer. After its turn a process steps aside until another one has the lock.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { putAway } from './cleanup.js';
import { type FileSystem, isThere, orElse, unlinkIfThere } from './file-system.js';
import { lockPath, waitingPath } from './lock-names.js';

/** How long a turn may last. */
export const TURN_MS = 10;
/** A turn may last so much longer if the line is empty. */
const ALONE_FACTOR = 5;
/** Taking a lock again within this time continues the same turn. */
const AT_ONCE_MS = 2;
/** How long a process steps aside for the next in line, which may be asleep. */
const COURTESY_MS = 10;
/** How long those behind the next in line sleep between two looks: many of them must not eat the processor. */
const BACK_OF_LINE_MS = 30;

/** How long a waiting process sleeps before the next look. */
export function pauseBeforeLook(place: 'next' | 'behind'): number {
  return place === 'next' ? 1 : Math.random() * 2 * BACK_OF_LINE_MS;
}

const TURNS_KEPT = 1_000;

/** The last turn of this process with each lock. */
const turns = new Map<string, { readonly since: number; readonly until: number }>();

export function noteTurn(file: string, since: number): void {
  const before = turns.get(file);
  // A server takes many thousand locks: those of long ago do not matter.
  if (turns.size >= TURNS_KEPT) turns.clear();
  const isSameTurn = before !== undefined && since - before.until < AT_ONCE_MS;
  turns.set(file, { since: isSameTurn ? before.since : since, until: performance.now() });
}

/**
 * Steps aside after a turn that was long enough, until another process has the lock: then true. If the line is empty, it
 * steps aside only for a moment, for programs that follow only the open format.
 */
export async function letOthersGoFirst(fs: FileSystem, file: string): Promise<boolean> {
  const turn = turns.get(file);
  const now = performance.now();
  if (turn === undefined || now - turn.until >= AT_ONCE_MS || now - turn.since < TURN_MS) return false;
  if (now - turn.since < TURN_MS * ALONE_FACTOR && !isWaitedFor(fs, file)) return false;
  turns.delete(file);
  do {
    await sleep(1);
    if (orElse(false, () => isThere(fs, lockPath(file)))) return true;
    if (!isWaitedFor(fs, file)) return false;
  } while (performance.now() - now < COURTESY_MS);
  // The next in line does not come: it is frozen or dead. The line begins anew.
  putAway(() => unlinkIfThere(fs, waitingPath(file)));
  return false;
}

/** Whether a process stands in line. Later work in that folder reports why it cannot be examined. */
export function isWaitedFor(fs: FileSystem, file: string): boolean {
  return orElse(false, () => isThere(fs, waitingPath(file)));
}
