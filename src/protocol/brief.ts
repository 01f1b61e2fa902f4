import * as z from 'zod/mini';
import { ThreadEntry } from './clarification.js';
import { AgentName, ClarificationId, IssueNumber, QuestionId } from './ids.js';
import { QuestionOutcome } from './question.js';
import type { Shape } from './shape.js';

/** A file that an agent wrote for others to read. */
export const Artifact = z.looseObject({ path: z.string(), agent: z.exactOptional(z.string()), content: z.string() });
export type Artifact = Shape<typeof Artifact>;

const Review = z.looseObject({ by: z.string(), cause: z.exactOptional(z.string()), body: z.exactOptional(z.string()) });

/**
 * Everything that an agent gets for one turn. `work` asks it to carry out a step, `answer` to answer a clarification.
 * `prompt` says the same as one text, for agents that read nothing else.
 */
export const Brief = z.looseObject({
  kind: z.enum(['work', 'answer']),
  agent: AgentName,
  /** The user's text about the agent's role. */
  role: z.exactOptional(z.string()),
  issue: z.looseObject({
    number: IssueNumber,
    title: z.string(),
    body: z.string(),
    labels: z.array(z.string()),
    /** The end of the issue's conversation, without what `answers` contains anyway. */
    comments: z.exactOptional(z.array(z.looseObject({ author: z.exactOptional(z.string()), body: z.string() }))),
  }),
  step: z.exactOptional(
    z.looseObject({
      id: z.string(),
      title: z.string(),
      output: z.exactOptional(z.string()),
      can_clarify: z.array(z.string()),
      /** `false` if the agent cannot wait for the agents it asks. */
      clarify_blocking_allowed: z.exactOptional(z.boolean()),
      /** The number of this turn of the step, over the whole run, and of the attempt at the step. */
      turn: z.exactOptional(z.int()),
      attempt: z.exactOptional(z.int()),
      /** For a step that repeats: how often it did, how often it may, and when it is done. */
      iteration: z.exactOptional(z.int()),
      max_iterations: z.exactOptional(z.int()),
      completion_criteria: z.exactOptional(z.string()),
      /** What the output should look like. */
      template: z.exactOptional(z.string()),
      /** The review that sent the work back; the last one, where `reviews` has several that did so side by side. */
      review: z.exactOptional(Review),
      reviews: z.exactOptional(z.array(Review)),
    }),
  ),
  clarification: z.exactOptional(
    z.looseObject({
      id: ClarificationId,
      from: AgentName,
      /** Every agent that waits for the answer, outermost first: `from` is the last. */
      chain: z.exactOptional(z.array(AgentName)),
      topic: z.string(),
      question: z.string(),
      round: z.int(),
      maxRounds: z.int(),
      thread: z.array(ThreadEntry),
      /** Whom the agent may ask before it answers. */
      can_clarify: z.exactOptional(z.array(AgentName)),
    }),
  ),
  artifacts: z.array(Artifact),
  clarifications: z.array(
    z.looseObject({
      id: ClarificationId,
      from: z.exactOptional(AgentName),
      to: AgentName,
      topic: z.string(),
      status: z.string(),
      /** For an open one: its last answer, and all its rounds. */
      answer: z.exactOptional(z.string()),
      thread: z.exactOptional(z.array(ThreadEntry)),
      round: z.exactOptional(z.int()),
      maxRounds: z.exactOptional(z.int()),
      /** For one that is over. */
      summary: z.exactOptional(z.string()),
    }),
  ),
  answers: z.array(
    z.looseObject({
      /** Ids of the answered part and of its question. */
      questionId: z.string(),
      question: z.exactOptional(QuestionId),
      text: z.string(),
      answer: z.string(),
      outcome: QuestionOutcome,
      /** The agent that found it out; absent for a human's answer. */
      from: z.exactOptional(AgentName),
    }),
  ),
  refused: z.array(z.looseObject({ code: z.string(), message: z.string() })),
  /** What earlier replies asked for and had to wait: done now, unless this reply contains it anew. */
  held: z.exactOptional(z.looseObject({ issues: z.array(z.string()), artifacts: z.array(z.string()) })),
  memory: z.exactOptional(z.string()),
  autonomy: z.exactOptional(z.looseObject({ text: z.string() })),
  prompt: z.string(),
});
export type Brief = Shape<typeof Brief>;
