import type { ClarificationRecord } from './clarification.js';
import { escalationQuestionId } from './ids.js';
import type { Question } from './question.js';

/**
 * The records whose targets cannot answer before a human does, be it that they asked one themselves, that what they asked
 * is escalated, or that somebody they asked waits so, each with the question that is to be answered. They are nobody's delay: a human is asked already, and the
 * target goes on with the answer.
 */
export function findAwaiting(
  records: readonly ClarificationRecord[],
  open: readonly Pick<Question, 'id' | 'blocking'>[],
): ReadonlyMap<string, string> {
  const awaited = new Set(open.filter(({ blocking }) => blocking).map(({ id }) => id));
  const found = new Map<string, string>();
  const escalated = new Map(
    records.flatMap(({ id, status, round }) => {
      const question = status === 'escalated' ? escalationQuestionId(id, round) : '';
      return awaited.has(question) ? [[id, question] as const] : [];
    }),
  );
  for (let known = -1; known < found.size; ) {
    known = found.size;
    for (const { id, status, questions = [], awaits = [] } of records) {
      if (found.has(id) || (status !== 'pending' && status !== 'stale')) continue;
      const below = awaits.flatMap((one) => found.get(one) ?? escalated.get(one) ?? []);
      const question = questions.find((one) => awaited.has(one)) ?? below[0];
      if (question !== undefined) found.set(id, question);
    }
  }
  return found;
}

/** Whether its target ever asked before it answered: where none did, nobody has to look for questions. */
export function hasAsked({ questions, awaits }: ClarificationRecord): boolean {
  return (questions ?? awaits) !== undefined;
}

/** For whoever looks and starts nobody: how a record goes on whose target waits for no human any more. */
export function canGoOn(clarificationId: string): string {
  return `${clarificationId} waits for nobody any more. Ask once more: agentx clarify route ${clarificationId}`;
}
