import type { QuestionResponse } from './question.js';

/**
 * Whether a written response is among the stored ones, in which text is trimmed and options alone have their labels as
 * text.
 */
export function hasSameResponse(written: QuestionResponse, storedResponses: readonly QuestionResponse[]): boolean {
  const { questionId, answer, optionIds = [] } = written;
  return storedResponses.some(
    (response) =>
      response.questionId === questionId &&
      (answer ?? response.answer)?.trim() === response.answer?.trim() &&
      optionIds.toSorted().join() === (response.optionIds ?? []).toSorted().join(),
  );
}
