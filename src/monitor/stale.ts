import type { ActiveClarification } from '../ports/store.js';
import { type ClarificationRecord, mayRetry } from '../protocol/clarification.js';
import { isBefore, type Timestamp } from '../protocol/timestamp.js';

export interface StaleClarification extends ActiveClarification {
  /** After the first expiry the target is asked once more, after the second a human is. */
  readonly expiry: 'first' | 'second';
}

/** A record that was left `stale`, by a crash or by another program, waits for the same as one that expires now. */
export function findStale(active: readonly ActiveClarification[], now: Timestamp): readonly StaleClarification[] {
  return active
    .filter(({ record }) => record.status === 'stale' || hasExpired(record, now))
    .map((found) => ({ ...found, expiry: mayRetry(found.record) ? 'first' : 'second' }));
}

export function hasExpired(record: ClarificationRecord, now: Timestamp): boolean {
  return record.status === 'pending' && !isBefore(now, record.staleAfter);
}
