import { requestIn } from './needs-clarification.js';
import type { Reply } from './reply.js';

/** Whether a reply asks humans anything, in any form. */
export function asksHumans({ open_questions = [], openQuestions = [], ...reply }: Reply): boolean {
  return open_questions.length + openQuestions.length > 0 || requestOf(reply) !== undefined;
}

/** The request of 002 in a reply, as fields or as text. */
export function requestOf({ needs_clarification, text }: Pick<Reply, 'needs_clarification' | 'text'>): unknown {
  return needs_clarification ?? (text === undefined ? undefined : requestIn(text));
}
