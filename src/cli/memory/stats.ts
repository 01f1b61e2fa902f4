import { renderMemoryStats } from '../../render/memory-stats.js';
import type { CommandLine } from '../command-line.js';

export async function stats(line: CommandLine): Promise<undefined> {
  const { out } = line;
  const counted = await (await line.app().memory()).stats();
  out.json(counted);
  out.print(renderMemoryStats(counted, out.paint));
  for (const alert of counted.alerts) out.note(`warning: ${alert}`);
}
