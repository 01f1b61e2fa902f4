import { changeQuestion } from '../hub/change-question.js';
import type { HubPorts } from '../hub/ports.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import type { Question } from '../protocol/question.js';
import type { QuestionEvent } from '../protocol/question-transition.js';
import { carryOut } from './carry-out.js';

/** Where a question stands after a human acted on it, and the clarification that it decided, if it did. */
export interface InboxResult {
  readonly question: Question;
  readonly record?: ClarificationRecord;
  /** Whether to keep what was built before a late answer, for each part that it contradicts. */
  readonly choices: readonly Question[];
}

/** One event on one question and what follows from it, also where that was missing from an event before. */
export async function settleQuestion(
  ports: HubPorts,
  id: string,
  decide: (question: Question) => Readonly<QuestionEvent> | undefined,
): Promise<InboxResult> {
  const { question } = await changeQuestion(ports, id, decide);
  const { record, choices } = await carryOut(ports, question);
  return { question, choices, ...(record && { record }) };
}
