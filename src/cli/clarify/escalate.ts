import { check } from '../check.js';
import type { CommandLine } from '../command-line.js';
import type { TextOf } from '../text.js';
import { noteEarlier } from './note-earlier.js';
import { actorOf, report } from './report.js';
import { streaming } from './streaming.js';

export interface EscalateOptions {
  readonly text: TextOf;
  readonly retry: boolean;
}

export async function escalate(line: CommandLine, typedId: string, { text, retry }: EscalateOptions) {
  const id = await line.app().findId('clarification', typedId);
  const message = await text(line);
  await check(line, { retry });
  const request = { clarificationId: id, reason: message, ...actorOf(line) };
  const result = await streaming(line, () => line.app().escalate(request));
  noteEarlier(line, result.record, { type: 'escalation', message });
  return report(line, result);
}
