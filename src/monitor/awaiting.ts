import type { ActiveClarification } from '../ports/store.js';
import type { QuestionSummary } from '../protocol/question-summary.js';

/**
 * The records whose targets cannot answer before a human does, be it that they asked one themselves or that somebody they
 * asked did. They are nobody's delay: a human is asked already, and the target goes on with the answer.
 */
export function findAwaiting(
  active: readonly ActiveClarification[],
  open: readonly Pick<QuestionSummary, 'id' | 'blocking'>[],
): ReadonlySet<string> {
  const awaited = new Set(open.filter(({ blocking }) => blocking).map(({ id }) => id));
  const found = new Set<string>();
  for (let known = -1; known < found.size; ) {
    known = found.size;
    for (const { record } of active) {
      const { id, status, questions = [], awaits = [] } = record;
      const isAsked = status === 'pending' || status === 'stale';
      if (isAsked && (questions.some((one) => awaited.has(one)) || awaits.some((one) => found.has(one)))) found.add(id);
    }
  }
  return found;
}
