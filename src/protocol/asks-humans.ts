import { requestIn } from './needs-clarification.js';
import type { Reply } from './reply.js';

/** Whether a reply asks humans anything, in whatever form. */
export function asksHumans({ open_questions = [], openQuestions = [], ...reply }: Reply): boolean {
  return open_questions.length + openQuestions.length > 0 || requestOf(reply) !== undefined;
}

/** 002's request in a reply, as fields or as text. */
export function requestOf({ needs_clarification, text }: Pick<Reply, 'needs_clarification' | 'text'>): unknown {
  return needs_clarification ?? (text === undefined ? undefined : requestIn(text));
}
