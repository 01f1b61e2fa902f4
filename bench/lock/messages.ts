import type { ContenderName, Place } from './contender.js';

/** The first message to a worker. */
export interface WorkerTask {
  readonly contender: ContenderName;
  readonly place: Place;
  /** A document of its own, to warm up on. */
  readonly warmUp: Place & { readonly updates: number };
  /** How many updates it keeps under way at once. */
  readonly outstanding: number;
}

/** All workers of a slice start at the same time of day. */
export interface Slice {
  readonly startAt: number;
  readonly milliseconds: number;
}

export interface SliceResult {
  /** Acknowledged before the slice ended: what counts as throughput. */
  readonly inTime: number;
  /** Those, and the ones under way when it ended. */
  readonly acknowledged: number;
  readonly latencies: Float64Array;
  readonly timeouts: number;
  readonly failures: number;
  readonly firstFailure?: string;
}

export type ToWorker = { readonly type: 'slice'; readonly slice: Slice } | { readonly type: 'stop' };
export type FromWorker = { readonly type: 'ready' } | { readonly type: 'done'; readonly result: SliceResult };
