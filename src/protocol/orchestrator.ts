import * as z from 'zod/mini';
import { RunId } from './ids.js';
import type { Shape } from './shape.js';
import { Timestamp } from './timestamp.js';

/** 002 names the phases `awaiting_clarification` and `planning_complete`; others are free text of the run. */
export const OrchestratorSession = z.looseObject({
  clarification_pending: z.boolean(),
  clarification_requested_at: z.exactOptional(z.nullable(Timestamp)),
  phase: z.string(),
});
export type OrchestratorSession = Shape<typeof OrchestratorSession>;

/** A session is a run. */
export const OrchestratorState = z.looseObject({ sessions: z.record(RunId, OrchestratorSession) });
export type OrchestratorState = Shape<typeof OrchestratorState>;

export const Interaction = z.looseObject({
  request_type: z.string(),
  status: z.enum(['pending', 'resolved', 'timeout']),
  content: z.string(),
  user_response: z.exactOptional(z.nullable(z.string())),
  resolved_at: z.exactOptional(z.nullable(Timestamp)),
});
export type Interaction = Shape<typeof Interaction>;
