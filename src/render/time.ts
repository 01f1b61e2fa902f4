import { type Timestamp, toEpochMs } from '../protocol/timestamp.js';

/** How to show times: people read how long ago something was, programs read when. */
export interface Timing {
  readonly now: Timestamp;
  readonly isRelative: boolean;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `4 min ago`, or the time as it is stored. */
export function whenText(at: Timestamp, { now, isRelative }: Timing): string {
  if (!isRelative) return at;
  const passedMs = toEpochMs(now) - toEpochMs(at);
  return passedMs < SECOND ? 'just now' : `${duration(passedMs)} ago`;
}

/** `31 min`, or the time as it is stored. */
export function ageText(since: Timestamp, { now, isRelative }: Timing): string {
  return isRelative ? duration(toEpochMs(now) - toEpochMs(since)) : since;
}

/** `in 4:32`, or the time as it is stored; a time in the past is due. */
export function countdownText(to: Timestamp, { now, isRelative }: Timing): string {
  if (!isRelative) return `at ${to}`;
  const secondsLeft = Math.ceil((toEpochMs(to) - toEpochMs(now)) / SECOND);
  if (secondsLeft <= 0) return 'now';
  if (secondsLeft >= HOUR / SECOND) return `in ${duration(secondsLeft * SECOND)}`;
  return `in ${Math.floor(secondsLeft / 60)}:${String(secondsLeft % 60).padStart(2, '0')}`;
}

/** In the largest unit that is not zero. */
export function duration(milliseconds: number): string {
  const length = Math.max(0, milliseconds);
  if (length < MINUTE) return `${Math.floor(length / SECOND)} s`;
  if (length < HOUR) return `${Math.floor(length / MINUTE)} min`;
  if (length < 2 * DAY) return `${Math.floor(length / HOUR)} h`;
  return `${Math.floor(length / DAY)} days`;
}
