import type { AnsweredBy, Question, QuestionOutcome, QuestionPart, QuestionResponse } from './question.js';

/*
 * Who said what to a question. Its parts may have been answered by different people, through different surfaces, or by the
 * clock: `answeredBy` of the question is whoever ended it, and a response names its own answerer where that was another.
 */

/** What counts of what was said: a late answer more than the fallback that it came after. */
export function latestResponses({ responses = [], lateResponses = [], kept = [] }: Question): QuestionResponse[] {
  const late = lateResponses
    .flatMap(({ responses: said, answeredBy }) => said.map((response) => ({ ...response, answeredBy })))
    .filter(({ questionId }) => !kept.includes(questionId));
  return mergeResponses(responses, late);
}

/** Who gave a response of the question. */
export function answererOf(
  question: Pick<Question, 'answeredBy'>,
  response: Pick<QuestionResponse, 'answeredBy'> | undefined,
): AnsweredBy | undefined {
  return response === undefined ? undefined : (response.answeredBy ?? question.answeredBy);
}

/** Whether it was the clock that answered, with the declared fallback. */
export function isFallback(question: Question, response: QuestionResponse): boolean {
  const answerer = answererOf(question, response);
  return answerer === undefined ? question.outcome === 'fallback_applied' : answerer.channel === 'timeout';
}

/** How one part ended: of several, a human may have answered some before the others fell back or were declined. */
export function outcomeOf(question: Question, partId: string): QuestionOutcome | undefined {
  const response = latestResponses(question).find(({ questionId }) => questionId === partId);
  if (question.outcome === undefined || response === undefined) return question.outcome;
  return isFallback(question, response) ? 'fallback_applied' : 'answered';
}

/** The parts that no human has answered, be it in time or late: where the question fell back, those take a late answer. */
export function unansweredParts(question: Question): readonly QuestionPart[] {
  const responses = latestResponses({ ...question, kept: [] });
  return question.questions.filter(({ id }) => {
    const response = responses.find(({ questionId }) => questionId === id);
    return response === undefined || isFallback(question, response);
  });
}

export function mergeResponses(
  kept: readonly QuestionResponse[],
  given: readonly QuestionResponse[],
): QuestionResponse[] {
  const merged = new Map([...kept, ...given].map((response) => [response.questionId, response]));
  return [...merged.values()];
}

export function isSameAnswerer(left: AnsweredBy, right: AnsweredBy): boolean {
  return left.principal === right.principal && left.channel === right.channel && left.authority === right.authority;
}
