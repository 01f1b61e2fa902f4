import type { QuestionResponse } from './question.js';

/** Whether what was written is among what is stored, where text is trimmed and options alone have their labels as text. */
export function hasSameResponse(written: QuestionResponse, stored: readonly QuestionResponse[]): boolean {
  const { questionId, answer, optionIds = [] } = written;
  return stored.some(
    (response) =>
      response.questionId === questionId &&
      (answer ?? response.answer)?.trim() === response.answer?.trim() &&
      optionIds.toSorted().join() === (response.optionIds ?? []).toSorted().join(),
  );
}
