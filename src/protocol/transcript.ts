import * as z from 'zod/mini';
import { AgentName, IssueNumber, TranscriptId } from './ids.js';
import { Anything } from './reply.js';
import type { Shape } from './shape.js';
import { Timestamp } from './timestamp.js';
import { Usage } from './usage.js';

/*
 * What a runner keeps of its conversation with a model, so that another process can go on with it. It holds the
 * messages so far, or the name of a session that an agent's own program keeps. The engine stores it and never looks
 * inside `state`.
 *
 * A runner that stops at tool calls names them in its reply. The engine notes here what each of them asked, by its
 * origin, and uses that to find the answer.
 */
export const Transcript = z.looseObject({
  /** A session's, or a clarification with its round: `CLR-42-001.2`. */
  id: TranscriptId,
  agent: AgentName,
  issueNumber: IssueNumber,
  /** The format of `state`, such as `model/1`. */
  format: z.string(),
  /** Any JSON. */
  state: Anything,
  /** What the whole conversation used of a model. */
  usage: z.exactOptional(Usage),
  calls: z.array(z.looseObject({ call: z.string(), origin: z.string() })),
  updatedAt: Timestamp,
});
export type Transcript = Shape<typeof Transcript>;
