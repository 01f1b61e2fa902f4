import * as z from 'zod/mini';
import { AgentXError } from './errors.js';

const MS_PER_MINUTE = 60_000;

/** ISO 8601 with a zone: `Z` or an offset, with or without fractions of a second. */
export const Timestamp = z.iso.datetime({ offset: true });
export type Timestamp = z.infer<typeof Timestamp>;

/** The pattern of the schema, for callers that check nothing else. */
const SPELLING = z.regexes.datetime({ offset: true });

/** Epoch milliseconds of a timestamp; the form in which events carry time. */
export function toEpochMs(timestamp: Timestamp): number {
  if (typeof timestamp !== 'string' || !SPELLING.test(timestamp)) {
    throw new AgentXError(
      'INVALID_INPUT',
      `'${timestamp}' is not a time. Allowed: ISO 8601 such as 2026-02-26T10:00:00Z.`,
      { timestamp },
    );
  }
  return Date.parse(timestamp);
}

export function addMinutes(timestamp: Timestamp, minutes: number): Timestamp {
  return new Date(toEpochMs(timestamp) + minutes * MS_PER_MINUTE).toISOString();
}

/** Compares instants, not spellings: `10:00Z` is not before `12:00+02:00`. */
export function isBefore(left: Timestamp, right: Timestamp): boolean {
  return toEpochMs(left) < toEpochMs(right);
}
