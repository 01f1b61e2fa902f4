import type { StoreStats } from '../protocol/observation.js';
import type { CompactionResult } from '../protocol/observation-compaction.js';
import { labelled, type View } from './thread.js';

interface Counted extends StoreStats {
  readonly metrics: {
    readonly captures: Readonly<Record<'count' | 'times' | 'latencyMs' | 'errors', number>>;
    readonly recalls: Readonly<Record<'count' | 'times' | 'latencyMs' | 'tokens' | 'displaced', number>>;
    readonly searches: Readonly<Record<'times' | 'latencyMs', number>>;
  };
}

/** How much is remembered, of what and by which agents, and how often it was used. */
export function renderMemoryStats(figures: Counted, { width, paint }: Pick<View, 'width' | 'paint'>): string {
  const { totalObservations, totalTokens, issueCount, bytes, archived, metrics } = figures;
  const { captures, recalls, searches } = metrics;
  const rows = [
    ['Observations', `${totalObservations} of ${issueCount} issues, ${archived} more in the archive`],
    ['Tokens', String(totalTokens)],
    ['On disk', sizeOf(bytes)],
    ...(totalObservations === 0
      ? []
      : [
          ['From', `${figures.oldestTimestamp} to ${figures.newestTimestamp}`],
          ['Categories', listOf(figures.byCategory)],
          ['Agents', listOf(figures.byAgent)],
        ]),
    [
      'Captured',
      `${captures.count} in ${captures.times} captures, ${captures.latencyMs} ms each, ${captures.errors} failed`,
    ],
    [
      'Recalled',
      `${recalls.count} in ${recalls.times} recalls, ${recalls.latencyMs} ms each, ${recalls.tokens} tokens used, ${recalls.displaced} not read again`,
    ],
    ['Searched', `${searches.times} times, ${searches.latencyMs} ms each`],
  ];
  return rows
    .map(([name = '', value = '']) => labelled(name.padEnd(LABEL), value, width).replace(name, paint.name))
    .join('\n');
}

const LABEL = 14;

/** What a compaction did. */
export function renderCompaction({ before, after, moved, issueNumber }: CompactionResult): string {
  return moved === 0
    ? `Issue #${issueNumber} has nothing to merge: ${countedObservations(before)}.`
    : `Issue #${issueNumber}: ${countedObservations(before)} became ${after}; the originals are in memory/archive/.`;
}

export function countedObservations(count: number): string {
  return `${count} ${count === 1 ? 'observation' : 'observations'}`;
}

function listOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
