import type { StoreStats } from '../protocol/observation.js';
import type { CompactionResult } from '../protocol/observation-compaction.js';
import { type Paint, UNPAINTED } from './conversation.js';

interface Counted extends StoreStats {
  readonly metrics: {
    readonly captures: Readonly<Record<'count' | 'times' | 'latencyMs' | 'errors', number>>;
    readonly recalls: Readonly<Record<'count' | 'times' | 'latencyMs' | 'tokens' | 'displaced', number>>;
    readonly searches: Readonly<Record<'times' | 'latencyMs', number>>;
  };
}

/** How much is remembered, of what and by which agents, and how often it was used. */
export function renderMemoryStats(counted: Counted, paint: Paint = UNPAINTED): string {
  const { totalObservations, totalTokens, issueCount, bytes, archived, metrics } = counted;
  const { captures, recalls, searches } = metrics;
  return [
    `${paint.name('Observations')}  ${totalObservations} of ${issueCount} issues, ${archived} more in the archive`,
    `${paint.name('Tokens')}        ${totalTokens}`,
    `${paint.name('On disk')}       ${sizeOf(bytes)}`,
    ...(totalObservations === 0
      ? []
      : [
          `${paint.name('From')}          ${counted.oldestTimestamp} to ${counted.newestTimestamp}`,
          `${paint.name('Categories')}    ${listOf(counted.byCategory)}`,
          `${paint.name('Agents')}        ${listOf(counted.byAgent)}`,
        ]),
    `${paint.name('Captured')}      ${captures.count} in ${captures.times} captures, ${captures.latencyMs} ms each, ${captures.errors} failed`,
    `${paint.name('Recalled')}      ${recalls.count} in ${recalls.times} recalls, ${recalls.latencyMs} ms each, ${recalls.tokens} tokens used, ${recalls.displaced} not read again`,
    `${paint.name('Searched')}      ${searches.times} times, ${searches.latencyMs} ms each`,
  ].join('\n');
}

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
