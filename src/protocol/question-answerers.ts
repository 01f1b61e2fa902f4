import type { AnsweredBy, Question, QuestionOutcome, QuestionPart, QuestionResponse } from './question.js';

/*
 * Who gave which answer to a question. Its parts may have been answered by different people, on different surfaces, or
 * by the clock: `answeredBy` of the question is the person who ended it, and a response names its own answerer if that
 * is another.
 */

/** The responses that count: a late answer replaces the fallback before it. */
export function latestResponses({ responses = [], lateResponses = [], kept = [] }: Question): QuestionResponse[] {
  const laterResponses = lateResponses
    .flatMap(({ responses: late, answeredBy }) => late.map((response) => ({ ...response, answeredBy })))
    .filter(({ questionId }) => !kept.includes(questionId));
  return mergeResponses(responses, laterResponses);
}

/** Who gave a response of the question. */
export function answererOf(
  question: Pick<Question, 'answeredBy'>,
  response: Pick<QuestionResponse, 'answeredBy'> | undefined,
): AnsweredBy | undefined {
  return response === undefined ? undefined : (response.answeredBy ?? question.answeredBy);
}

/** Whether the clock answered, with the declared fallback. */
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

/** The parts that no human has answered, in time or late: if the question fell back, these take a late answer. */
export function unansweredParts(question: Question): readonly QuestionPart[] {
  const responses = latestResponses({ ...question, kept: [] });
  return question.questions.filter(({ id }) => {
    const response = responses.find(({ questionId }) => questionId === id);
    return response === undefined || isFallback(question, response);
  });
}

export function mergeResponses(
  earlier: readonly QuestionResponse[],
  newer: readonly QuestionResponse[],
): QuestionResponse[] {
  const responsesByPart = new Map([...earlier, ...newer].map((response) => [response.questionId, response]));
  return [...responsesByPart.values()];
}

export function isSameAnswerer(left: AnsweredBy, right: AnsweredBy): boolean {
  return left.principal === right.principal && left.channel === right.channel && left.authority === right.authority;
}
