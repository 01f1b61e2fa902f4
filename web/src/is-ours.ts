import { understood } from '../../src/protocol/option-in-words.js';
import type { AnsweredBy, Question } from '../../src/protocol/question.js';
import { answererOf } from '../../src/protocol/question-answerers.js';
import { hasSameResponse } from '../../src/protocol/same-response.js';
import { current, type QuestionDecision } from './state.js';

/** Whether the stored answer is the one that was sent from here. */
export function isOurs({ act, responses: sent }: QuestionDecision, stored: Question): boolean {
  const { answeredBy, outcome, responses = [], lateResponses = [] } = stored;
  if (act === 'decline' || act === 'dismiss') return isMe(answeredBy) && outcome === ENDS[act];
  const late = lateResponses.filter((one) => isMe(one.answeredBy)).flatMap((one) => one.responses);
  const inTime = responses.filter((one) => isMe(answererOf(stored, one)));
  const storedResponses = [...late, ...(act === 'late' ? [] : inTime)];
  return sent.length > 0 && sent.every((one) => hasSameResponse(understood(stored, one), storedResponses));
}

export function isMe(by: AnsweredBy | undefined): boolean {
  return by?.principal === current().principal && by.channel === 'web';
}

export const ENDS = { decline: 'declined', dismiss: 'dismissed' } as const;
