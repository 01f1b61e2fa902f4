import type { CommandLine } from '../command-line.js';

export async function stats(line: CommandLine): Promise<undefined> {
  const { out } = line;
  const counted = await (await line.app().memory()).stats();
  out.json(counted);
  const { totalObservations, totalTokens, issueCount, bytes, archived, metrics, alerts } = counted;
  const { captures, recalls, searches } = metrics;
  out.print(
    [
      `${out.paint.name('Observations')}  ${totalObservations} of ${issueCount} issues, ${archived} more in the archive`,
      `${out.paint.name('Tokens')}        ${totalTokens}`,
      `${out.paint.name('On disk')}       ${sizeOf(bytes)}`,
      ...(totalObservations === 0
        ? []
        : [
            `${out.paint.name('From')}          ${counted.oldestTimestamp} to ${counted.newestTimestamp}`,
            `${out.paint.name('Categories')}    ${listOf(counted.byCategory)}`,
            `${out.paint.name('Agents')}        ${listOf(counted.byAgent)}`,
          ]),
      `${out.paint.name('Captured')}      ${captures.count} in ${captures.times} captures, ${captures.latencyMs} ms each, ${captures.errors} failed`,
      `${out.paint.name('Recalled')}      ${recalls.count} in ${recalls.times} recalls, ${recalls.latencyMs} ms each, ${recalls.tokens} tokens used, ${recalls.displaced} not read again`,
      `${out.paint.name('Searched')}      ${searches.times} times, ${searches.latencyMs} ms each`,
    ].join('\n'),
  );
  for (const alert of alerts) out.note(`warning: ${alert}`);
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
