import * as z from 'zod/mini';
import { ClarificationId } from './ids.js';
import { ObservationCategory } from './observation.js';
import type { Shape } from './shape.js';

/** Any JSON. Not `unknown`, which the readonly shape of a schema makes narrower than what its parse returns. */
export const Anything = z.custom<object | string | number | boolean | null>();

/**
 * What an agent may say at the end of a turn. Every field is optional; plain text stands for `text`. Questions to
 * humans and assumptions are taken as they come: `open-questions.ts` and the inbox read them leniently.
 */
export const Reply = z.looseObject({
  status: z.exactOptional(z.enum(['done', 'failed', 'continue'])),
  text: z.exactOptional(z.string()),
  answer: z.exactOptional(z.string()),
  artifacts: z.exactOptional(z.array(z.looseObject({ path: z.string(), content: z.string() }))),
  clarify: z.exactOptional(
    z.array(
      z.looseObject({
        to: z.string(),
        topic: z.string(),
        question: z.string(),
        blocking: z.exactOptional(z.boolean()),
        /** A follow-up in that clarification. */
        id: z.exactOptional(ClarificationId),
        /** The tool call by which a model asks: the answer is the result of that call. */
        call: z.exactOptional(z.string()),
      }),
    ),
  ),
  resolve: z.exactOptional(z.array(z.looseObject({ id: ClarificationId, body: z.string() }))),
  open_questions: z.exactOptional(z.array(Anything)),
  openQuestions: z.exactOptional(z.array(Anything)),
  assumptions: z.exactOptional(z.array(Anything)),
  observations: z.exactOptional(z.array(z.looseObject({ category: ObservationCategory, content: z.string() }))),
  proposes: z.exactOptional(
    z.array(z.looseObject({ kind: z.enum(['scope', 'architecture', 'dependency']), summary: z.string() })),
  ),
  issues: z.exactOptional(
    z.array(
      z.looseObject({
        title: z.string(),
        body: z.exactOptional(z.string()),
        labels: z.exactOptional(z.array(z.string())),
      }),
    ),
  ),
  source: z.exactOptional(z.looseObject({ kind: z.enum(['eval', 'prd', 'plan', 'execute']), id: z.string() })),
  /** The runner goes on by itself once this is carried out: the turn that follows is no further iteration. */
  partial: z.exactOptional(z.boolean()),
  review: z.exactOptional(
    z.looseObject({
      verdict: z.enum(['approved', 'rejected']),
      cause: z.exactOptional(z.enum(['misunderstanding', 'defect', 'other'])),
      body: z.exactOptional(z.string()),
    }),
  ),
  needs_clarification: z.exactOptional(Anything),
});
export type Reply = Shape<typeof Reply>;

/** `partial` is for runners; an agent that prints a reply does not know it. */
const { partial: _partial, ...printed } = Reply.shape;
export const REPLY_KEYS: readonly string[] = Object.keys(printed);
