import type { ClarificationRecord } from './clarification.js';
import { escalationQuestionId } from './ids.js';
import type { Question } from './question.js';

/**
 * The records whose targets cannot answer before a human does, each with the question that the human must answer. The
 * target asked a human itself, or its own clarification is escalated, or an agent that it asked waits in the same way.
 * Such a record counts as no delay: the human is already asked, and the target goes on with the answer.
 */
export function findAwaiting(
  records: readonly ClarificationRecord[],
  open: readonly Pick<Question, 'id' | 'blocking'>[],
): ReadonlyMap<string, string> {
  const blockingIds = new Set(open.filter(({ blocking }) => blocking).map(({ id }) => id));
  const questionByRecord = new Map<string, string>();
  const questionByEscalation = new Map(
    records.flatMap(({ id, status, round }) => {
      const question = status === 'escalated' ? escalationQuestionId(id, round) : '';
      return blockingIds.has(question) ? [[id, question] as const] : [];
    }),
  );
  for (let sizeBefore = -1; sizeBefore < questionByRecord.size; ) {
    sizeBefore = questionByRecord.size;
    for (const { id, status, questions = [], awaits = [] } of records) {
      if (questionByRecord.has(id) || (status !== 'pending' && status !== 'stale')) continue;
      const awaitedQuestions = awaits.flatMap(
        (one) => questionByRecord.get(one) ?? questionByEscalation.get(one) ?? [],
      );
      const question = questions.find((one) => blockingIds.has(one)) ?? awaitedQuestions[0];
      if (question !== undefined) questionByRecord.set(id, question);
    }
  }
  return questionByRecord;
}

/** Whether its target ever asked before it answered. If no target did, there are no questions to look up. */
export function hasAsked({ questions, awaits }: ClarificationRecord): boolean {
  return (questions ?? awaits) !== undefined;
}

/** For a look that starts no agent: the command that goes on with a record whose target waits for no human any more. */
export function canGoOn(clarificationId: string): string {
  return `${clarificationId} waits for no human any more. Ask once more: agentx clarify route ${clarificationId}`;
}
