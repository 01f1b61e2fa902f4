import { fnv1a64 } from './derived-id.js';
import { parseObservationId } from './ids.js';
import { MAX_OBSERVATION_CHARACTERS } from './limits.js';
import { isCertain, type Observation, type ObservationFile } from './observation.js';
import { fitInto, shorten } from './shorten.js';
import { toEpochMs } from './timestamp.js';
import { estimateTokens } from './tokens.js';

/*
 * Compaction makes one observation of several of the same category. It keeps a line of each; the originals go to the
 * archive, and the merged one names them, so that they can be brought back. What the protocol knows for certain, such as
 * the answer of a human, is never merged: it may have to be cited word for word.
 */

export interface CompactionResult {
  readonly issueNumber: number;
  readonly before: number;
  readonly after: number;
  /** The originals that went to the archive, or came back from there. */
  readonly moved: number;
}

export interface Compacted {
  /** What the issue has now: untouched ones, and merged ones in the place of their first original. */
  readonly observations: readonly Observation[];
  readonly originals: readonly Observation[];
}

/** Observations that nothing has touched for longer may be archived. */
export const STALE_ARCHIVE_AFTER_DAYS = 90;

const MOST_MERGED = 12;
const SUMMARY_CHARACTERS = 160;

/** Pure. The same observations give the same result, so that it can be repeated after a crash. */
export function compactObservations(observations: readonly Observation[]): Compacted {
  const batches = batchesOf(observations.filter(mayMerge)).filter(({ length }) => length > 1);
  const mergedInto = new Map(batches.flatMap((batch) => batch.map((one) => [one.id, batch] as const)));
  return {
    observations: observations.flatMap((one) => {
      const batch = mergedInto.get(one.id);
      if (batch === undefined) return [one];
      return batch[0] === one ? [merge(batch)] : [];
    }),
    originals: batches.flat(),
  };
}

/** Pure. The originals take the place of the merged observation. */
export function restoreObservations(
  observations: readonly Observation[],
  originals: readonly Observation[],
): readonly Observation[] {
  const back = new Set(originals.map(({ id }) => id));
  const remaining = observations.filter((one) => !(one.mergedFrom?.every((id) => back.has(id)) ?? false));
  const presentIds = new Set(remaining.map(({ id }) => id));
  const missingOriginals = originals
    .filter(({ id }) => !presentIds.has(id))
    .map(({ archived: _archived, ...one }) => one);
  return [...remaining, ...missingOriginals].sort(
    (left, right) => toEpochMs(left.timestamp) - toEpochMs(right.timestamp) || (left.id < right.id ? -1 : 1),
  );
}

/** Pure. What was merged of the original and of others is merged of the others. */
export function mergedWithout(file: ObservationFile, id: string, originals: readonly Observation[]): ObservationFile {
  if (!file.observations.some(({ mergedFrom }) => mergedFrom?.includes(id))) return file;
  const observations = file.observations.flatMap((one) => {
    if (!one.mergedFrom?.includes(id)) return [one];
    const rest = originals.filter((original) => original.id !== id && one.mergedFrom?.includes(original.id));
    return rest.length === 0 ? [] : [merge(rest)];
  });
  return { ...file, observations };
}

function mayMerge(observation: Observation): boolean {
  return observation.mergedFrom === undefined && !isCertain(observation);
}

function batchesOf(observations: readonly Observation[]): readonly (readonly Observation[])[] {
  const categories = [...new Set(observations.map(({ category }) => category))];
  return categories.flatMap((category) => {
    const ofCategory = observations
      .filter((one) => one.category === category)
      .toSorted((left, right) => toEpochMs(left.timestamp) - toEpochMs(right.timestamp));
    const batches = Math.ceil(ofCategory.length / MOST_MERGED);
    const size = Math.ceil(ofCategory.length / Math.max(batches, 1));
    return Array.from({ length: batches }, (_, place) => ofCategory.slice(place * size, (place + 1) * size));
  });
}

function merge(batch: readonly Observation[]): Observation {
  const last = batch.at(-1);
  if (last === undefined) throw new RangeError('nothing to merge');
  const agents = [...new Set(batch.map(({ agent }) => agent))];
  const agent = agents.length === 1 ? last.agent : mostFrequent(batch.map((one) => one.agent));
  // A line has a mark of two characters and an end.
  const share = Math.floor(MAX_OBSERVATION_CHARACTERS / batch.length) - 3;
  const lines = batch.map((one) => {
    const by = one.agent === agent ? '' : ` (${one.agent})`;
    return `- ${fitInto(oneLine(one.content), share - by.length)}${by}`;
  });
  const content = lines.join('\n');
  const { issueNumber } = last;
  const suffix = fnv1a64(batch.map(({ id }) => id).join(' ')).slice(-6);
  const recallCount = Math.max(...batch.map((one) => one.recallCount ?? 0));
  return {
    id: `obs-${parseObservationId(last.id).agent}-${issueNumber}-${toEpochMs(last.timestamp)}-${suffix}`,
    agent,
    issueNumber,
    category: last.category,
    content,
    summary: shorten(batch.map(({ summary }) => oneLine(summary)).join('; '), SUMMARY_CHARACTERS),
    tokens: estimateTokens(content),
    timestamp: last.timestamp,
    sessionId: last.sessionId,
    ...(recallCount > 0 && { recallCount }),
    mergedFrom: batch.map(({ id }) => id),
  };
}

function mostFrequent(names: readonly string[]): string {
  const countsById = new Map<string, number>();
  for (const name of names) countsById.set(name, (countsById.get(name) ?? 0) + 1);
  return [...countsById].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
