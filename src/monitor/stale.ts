import type { ListedClarification } from '../ports/store.js';
import { hasExpired, mayRetry } from '../protocol/clarification.js';
import type { Timestamp } from '../protocol/timestamp.js';

export interface StaleClarification extends ListedClarification {
  /** After the first expiry the target is asked once more, after the second a human is. */
  readonly expiry: 'first' | 'second';
}

/** A record that a crash or another program left `stale` is treated like one that expires now. */
export function findStale(active: readonly ListedClarification[], now: Timestamp): readonly StaleClarification[] {
  return active
    .filter(({ record }) => record.status === 'stale' || hasExpired(record, now))
    .map((clarification) => ({ ...clarification, expiry: mayRetry(clarification.record) ? 'first' : 'second' }));
}
