import * as z from 'zod/mini';
import { IssueNumber, ObservationId } from './ids.js';
import type { Shape } from './shape.js';
import { Timestamp } from './timestamp.js';

/** What was decided when the same was asked before. */
export const AnsweredBefore = z.object({
  /** The part that is asked now. */
  questionId: z.string(),
  /** The clarification or the question that was decided. */
  source: z.string(),
  observationId: ObservationId,
  issueNumber: IssueNumber,
  question: z.string(),
  answer: z.string(),
  /** The agent that answered, or a human. */
  by: z.string(),
  at: Timestamp,
});
export type AnsweredBefore = Shape<typeof AnsweredBefore>;
