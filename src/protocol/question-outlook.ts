import type { Question } from './question.js';
import { transition } from './question-transition.js';

export interface Outlook {
  /** When the fallback applies. */
  readonly at: string;
  /** What it decides, part by part: `b) SQLite`. */
  readonly decides: readonly string[];
}

/** What becomes of an open question without an answer; undefined if only a person can decide it. */
export function outlookWithoutAnswer(question: Question): Outlook | undefined {
  const { status, fallback, expiresAt, responses = [] } = question;
  if (status !== 'open' || fallback === undefined || expiresAt === undefined) return undefined;
  const { responses: decided = [] } = transition(question, { type: 'expire', at: expiresAt }).question;
  const isAnswered = (part: string) => responses.some(({ questionId }) => questionId === part);
  const decides = decided.flatMap(({ questionId, answer = '', optionIds = [] }) =>
    isAnswered(questionId) ? [] : [optionIds.length === 0 ? answer : `${optionIds.join(', ')}) ${answer}`],
  );
  return { at: expiresAt, decides };
}
