import * as z from 'zod/mini';
import type { BasePorts } from '../hub/ports.js';
import { AgentXError } from '../protocol/errors.js';
import { parseQuestionId } from '../protocol/ids.js';
import { parseWith } from '../protocol/parse.js';
import type { Question } from '../protocol/question.js';
import { noteSnoozed } from '../protocol/question-notes.js';
import { toEpochMs } from '../protocol/timestamp.js';

const By = z.looseObject({ principal: z.string() });
const LONGEST_MS = 30 * 24 * 60 * 60_000;

export interface SnoozeRequest {
  readonly id: string;
  /** From now; 0 ends it. */
  readonly minutes: number;
  readonly by: { readonly principal: string };
}

/** No person is reminded of the question for so long. Its fallback, if it has one, still applies in time. */
export async function snooze(
  { store, clock }: Pick<BasePorts, 'store' | 'clock'>,
  { id, minutes, by }: SnoozeRequest,
): Promise<Question> {
  parseQuestionId(id);
  parseWith(By, by, 'by');
  const length = minutes * 60_000;
  if (!(length >= 0 && length <= LONGEST_MS)) {
    throw new AgentXError('INVALID_INPUT', `${minutes} minutes is no time to snooze. Allowed: 0 to 30 days.`, {
      minutes,
    });
  }
  const until = new Date(toEpochMs(clock.now()) + length).toISOString();
  return store.questions.update(id, (question) => {
    if (question.status !== 'open') {
      throw new AgentXError('CONFLICT', `Question ${id} has ended: nobody is reminded of it.`, {
        questionId: id,
        question,
      });
    }
    const next = noteSnoozed(question, length === 0 ? undefined : { until, principal: by.principal });
    return { next, result: next };
  });
}
