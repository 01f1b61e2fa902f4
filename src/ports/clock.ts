import type { Timestamp } from '../protocol/timestamp.js';

/** The engine's only source of time. */
export interface Clock {
  now(): Timestamp;
  /** Rejects at once when the signal says that nobody waits any more. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
