import type { Timestamp } from '../protocol/timestamp.js';

/** The engine's only source of time. */
export interface Clock {
  now(): Timestamp;
  sleep(milliseconds: number): Promise<void>;
}
