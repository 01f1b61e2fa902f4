import type { Question, QuestionFallback, QuestionPart } from '../protocol/question.js';

/*
 * Agents declare a fallback for each thing they ask; a question has one deadline. It falls back as a whole where every part
 * knows to what. Where one does not, a person has to decide, and nothing of it is taken from another part.
 */

/** What becomes of the whole question when nobody answers. */
export function fallbackOf(parts: readonly QuestionPart[]): Pick<Question, 'fallback'> {
  const declared = parts.flatMap(({ fallback }) => fallback ?? []);
  const [first] = declared;
  if (first === undefined || declared.length < parts.length) return {};
  return { fallback: parts.length === 1 ? first : summary(parts, declared) };
}

/** A part that stands alone is the question: there its fallback is the question's. */
export function ownFallbacks(parts: readonly QuestionPart[]): readonly QuestionPart[] {
  if (parts.length !== 1) return parts;
  return parts.map(({ fallback: _, ...part }) => part);
}

/** For people who look at the deadline: each part takes its own. */
function summary(parts: readonly QuestionPart[], declared: readonly QuestionFallback[]): QuestionFallback {
  const text = parts.map(({ fallback, options = [] }) => {
    const option = options.find(({ id }) => id === fallback?.optionId);
    return fallback?.text ?? option?.label ?? '';
  });
  const joined = (key: 'reasoning' | 'risk') => declared.flatMap((fallback) => fallback[key] ?? []).join('; ');
  const [reasoning, risk] = [joined('reasoning'), joined('risk')];
  return {
    text: text.join('; '),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(risk === '' ? {} : { risk }),
  };
}
