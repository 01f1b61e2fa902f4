import type { ClarificationRecord } from './clarification.js';
import type { Question } from './question.js';

/**
 * The records whose targets cannot answer before a human does, be it that they asked one themselves or that somebody they
 * asked did, each with the question that is to be answered. They are nobody's delay: a human is asked already, and the
 * target goes on with the answer.
 */
export function findAwaiting(
  records: readonly ClarificationRecord[],
  open: readonly Pick<Question, 'id' | 'blocking'>[],
): ReadonlyMap<string, string> {
  const awaited = new Set(open.filter(({ blocking }) => blocking).map(({ id }) => id));
  const found = new Map<string, string>();
  for (let known = -1; known < found.size; ) {
    known = found.size;
    for (const { id, status, questions = [], awaits = [] } of records) {
      if (found.has(id) || (status !== 'pending' && status !== 'stale')) continue;
      const question = questions.find((one) => awaited.has(one)) ?? awaits.flatMap((one) => found.get(one) ?? [])[0];
      if (question !== undefined) found.set(id, question);
    }
  }
  return found;
}
