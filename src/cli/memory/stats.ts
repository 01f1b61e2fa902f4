import { renderMemoryStats } from '../../render/memory-stats.js';
import { listViewOf } from '../clarify/view.js';
import type { CommandLine } from '../command-line.js';

export async function stats(line: CommandLine): Promise<undefined> {
  const { out } = line;
  const memoryStats = await (await line.app().memory()).stats();
  out.json(memoryStats);
  out.print(renderMemoryStats(memoryStats, listViewOf(line)));
  for (const alert of memoryStats.alerts) out.note(`warning: ${alert}`);
}
