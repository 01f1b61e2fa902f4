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

export const Observation = z.extend(ObservationIndex, {
  content: z.string(),
  sessionId: z.string(),
  relevanceScore: z.exactOptional(z.number()),
});
export type Observation = Shape<typeof Observation>;

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
});
export type ObservationFile = Shape<typeof ObservationFile>;

/** The manifest's entry for an observation: everything except the full text and its source. */
export function toIndex(observation: Observation): ObservationIndex {
  const { content: _content, sessionId: _sessionId, relevanceScore: _relevanceScore, ...index } = observation;
  return index;
}
