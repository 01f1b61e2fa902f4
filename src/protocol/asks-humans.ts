import { requestIn } from './needs-clarification.js';
import { questionsIn } from './open-questions.js';
import type { Reply } from './reply.js';
import { saysNothing } from './says-nothing.js';

/** Whether a reply asks humans anything, in any form. */
export function asksHumans(reply: Reply): boolean {
  return hasQuestions(reply) || requestOf(reply) !== undefined;
}

/**
 * The request of 002 in a reply, as fields or as text. Models fill in every field: `false` or "none" asks nothing, and `true`
 * beside open questions adds nothing to them.
 */
export function requestOf(reply: Reply): unknown {
  const { needs_clarification: request, text } = reply;
  if (request === true && hasQuestions(reply)) return undefined;
  if (!saysNothing(request)) return request;
  return text === undefined ? undefined : requestIn(text);
}

function hasQuestions(reply: Reply): boolean {
  return questionsIn(reply).length > 0;
}
