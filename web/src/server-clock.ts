/*
 * Deadlines and ages are times of the server. The clock of the browser's machine may be wrong by minutes or hours: the
 * page learns how far it is off when it logs in.
 */

/** Less than this may be the way of the answer. */
const TOLERATED_MS = 2_000;

let ahead = 0;

export function learnServerTime(now: string): void {
  const difference = Date.parse(now) - Date.now();
  ahead = Math.abs(difference) > TOLERATED_MS ? difference : 0;
}

export function serverNow(): number {
  return Date.now() + ahead;
}
