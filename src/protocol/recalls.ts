import * as z from 'zod/mini';
import { isObject } from './is-object.js';
import type { Shape } from './shape.js';

/*
 * How often observations were recalled: `state/recalls.json`. A recall only reads; if it were counted in the observations
 * themselves, every start of a session would write into the files of many issues, which people commit. So the counts stand
 * together in a file of their own, and are added to what the observation says of itself wherever it is read. They are a
 * statistic: what a power cut takes away of them is not missed.
 */

const FILE_VERSION = 1;

export const Recalls = z.looseObject({
  version: z.literal(FILE_VERSION),
  /** By the id of an observation: checked as a whole, because after some years there are many thousands. */
  counts: z.custom<Readonly<Record<string, number>>>(
    (value) => isObject(value) && Object.values(value).every(isCount),
    'must hold a whole number for each id',
  ),
});
export type Recalls = Shape<typeof Recalls>;

export type RecallCounts = Recalls['counts'];

export const NO_RECALLS: Recalls = { version: FILE_VERSION, counts: {} };

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Pure: each of them once more. */
export function withRecalls(recalls: Recalls, ids: readonly string[]): Recalls {
  const more = ids.map((id) => [id, recallsOf(recalls.counts, id) + 1] as const);
  return { ...recalls, counts: { ...recalls.counts, ...Object.fromEntries(more) } };
}

export function recallsOf(counts: RecallCounts, id: string): number {
  return Object.hasOwn(counts, id) ? (counts[id] ?? 0) : 0;
}

/** The observation, or its entry in an index, with all of its recalls. */
export function counted<T extends { readonly id: string; readonly recallCount?: number }>(
  one: T,
  counts: RecallCounts,
): T {
  const more = recallsOf(counts, one.id);
  return more === 0 ? one : { ...one, recallCount: (one.recallCount ?? 0) + more };
}
