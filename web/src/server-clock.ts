/*
 * Deadlines and ages are times of the server. The clock of the browser's machine may be wrong by minutes or hours: the
 * page learns how far it is off when it logs in, and again whenever it is connected anew.
 */

/** Less than this may be the way of the answer. */
const TOLERATED_MS = 2_000;

let ahead = 0;

export function learnServerTime(now: string): void {
  const difference = Date.parse(now) - Date.now();
  ahead = Math.abs(difference) > TOLERATED_MS ? difference : 0;
}

const LOOK_MS = 1_000;

/** Calls back when the clock of the machine was set, or the machine has slept. */
export function onClockJump(act: () => void): void {
  const offset = () => Date.now() - performance.now();
  let before = offset();
  setInterval(() => {
    if (Math.abs(offset() - before) <= TOLERATED_MS) return;
    before = offset();
    act();
  }, LOOK_MS);
}

export function serverNow(): number {
  return Date.now() + ahead;
}
