import type { HubPorts } from '../hub/ports.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { parseQuestionId } from '../protocol/ids.js';
import { type Question, type QuestionEvent, type QuestionResult, transition } from '../protocol/question.js';
import { carryOut } from './carry-out.js';

/** Where a question stands after a human acted on it, and the clarification that it decided, if it did. */
export interface InboxResult {
  readonly question: Question;
  readonly record?: ClarificationRecord;
  /** Whether to keep what was built before a late answer, for each part that it contradicts. */
  readonly choices: readonly Question[];
}

/**
 * One event on one question: a single update, then what follows from it. `decide` sees the question as it is at that
 * moment and may decide that nothing is to happen; what did not reach the clarification before reaches it then.
 */
export async function settleQuestion(
  ports: HubPorts,
  id: string,
  decide: (question: Question) => Readonly<QuestionEvent> | undefined,
): Promise<InboxResult> {
  const { question, effects } = await ports.store.questions.update<QuestionResult>(parseQuestionId(id), (current) => {
    const event = decide(current);
    if (event === undefined) return { next: current, result: { question: current, effects: [] } };
    const result = transition(current, event);
    return { next: result.question, result };
  });
  for (const effect of effects) {
    if (effect.type === 'emit') ports.bus.emit(effect.name, effect.payload);
    else ports.log.info('an answer came after the fallback', { questionId: effect.questionId });
  }
  ports.log.info('question changed', fieldsOf(question));
  const { record, choices } = await carryOut(ports, question);
  return { question, choices, ...(record && { record }) };
}

function fieldsOf({ id, issueNumber, kind, sourceId, status, outcome, revision, answeredBy }: Question) {
  return { questionId: id, issueNumber, kind, sourceId, status, outcome, revision, answeredBy };
}
