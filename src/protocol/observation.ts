import * as z from 'zod/mini';
import { AgentName, IssueNumber, ObservationId } from './ids.js';
import type { Shape } from './shape.js';
import { Timestamp } from './timestamp.js';

const FILE_VERSION = 1;
const Count = z.int().check(z.gte(0));

export const ObservationCategory = z.enum(['decision', 'code-change', 'error', 'key-fact', 'compaction-summary']);
export type ObservationCategory = z.infer<typeof ObservationCategory>;

/** What a search returns and the manifest holds; the full text is read on demand. */
export const ObservationIndex = z.looseObject({
  id: ObservationId,
  agent: AgentName,
  issueNumber: IssueNumber,
  category: ObservationCategory,
  summary: z.string(),
  tokens: Count,
  timestamp: Timestamp,
  recallCount: z.exactOptional(Count),
  archived: z.exactOptional(z.boolean()),
});
export type ObservationIndex = Shape<typeof ObservationIndex>;

/** What an observation was taken from, so that it can be cited. */
export const ObservationSource = z.looseObject({
  kind: z.enum(['clarification', 'question', 'assumption', 'session', 'transcript', 'note']),
  id: z.string(),
  round: z.exactOptional(Count),
  /** The part of a question. */
  part: z.exactOptional(z.string()),
});
export type ObservationSource = Shape<typeof ObservationSource>;

export const Observation = z.extend(ObservationIndex, {
  content: z.string(),
  sessionId: z.string(),
  relevanceScore: z.exactOptional(z.number()),
  source: z.exactOptional(ObservationSource),
  /** The clarification whose requester was not content with it. */
  rejectedBy: z.exactOptional(z.string()),
  /** How often the same was said. */
  count: z.exactOptional(Count),
  lastSeenAt: z.exactOptional(Timestamp),
  /** Set if `tokens` was counted and not estimated. */
  tokenizer: z.exactOptional(z.string()),
  /** The tokens of the text that it was taken from: its reader need not read that text again. */
  sourceTokens: z.exactOptional(Count),
  /** The ids of archived observations that this one stands for. */
  mergedFrom: z.exactOptional(z.array(z.string())),
});
export type Observation = Shape<typeof Observation>;

/** What the protocol knows for certain may have to be cited word for word. */
export function isCertain(observation: Pick<Observation, 'source'>): boolean {
  return isDecided(observation) || observation.source?.kind === 'assumption';
}

/** Whether it may be the answer to a question that is asked again. */
export function isDecided({ source }: Pick<Observation, 'source'>): boolean {
  return source?.kind === 'clarification' || source?.kind === 'question';
}

export const ObservationManifest = z.looseObject({
  version: z.literal(FILE_VERSION),
  updatedAt: Timestamp,
  entries: z.array(ObservationIndex),
});
export type ObservationManifest = Shape<typeof ObservationManifest>;

export const ObservationFile = z.looseObject({
  version: z.literal(FILE_VERSION),
  issueNumber: IssueNumber,
  updatedAt: Timestamp,
  observations: z.array(Observation),
  /** The ids of decisions that were removed: completing what a crash left undone does not bring them back. */
  removed: z.exactOptional(z.array(z.string())),
});
export type ObservationFile = Shape<typeof ObservationFile>;

export interface StoreStats {
  readonly totalObservations: number;
  readonly totalTokens: number;
  readonly issueCount: number;
  /** Of an empty store: an empty text. */
  readonly oldestTimestamp: string;
  readonly newestTimestamp: string;
  readonly byCategory: Readonly<Record<string, number>>;
  readonly byAgent: Readonly<Record<string, number>>;
  readonly archived: number;
  /** On the disk, with everything derived. */
  readonly bytes: number;
}

export function emptyObservationFile(issueNumber: number): ObservationFile {
  return { version: FILE_VERSION, issueNumber, updatedAt: new Date(0).toISOString(), observations: [] };
}

/** The manifest's entry for an observation: everything except the full text and its source. */
export function toIndex(observation: Observation): ObservationIndex {
  const { id, agent, issueNumber, category, summary, tokens, timestamp, recallCount, archived } = observation;
  return {
    id,
    agent,
    issueNumber,
    category,
    summary,
    tokens,
    timestamp,
    ...(recallCount !== undefined && { recallCount }),
    ...(archived !== undefined && { archived }),
  };
}
