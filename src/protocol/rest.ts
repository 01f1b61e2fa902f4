import * as z from 'zod/mini';
import { AgentStandings } from './agent-standing.js';
import { AnsweredBefore } from './answered-before.js';
import { Assumption } from './assumption.js';
import { Autonomy } from './autonomy.js';
import { ClarificationRecord } from './clarification.js';
import type { Digest } from './digest.js';
import type { AgentXError } from './errors.js';
import { IssueNumber } from './ids.js';
import { Issue } from './issue.js';
import { Observation, ObservationIndex } from './observation.js';
import { Question } from './question.js';
import type { Shape } from './shape.js';

/*
 * The bodies of answers below `/api/v1` that the page reads. The compiler checks the server's answers against these
 * schemas, OpenAPI describes them, and the page uses the types.
 */

/** The body of every refusal. */
export interface ErrorBody {
  readonly error: ReturnType<AgentXError['toJSON']>;
}

export interface SessionBody {
  readonly principal: string;
  readonly projectId: string;
  /** The server's time, by which deadlines count. */
  readonly now: string;
}

/** The cursor for the next page of a listing; absent on the last page. */
const next = z.exactOptional(z.string());

export const NotificationsBody = z.object({ notifications: z.array(Question), total: z.int(), next });

export const NotificationBody = z.object({ notification: Question });
export type NotificationBody = Shape<typeof NotificationBody>;

export const AnsweredBeforeBody = z.object({ answeredBefore: z.array(AnsweredBefore) });
export type AnsweredBeforeBody = Shape<typeof AnsweredBeforeBody>;

export const DraftBody = z.object({ notification: Question, leftMs: z.exactOptional(z.number()) });
export type DraftBody = Shape<typeof DraftBody>;

export const ChoiceBody = z.object({ part: z.string(), optionId: z.string() });
export type ChoiceBody = Shape<typeof ChoiceBody>;

const ListedClarification = z.extend(ClarificationRecord, { issueNumber: IssueNumber });
export type ListedClarification = Shape<typeof ListedClarification>;

export const ClarificationsBody = z.object({ clarifications: z.array(ListedClarification), next });

export const ClarificationBody = z.object({ clarification: ListedClarification });
export type ClarificationBody = Shape<typeof ClarificationBody>;

export const TasksBody = z.object({ tasks: z.array(Issue), next });

/** Characters of the snippet that are words of the query, from and to. */
const Matches = z.array(z.tuple([z.int(), z.int()]));
const FoundObservation = z.extend(ObservationIndex, {
  score: z.number(),
  snippet: z.exactOptional(z.string()),
  matches: z.exactOptional(Matches),
});
export type FoundObservation = Shape<typeof FoundObservation>;

export const MemorySearchBody = z.object({
  results: z.array(FoundObservation),
  /** How many match, shown or not. */
  total: z.int(),
  didYouMean: z.exactOptional(z.string()),
});
export type MemorySearchBody = Shape<typeof MemorySearchBody>;

export const ObservationBody = z.object({ observation: Observation });

export const TimelineBody = z.object({
  before: z.array(ObservationIndex),
  observation: Observation,
  after: z.array(ObservationIndex),
});
export type TimelineBody = Shape<typeof TimelineBody>;

const Counts = z.record(z.string(), z.int());
export const MemoryStatsBody = z.object({
  totalObservations: z.int(),
  totalTokens: z.int(),
  issueCount: z.int(),
  archived: z.int(),
  bytes: z.int(),
  byCategory: Counts,
  byAgent: Counts,
  alerts: z.array(z.string()),
});
export type MemoryStatsBody = Shape<typeof MemoryStatsBody>;

/** The listings with pages, by the field of their items. */
export type Listings = Pick<Shape<typeof NotificationsBody>, 'notifications'> &
  Pick<Shape<typeof ClarificationsBody>, 'clarifications'> &
  Pick<Shape<typeof TasksBody>, 'tasks'> &
  Pick<Shape<typeof AssumptionsBody>, 'assumptions'>;

export const AgentsBody = z.object({ agents: AgentStandings });
export type AgentsBody = Shape<typeof AgentsBody>;

const ListedRun = z.object({
  runId: z.string(),
  issueNumber: z.int(),
  workflow: z.string(),
  status: z.string(),
  startedAt: z.string(),
  updatedAt: z.string(),
  waitingOn: z.array(z.string()),
  ended: z.array(z.string()),
  goOn: z.exactOptional(z.string()),
});

export const RunsBody = z.object({ runs: z.array(ListedRun) });
export type RunsBody = Shape<typeof RunsBody>;

/** The commit that it began with, and its work tree, from the repository. */
const LeftBranch = z.object({
  runId: z.string(),
  issueNumber: z.int(),
  status: z.string(),
  updatedAt: z.string(),
  name: z.string(),
  base: z.string(),
  folder: z.string(),
});

export const BranchesBody = z.object({ branches: z.array(LeftBranch) });
export type BranchesBody = Shape<typeof BranchesBody>;

const LeftRun = z.exactOptional(
  z.object({ id: z.string(), status: z.string(), ended: z.array(z.string()), goOn: z.string() }),
);

const BlockedIssue = z.looseObject({
  issue: Issue,
  reason: z.string(),
  run: LeftRun,
  clarificationId: z.exactOptional(z.string()),
  questionId: z.exactOptional(z.string()),
});
export type BlockedIssue = Shape<typeof BlockedIssue>;

export const ReadyBody = z.object({
  ready: z.array(z.extend(Issue, { run: LeftRun })),
  blocked: z.array(BlockedIssue),
});
export type ReadyBody = Shape<typeof ReadyBody>;

export const AutonomyBody = z.object({ autonomy: Autonomy });
export type AutonomyBody = Shape<typeof AutonomyBody>;

export const AssumptionsBody = z.object({ assumptions: z.array(Assumption), total: z.int(), next });

/** A human's verdict on an assumption, as it stands now. */
export const VerdictBody = z.object({ assumption: Assumption });
export type VerdictBody = Shape<typeof VerdictBody>;

export const DigestBody = z.object({ digest: z.custom<Digest>() });
export type DigestBody = Shape<typeof DigestBody>;
