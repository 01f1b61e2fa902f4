import type { Question } from '../../../src/protocol/question.js';
import { plainLine } from '../../../src/render/plain-text.js';

/** What applies without an answer, and why. */
interface Fallback {
  /** The part that it is for, if each part has its own. */
  readonly part?: string;
  readonly choice: string;
  readonly reasoning?: string;
  readonly risk?: string;
}

/** The fallback of each part without an answer, if the parts have their own; else that of the question. */
export function fallbacksOf({ questions, fallback, responses = [] }: Question): readonly Fallback[] {
  if (fallback === undefined) return [];
  if (!questions.some((part) => part.fallback !== undefined)) {
    const options = questions.flatMap((part) => part.options ?? []);
    return [{ ...fallback, choice: choiceOf(fallback, options) }];
  }
  return questions
    .filter(({ id }) => !responses.some(({ questionId }) => questionId === id))
    .map((part) => {
      const own = part.fallback ?? fallback;
      return { ...own, part: plainLine(part.header ?? part.text), choice: choiceOf(own, part.options ?? []) };
    });
}

function choiceOf(
  { optionId, text = '' }: NonNullable<Question['fallback']>,
  options: readonly { readonly id: string; readonly label: string }[],
): string {
  return plainLine(options.find(({ id }) => id === optionId)?.label ?? text);
}
