import { ExitSet } from './exit-set.js';
import type { FileSystem } from './file-system.js';

/*
 * What is done after the work: locks let go, private files removed. Whoever asked for the work has its result by then, so
 * that nothing that goes wrong here is theirs to hear. A disk that is read-only for a while, or does not answer, is asked
 * again until it does; a process that ends before leaves it to whoever sweeps after the dead.
 */

const AGAIN_MS = 250;

const left = new ExitSet<() => void>((work) => void isDone(work));
let isToBeTriedAgain = false;

/** Does it now, or as soon as the disk lets it. It may be begun several times, and is done once. */
export function putAway(work: () => void): void {
  if (isDone(work)) return;
  left.add(work);
  tryAgainLater();
}

/** Tries again at once, for somebody who would otherwise wait for a lock that this process could not let go. */
export function putAwayWhatIsLeft(): void {
  for (const work of left) if (isDone(work)) left.delete(work);
}

/** Closes a file whose content is of no concern any more: not being able to loses nothing. */
export function letGo(fs: FileSystem, fd: number): void {
  try {
    fs.closeSync(fd);
  } catch {
    // The system lets go of it, whatever it says.
  }
}

function isDone(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

function tryAgainLater(): void {
  if (isToBeTriedAgain) return;
  isToBeTriedAgain = true;
  setTimeout(() => {
    isToBeTriedAgain = false;
    putAwayWhatIsLeft();
    if (left.size > 0) tryAgainLater();
  }, AGAIN_MS).unref();
}
