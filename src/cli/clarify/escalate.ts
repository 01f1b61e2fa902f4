import { parseClarificationId } from '../../protocol/ids.js';
import { check } from '../check.js';
import type { CommandLine } from '../command-line.js';
import { actorOf, report } from './report.js';
import { streaming } from './streaming.js';

export interface EscalateOptions {
  readonly message: string;
  readonly retry: boolean;
}

export async function escalate(line: CommandLine, id: string, { message, retry }: EscalateOptions) {
  parseClarificationId(id);
  await check(line, { retry });
  const request = { clarificationId: id, reason: message, ...actorOf(line) };
  return report(line, await streaming(line, () => line.app().escalate(request)));
}
