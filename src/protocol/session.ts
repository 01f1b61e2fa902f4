import * as z from 'zod/mini';
import { ContextPart } from './context-budget.js';
import { AgentName, IssueNumber, RunId, SessionId } from './ids.js';
import { Reply } from './reply.js';
import type { Shape } from './shape.js';
import { Timestamp, toEpochMs } from './timestamp.js';
import { Usage } from './usage.js';

/*
 * What one agent was told and what it said while it carried out one step of a run. A turn is written before it is acted
 * on, so a killed run finds the agent's reply here and does not ask again.
 */

const Tokens = z.int().check(z.gte(0));

/** Either `reply` or `error`: what the agent said, or why it said nothing. */
export const SessionTurn = z.looseObject({
  turn: z.int().check(z.gte(1)),
  startedAt: Timestamp,
  endedAt: Timestamp,
  /**
   * The agent's brief, without the prompt, which says the same, and with long artifacts cut. Role, issue, artifacts,
   * clarifications, answers, refusals and autonomy are left out where the turn before says the same.
   */
  brief: z.exactOptional(z.looseObject({ memory: z.exactOptional(z.string()) })),
  /** The estimated length of the prompt, in tokens. */
  promptTokens: z.exactOptional(Tokens),
  /** The size of each part of the prompt. */
  context: z.exactOptional(z.array(ContextPart)),
  /** Clarifications whose answers were in this brief. */
  answered: z.exactOptional(z.array(z.string())),
  /** By a person, who was asked through the inbox. */
  byPerson: z.exactOptional(z.boolean()),
  /** The files in which a person handed in the work. */
  paths: z.exactOptional(z.array(z.string())),
  reply: z.exactOptional(Reply),
  error: z.exactOptional(z.string()),
  /** What the turn used of a model. */
  usage: z.exactOptional(Usage),
  /** What the agent's program wrote to stderr. */
  stderr: z.exactOptional(z.string()),
  /** Files that the agent's program changed itself. */
  changed: z.exactOptional(z.array(z.string())),
  /** What the agent's program was not allowed to do. */
  denied: z.exactOptional(z.array(z.string())),
  /** Where the agent's program keeps the conversation, word for word. */
  transcriptFile: z.exactOptional(z.string()),
});
export type SessionTurn = Shape<typeof SessionTurn>;

export const Session = z.looseObject({
  id: SessionId,
  runId: RunId,
  agent: AgentName,
  issueNumber: IssueNumber,
  step: z.string(),
  attempt: z.int().check(z.gte(1)),
  startedAt: Timestamp,
  endedAt: z.exactOptional(Timestamp),
  turns: z.array(SessionTurn),
  tokens: z.exactOptional(Tokens),
  summary: z.exactOptional(z.string()),
  compactedAt: z.exactOptional(Timestamp),
});
export type Session = Shape<typeof Session>;

type Started = Pick<Session, 'id' | 'startedAt'>;

/** Oldest first; the id decides between two of the same instant. */
export function byStart(left: Started, right: Started): number {
  return toEpochMs(left.startedAt) - toEpochMs(right.startedAt) || (left.id < right.id ? -1 : 1);
}
