import { type ClarificationRecord, isActive } from '../../protocol/clarification.js';
import { parseClarificationId } from '../../protocol/ids.js';
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
  const { issueNumber } = parseClarificationId(id);
  const app = line.app();
  const record = await requireRecord(app, id);
  const actor = actorOf(line);
  try {
    if (saysAlready(record, actor.by, message)) {
      const { status, round } = record;
      return report(line, { clarificationId: id, issueNumber, status, round, answer: message, record });
    }
    return report(line, await streaming(line, () => app.answer({ clarificationId: id, answer: message, ...actor })));
  } finally {
    await check(line, { retry });
  }
}

/** The same answer a second time is no error. */
function saysAlready(record: ClarificationRecord, by: string, message: string): boolean {
  const last = record.thread.at(-1);
  return isActive(record) && last?.type === 'answer' && last.from === by && last.body === message;
}
