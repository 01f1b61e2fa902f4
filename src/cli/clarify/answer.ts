import { check } from '../check.js';
import type { CommandLine } from '../command-line.js';
import type { TextOf } from '../text.js';
import { actorOf, report } from './report.js';
import { streaming } from './streaming.js';

export interface AnswerOptions {
  readonly text: TextOf;
  readonly retry: boolean;
}

/**
 * An answer by hand. The monitor runs afterwards: if it ran first, it would ask the target of a stale clarification
 * again although the answer is here.
 */
export async function answer(line: CommandLine, typedId: string, { text, retry }: AnswerOptions) {
  const id = await line.app().findId('clarification', typedId);
  const message = await text(line);
  const request = { clarificationId: id, answer: message, ...actorOf(line) };
  try {
    return report(line, await streaming(line, () => line.app().answer(request)));
  } finally {
    await check(line, { retry });
  }
}
