import type { Question, QuestionResponse } from '../../src/protocol/question.js';
import { draftFor, responsesOf } from './drafts.js';
import { current, type Outgoing } from './state.js';

/** Whether what is stored is what was sent from here. */
export function isOurs({ question, act }: Outgoing, stored: Question): boolean {
  const { answeredBy, outcome, responses = [], lateResponses = [] } = stored;
  const { principal } = current();
  const isMe = (by: Question['answeredBy']) => by?.principal === principal && by.channel === 'web';
  if (act === 'decline' || act === 'dismiss') return isMe(answeredBy) && outcome === ENDS[act];
  const late = lateResponses.filter((one) => isMe(one.answeredBy)).flatMap((one) => one.responses);
  const said = act === 'late' ? late : isMe(answeredBy) ? responses : [];
  const sent = responsesOf(draftFor(current(), question.id));
  return sent.length > 0 && sent.every((one) => said.some((other) => saysTheSame(one, other)));
}

const ENDS = { decline: 'declined', dismiss: 'dismissed' } as const;

function saysTheSame(sent: QuestionResponse, stored: QuestionResponse): boolean {
  const { questionId, answer = stored.answer, optionIds = [] } = sent;
  const isSameText = answer?.trim() === stored.answer?.trim();
  return (
    questionId === stored.questionId &&
    isSameText &&
    optionIds.toSorted().join() === (stored.optionIds ?? []).toSorted().join()
  );
}
