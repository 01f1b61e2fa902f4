import { check } from '../check.js';
import type { CommandLine } from '../command-line.js';
import { actorOf, report } from './report.js';
import { requireRecord } from './require-record.js';
import { streaming } from './streaming.js';

export interface AnswerOptions {
  readonly message: string;
  readonly retry: boolean;
}

/**
 * An answer by hand. The monitor comes after it: before, it would ask the target of a stale clarification again although
 * the answer is here.
 */
export async function answer(line: CommandLine, id: string, { message, retry }: AnswerOptions) {
  await requireRecord(line.app(), id);
  const request = { clarificationId: id, answer: message, ...actorOf(line) };
  try {
    return report(line, await streaming(line, () => line.app().answer(request)));
  } finally {
    await check(line, { retry });
  }
}
