import type { Question } from './question.js';
import { latestResponses } from './question-answerers.js';

/** The chosen options and the text beside them, a line each. */
export function decisionOf(question: Question, partId?: string): string {
  const responses = latestResponses(question).filter(({ questionId }) => partId === undefined || questionId === partId);
  const lines = responses.flatMap(({ questionId, optionIds = [], answer }) => {
    const options = question.questions.find(({ id }) => id === questionId)?.options ?? [];
    const chosen = options.filter(({ id }) => optionIds.includes(id)).map(({ label }) => label);
    const labels = chosen.join(', ');
    return answer === undefined || answer === labels ? [labels] : [...chosen, answer];
  });
  return lines.filter((line) => line !== '').join('\n');
}
