import { messageOf } from '../hub/change-record.js';
import { commentAnswer } from '../hub/comment-answer.js';
import type { HubPorts } from '../hub/ports.js';
import { settleEscalation } from '../hub/settle-escalation.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import type { Question } from '../protocol/question.js';
import { assumeFrom } from './assume.js';
import { unblockTask } from './block-task.js';
import { takeLateAnswers } from './late-answer.js';
import { completeSession } from './session.js';
import { settleRework } from './settle-rework.js';

export interface CarriedOut {
  /** The clarification that an escalation's question decided. */
  readonly record?: ClarificationRecord;
  /** What a late answer asks in its turn, for each part that it contradicts. */
  readonly choices: readonly Question[];
  readonly isComplete: boolean;
}

/**
 * Everything that follows from a question that has ended. Each part is derived from the question and done once however
 * often this is called; one that fails is left to the next sweep, for the answer stands.
 */
export async function carryOut(ports: HubPorts, question: Question): Promise<CarriedOut> {
  if (question.status === 'open') return { choices: [], isComplete: true };
  let choices: readonly Question[] = [];
  const parts: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['assumption', () => assumeFrom(ports, question)],
    ['session', () => completeSession(ports, question)],
    ['task', async () => (question.blocksTask === true ? unblockTask(ports, question) : undefined)],
    [
      'late answer',
      async () => {
        choices = await takeLateAnswers(ports, question);
      },
    ],
    ['rework', () => settleRework(ports, question)],
    // Of an escalation the comment comes before the record is settled, so that a sweep can make up for it.
    ['comment', async () => (question.kind === 'escalation' ? undefined : commentAnswer(ports, question))],
  ];
  let isComplete = true;
  for (const [what, work] of parts) {
    try {
      await work();
    } catch (error) {
      isComplete = false;
      ports.log.error(`${what} of a question left to the next sweep`, {
        questionId: question.id,
        error: messageOf(error),
      });
    }
  }
  const record = await settleEscalation(ports, question);
  return { isComplete, choices, ...(record && { record }) };
}
