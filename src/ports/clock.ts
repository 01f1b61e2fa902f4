import type { Timestamp } from '../protocol/timestamp.js';

/** The engine's only source of time. */
export interface Clock {
  now(): Timestamp;
  /** Rejects at once when the signal breaks the wait off. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
