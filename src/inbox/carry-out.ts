import { commentAnswer } from '../hub/comment-answer.js';
import type { HubPorts } from '../hub/ports.js';
import { settleEscalation } from '../hub/settle-escalation.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { messageOf } from '../protocol/errors.js';
import type { Question } from '../protocol/question.js';
import { assumeFrom } from './assume.js';
import { unblockTask } from './block-task.js';
import { takeLateAnswers } from './late-answer.js';
import { completeSession } from './session.js';
import { settleRework } from './settle-rework.js';

interface Followed {
  /** What a late answer asks in its turn, for each part that it contradicts. */
  readonly choices: readonly Question[];
  /** What could not be done now, in words; the next sweep tries again. */
  readonly left: readonly string[];
}

export interface CarriedOut extends Followed {
  /** The clarification that an escalation's question decided. */
  readonly record?: ClarificationRecord;
}

/**
 * Everything that follows from a question that has ended. Each part is derived from the question and done once however
 * often this is called; one that fails is left to the next sweep, for the answer stands.
 */
export async function carryOut(ports: HubPorts, question: Question): Promise<CarriedOut> {
  const followed = await carryOutBesides(ports, question);
  const record = await settleEscalation(ports, question);
  return { ...followed, ...(record && { record }) };
}

/** The same but for the clarification, which sweeps of the hub look after as well. */
export async function carryOutBesides(ports: HubPorts, question: Question): Promise<Followed> {
  if (question.status === 'open') return { choices: [], left: [] };
  let choices: readonly Question[] = [];
  const parts: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['its assumption', () => assumeFrom(ports, question)],
    ['the state of planning', () => completeSession(ports, question)],
    ['the task', async () => (question.blocksTask === true ? unblockTask(ports, question) : undefined)],
    [
      'its late answer',
      async () => {
        choices = await takeLateAnswers(ports, question);
      },
    ],
    [
      'its part in the conversation of the issue',
      async () => {
        // The comment tells that the rework was seen to: it is not written where that failed.
        await settleRework(ports, question);
        await commentAnswer(ports, question);
      },
    ],
  ];
  const left: string[] = [];
  for (const [what, work] of parts) {
    try {
      await work();
    } catch (error) {
      left.push(what);
      ports.log.error('what follows from a question is left to the next sweep', {
        questionId: question.id,
        left: what,
        error: messageOf(error),
      });
    }
  }
  return { left, choices };
}
