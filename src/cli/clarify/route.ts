import { parseClarificationId } from '../../protocol/ids.js';
import type { CommandLine } from '../command-line.js';
import { report } from './report.js';
import { streaming } from './streaming.js';

/** What a non-blocking ask leaves to another process. The monitor has run when it was asked, and will run again. */
export async function route(line: CommandLine, id: string): Promise<number | undefined> {
  parseClarificationId(id);
  return report(line, await streaming(line, () => line.app().route(id)));
}
