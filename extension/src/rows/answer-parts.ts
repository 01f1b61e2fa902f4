import type { Question, QuestionResponse } from '../../../src/protocol/question.js';
import { unansweredParts } from '../../../src/protocol/question-answerers.js';
import { plainLine } from '../../../src/render/plain-text.js';

/* While a person answers one part after the other, other people may answer some of them. */

/** Those that can still be sent. */
export function answersLeft(question: Question, responses: readonly QuestionResponse[]): readonly QuestionResponse[] {
  if (question.status !== 'open' && question.outcome !== 'fallback_applied') return [];
  const open = unansweredParts(question).map(({ id }) => id);
  return responses.filter(({ questionId }) => open.includes(questionId));
}

/** For the message that they were not taken: nothing that a person typed is lost. */
export function wordsOf({ questions }: Question, responses: readonly QuestionResponse[]): string {
  const words = responses.map(({ questionId, optionIds = [], answer }) => {
    const options = questions.find(({ id }) => id === questionId)?.options ?? [];
    const labels = options.filter(({ id }) => optionIds.includes(id)).map(({ label }) => label);
    return [...labels, ...(answer === undefined ? [] : [answer])].map(plainLine).join(', ');
  });
  return words.length === 0 ? '' : `You had answered: ${words.join('; ')}`;
}
