import { understood } from '../../src/protocol/option-in-words.js';
import type { AnsweredBy, Question } from '../../src/protocol/question.js';
import { answererOf } from '../../src/protocol/question-answerers.js';
import { hasSameResponse } from '../../src/protocol/same-response.js';
import { current, type QuestionDecision } from './state.js';

/** Whether the stored answer is the one that was sent from here. */
export function isOurs({ act, responses: sentResponses }: QuestionDecision, storedQuestion: Question): boolean {
  const { answeredBy, outcome, responses = [], lateResponses = [] } = storedQuestion;
  if (act === 'decline' || act === 'dismiss') return isMe(answeredBy) && outcome === ENDS[act];
  const ownLateResponses = lateResponses.filter((one) => isMe(one.answeredBy)).flatMap((one) => one.responses);
  const inTime = responses.filter((one) => isMe(answererOf(storedQuestion, one)));
  const storedResponses = [...ownLateResponses, ...(act === 'late' ? [] : inTime)];
  return (
    sentResponses.length > 0 &&
    sentResponses.every((one) => hasSameResponse(understood(storedQuestion, one), storedResponses))
  );
}

export function isMe(by: AnsweredBy | undefined): boolean {
  return by?.principal === current().principal && by.channel === 'web';
}

export const ENDS = { decline: 'declined', dismiss: 'dismissed' } as const;
