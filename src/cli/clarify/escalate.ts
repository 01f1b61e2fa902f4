import { check } from '../check.js';
import type { CommandLine } from '../command-line.js';
import { noteEarlier } from './note-earlier.js';
import { actorOf, report } from './report.js';
import { requireRecord } from './require-record.js';
import { streaming } from './streaming.js';

export interface EscalateOptions {
  readonly message: string;
  readonly retry: boolean;
}

export async function escalate(line: CommandLine, id: string, { message, retry }: EscalateOptions) {
  await requireRecord(line.app(), id);
  await check(line, { retry });
  const request = { clarificationId: id, reason: message, ...actorOf(line) };
  const result = await streaming(line, () => line.app().escalate(request));
  noteEarlier(line, result.record, { type: 'escalation', message });
  return report(line, result);
}
