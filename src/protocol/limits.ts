/** Every number that bounds the protocol. Lengths are counted in characters (code points). */

export const MAX_TOPIC_CHARACTERS = 200;
export const MAX_QUESTION_CHARACTERS = 2000;
export const MAX_ANSWER_CHARACTERS = 2000;

export const MAX_QUESTIONS_PER_REPLY = 20;
export const MAX_OPTIONS_PER_QUESTION = 12;

export const MAX_OBSERVATION_CHARACTERS = 2000;
export const MAX_OBSERVATIONS_PER_CAPTURE = 50;

export const MAX_REQUEST_BODY_BYTES = 1024 * 1024;
/** Nothing of ours is nested nearly as deep; deeper nesting is meant to exhaust us. */
export const MAX_JSON_DEPTH = 200;

export const DEFAULT_MAX_ROUNDS_BLOCKING = 5;
export const DEFAULT_MAX_ROUNDS_NON_BLOCKING = 6;
export const DEFAULT_SLA_MINUTES = 30;
/** A stale target is asked once more; the next expiry escalates. */
export const MAX_STALE_RETRIES = 1;

export const STALE_LOCK_THRESHOLD_MS = 30_000;
export const MAX_LOCK_RETRIES = 5;
export const BASE_LOCK_DELAY_MS = 200;
export const MAX_LOCK_WAIT_MS = 5000;
/** A holder touches its lock this often, so that long work is not taken for a dead process. */
export const LOCK_HEARTBEAT_MS = 5000;

export function countCharacters(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if (isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1))) count--;
  }
  return count;
}

/** The beginning of a text, at most so many units, never cut inside a character. */
export function beginningOf(text: string, units: number): string {
  return text.slice(0, isHighSurrogate(text.charCodeAt(units - 1)) ? units - 1 : units);
}

/** The same of its end. */
export function endOf(text: string, units: number): string {
  const start = Math.max(0, text.length - units);
  return text.slice(start > 0 && isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
