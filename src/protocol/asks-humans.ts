import { requestIn } from './needs-clarification.js';
import type { Reply } from './reply.js';

/** Whether a reply asks humans anything, in any form. */
export function asksHumans(reply: Reply): boolean {
  return hasQuestions(reply) || requestOf(reply) !== undefined;
}

/**
 * The request of 002 in a reply, as fields or as text. Models fill in every field: `false` asks nothing, and `true`
 * beside open questions adds nothing to them.
 */
export function requestOf(reply: Reply): unknown {
  const { needs_clarification: request, text } = reply;
  if (request === true && hasQuestions(reply)) return undefined;
  if (request !== undefined && request !== null && request !== false) return request;
  return text === undefined ? undefined : requestIn(text);
}

function hasQuestions({ open_questions = [], openQuestions = [] }: Reply): boolean {
  return open_questions.length + openQuestions.length > 0;
}
