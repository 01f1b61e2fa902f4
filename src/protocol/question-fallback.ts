import type { Question, QuestionFallback, QuestionPart } from './question.js';

/**
 * What a part falls back to: its own, else that of the question. Parts letter their options alike, so the option of the
 * question means the first part that has it and no other.
 */
export function fallbackFor({ questions, fallback }: Question, part: QuestionPart): QuestionFallback | undefined {
  if (part.fallback !== undefined || fallback?.optionId === undefined) return part.fallback ?? fallback;
  const { optionId, ...rest } = fallback;
  const partWithOption = questions.find(({ options = [] }) => options.some(({ id }) => id === optionId));
  return partWithOption === part ? fallback : rest;
}

/** What its agent goes on with if a part is not decided: its fallback, else the recommended option. */
export function choiceFor(question: Question, part: QuestionPart): string | undefined {
  const fallback = fallbackFor(question, part);
  const { options = [] } = part;
  const declaredOption = options.find(({ id }) => id === fallback?.optionId);
  return fallback?.text ?? (declaredOption ?? options.find(({ recommended }) => recommended === true))?.label;
}
