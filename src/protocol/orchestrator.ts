import * as z from 'zod/mini';
import { Autonomy } from './autonomy.js';
import { QuestionId, RunId } from './ids.js';
import { type Paging, pageOf, positionOf } from './page.js';
import type { Shape } from './shape.js';
import { Timestamp } from './timestamp.js';

/** 002 names the phases `awaiting_clarification` and `planning_complete`; others are free text of the run. */
export const OrchestratorSession = z.looseObject({
  clarification_pending: z.boolean(),
  clarification_requested_at: z.exactOptional(z.nullable(Timestamp)),
  phase: z.string(),
  /** The question that the session asked: it may ask one. */
  question_id: z.exactOptional(QuestionId),
});
export type OrchestratorSession = Shape<typeof OrchestratorSession>;

/** A session is a run. */
export const OrchestratorState = z.looseObject({ sessions: z.record(RunId, OrchestratorSession) });
export type OrchestratorState = Shape<typeof OrchestratorState>;

export function emptyOrchestratorState(): OrchestratorState {
  return { sessions: {} };
}

/** One line when something is asked, another when that ends; the fields of 002, then ours. */
export const Interaction = z.looseObject({
  request_type: z.string(),
  status: z.enum(['pending', 'resolved', 'timeout']),
  content: z.string(),
  user_response: z.exactOptional(z.nullable(z.string())),
  resolved_at: z.exactOptional(z.nullable(Timestamp)),
  /** Derived from the question and the status, so that a line is written once. */
  id: z.exactOptional(z.string()),
  session_id: z.exactOptional(z.string()),
  question_id: z.exactOptional(QuestionId),
  logged_at: z.exactOptional(Timestamp),
});
export type Interaction = Shape<typeof Interaction>;

export interface InteractionFilter {
  readonly status?: Interaction['status'] | undefined;
  /** The id of the question that was asked. */
  readonly question?: string | undefined;
}

/** An entry of the log with its place in it, which never changes. */
export interface LoggedInteraction {
  readonly place: number;
  readonly interaction: Interaction;
}

/** One page of the log: entries that match, in their order. */
export function interactionsIn(
  logged: readonly LoggedInteraction[],
  { status, question, ...paging }: InteractionFilter & Paging = {},
): { readonly items: readonly Interaction[]; readonly next?: string } {
  const matching = logged.filter(
    ({ interaction }) =>
      interaction.status === (status ?? interaction.status) &&
      (question === undefined || interaction.question_id === question),
  );
  const { items, ...rest } = pageOf(matching, paging, positionOf.interaction);
  return { ...rest, items: items.map(({ interaction }) => interaction) };
}

/** `state/tasks/issue-{N}/config.json`: the levels of 004, for agents that read files. */
export const TaskConfig = z.looseObject({
  taskId: z.string(),
  hilConfig: z.looseObject(Autonomy.shape),
  text: z.exactOptional(z.string()),
});
export type TaskConfig = Shape<typeof TaskConfig>;
