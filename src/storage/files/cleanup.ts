import { ExitSet } from './exit-set.js';
import { type FileSystem, isDone } from './file-system.js';

/*
 * What is done after the work: locks released, private files removed. The caller has its result by then, so errors here
 * are not reported to it. While a disk is read-only or does not answer, this tries again until it succeeds; if the
 * process ends first, the next sweep for dead processes does it.
 */

const AGAIN_MS = 250;

const pendingWork = new ExitSet<() => void>((work) => void isDone(work));
let isToBeTriedAgain = false;

/** Does it now, or as soon as the disk allows. It may be begun several times, and is done once. */
export function putAway(work: () => void): void {
  if (isDone(work)) return;
  pendingWork.add(work);
  tryAgainLater();
}

/** Tries again at once, for a caller that would otherwise wait for a lock that this process could not release. */
export function putAwayWhatIsLeft(): void {
  for (const work of pendingWork) if (isDone(work)) pendingWork.delete(work);
}

/** Closes a file whose content no longer matters: a failure loses nothing. */
export function letGo(fs: FileSystem, fd: number): void {
  // The system closes it, whatever error it reports.
  isDone(() => fs.closeSync(fd));
}

function tryAgainLater(): void {
  if (isToBeTriedAgain) return;
  isToBeTriedAgain = true;
  setTimeout(() => {
    isToBeTriedAgain = false;
    putAwayWhatIsLeft();
    if (pendingWork.size > 0) tryAgainLater();
  }, AGAIN_MS).unref();
}
