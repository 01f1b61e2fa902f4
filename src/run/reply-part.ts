import type { ClarificationRecord } from '../protocol/clarification.js';
import { AgentXError, isStoreFailure, messageOf } from '../protocol/errors.js';
import { MAX_QUESTIONS_PER_REPLY } from '../protocol/limits.js';
import type { Reply } from '../protocol/reply.js';
import type { ActResult } from '../protocol/run.js';
import type { WorkflowStep } from '../protocol/workflow.js';
import type { Place, RunContext } from './context.js';

/** A reply to be carried out, and the turn that gave it. */
export interface GivenReply {
  readonly place: Place;
  readonly reply: Reply;
  /** Clarifications whose answers the agent had before it replied, as they were then. */
  readonly answered: readonly Pick<ClarificationRecord, 'id' | 'round'>[];
}

/** What became of one part of a reply, without its name. */
export type PartResult = Omit<ActResult, 'act'>;

export type Carrying = GivenReply & { readonly step: WorkflowStep };

/** One part of a reply. Its agent is told what is wrong with the part; our own failures stop the run. */
export async function part(
  { ports, runId }: RunContext,
  act: string,
  { blocking, work }: { readonly blocking: boolean; readonly work: () => Promise<PartResult> },
): Promise<ActResult> {
  try {
    return { act, ...(await work()) };
  } catch (error) {
    if (!(error instanceof AgentXError) || isStoreFailure(error)) throw error;
    const { code } = error;
    const message = messageOf(error);
    ports.log.warn('a part of a reply was refused', { runId, act, code, error: message });
    return { act, blocking, refused: { code, message } };
  }
}

/** One after the other: a later part sees the results of an earlier one. */
export async function inOrder<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) results.push(await work(item, index));
  return results;
}

/** No reply sensibly has more than this at once. */
export function atMost<T>(items: readonly T[] = []): readonly T[] {
  return items.slice(0, MAX_QUESTIONS_PER_REPLY);
}
