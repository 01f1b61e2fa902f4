import * as z from 'zod/mini';
import type { Reply } from '../../protocol/reply.js';
import { composedAnswer } from './answer-contract.js';
import { optional, type Tool, text, tool } from './tool.js';

/** Ends a turn of work. */
export const finishWork: Tool = tool({
  name: 'finish',
  description:
    'Ends your turn. Say what you did and decided, in a few sentences; files are handed in by write_artifact before.',
  input: z.object({
    status: z.optional(
      z
        .enum(['done', 'continue', 'failed'])
        .check(
          z.describe('done (the default); continue: another round is needed; failed: it cannot be done, say why.'),
        ),
    ),
    text: text('What you did.'),
    review: z.optional(
      z.object({
        verdict: z.enum(['approved', 'rejected']),
        cause: z.optional(z.enum(['misunderstanding', 'defect', 'other'])),
        body: optional('What must change.'),
      }),
    ),
    proposes: z.optional(
      z
        .array(z.object({ kind: z.enum(['scope', 'architecture', 'dependency']), summary: z.string() }))
        .check(z.describe('Changes of scope, architecture or dependencies that a person may have to approve.')),
    ),
    issues: z.optional(
      z.array(z.object({ title: z.string(), body: z.optional(z.string()), labels: z.optional(z.array(z.string())) })),
    ),
    observations: z.optional(
      z
        .array(z.object({ category: z.enum(['decision', 'code-change', 'error', 'key-fact']), content: z.string() }))
        .check(z.describe('What later work should remember.')),
    ),
    resolve: z.optional(
      z
        .array(z.object({ id: z.string(), body: z.string() }))
        .check(z.describe('Clarifications of yours that are clear now, with a closing word.')),
    ),
  }),
  run: (reply) => ({ ends: withoutUndefined({ status: 'done', ...reply }) }),
});

/** Ends the turn of an agent that was asked. */
export const finishAnswer: Tool = tool({
  name: 'finish',
  description: 'Gives your answer. Decide; do not hand the question back.',
  input: z.object({
    answer: text('The direct answer, decision first, in one or two paragraphs.'),
    evidence: z.optional(
      z.array(z.string()).check(z.describe('What it rests on: paths, sections, earlier decisions.')),
    ),
    open: optional('What remains open, if anything.'),
  }),
  run: (input) => ({ ends: { answer: composedAnswer(input) } }),
});

function withoutUndefined(reply: object): Reply {
  return Object.fromEntries(Object.entries(reply).filter(([, value]) => value !== undefined));
}
