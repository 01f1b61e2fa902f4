import type { ClarificationRecord } from '../protocol/clarification.js';
import { AgentXError, isStoreFailure, messageOf } from '../protocol/errors.js';
import { MAX_QUESTIONS_PER_REPLY } from '../protocol/limits.js';
import { actName } from '../protocol/origin.js';
import type { Reply } from '../protocol/reply.js';
import type { ActResult } from '../protocol/run.js';
import type { WorkflowStep } from '../protocol/workflow.js';
import type { Place } from './context.js';
import type { RunPorts } from './ports.js';

/** A reply to be carried out, and the turn that gave it. */
export interface GivenReply {
  readonly place: Place;
  readonly reply: Reply;
  /** Clarifications whose answers the agent had before it replied, as they were then. */
  readonly answered: readonly Pick<ClarificationRecord, 'id' | 'round'>[];
  /** The rounds that the agent had heard of them, by id: another process may have asked on meanwhile. */
  readonly heard: ReadonlyMap<string, number>;
}

/** What became of one part of a reply, without its name. */
export type PartResult = Omit<ActResult, 'act'>;

export type Carrying = GivenReply & { readonly step: WorkflowStep };

interface PartContext {
  readonly ports: Pick<RunPorts, 'log'>;
  readonly runId: string;
}

/** One part of a reply. Its agent is told what is wrong with the part; our own failures stop the run. */
export async function part(
  { ports, runId }: PartContext,
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

/** The same for parts of one kind, up to a number that no reply sensibly exceeds. Its agent is told what is left out. */
export async function allOf<T>(
  kind: Parameters<typeof actName>[0],
  items: readonly T[] = [],
  work: (item: T, index: number) => Promise<ActResult>,
): Promise<readonly ActResult[]> {
  const max = MAX_QUESTIONS_PER_REPLY;
  const acts = await inOrder(items.slice(0, max), work);
  if (items.length <= max) return acts;
  const message = `The reply has ${items.length} parts of the kind '${kind}'. The first ${max} were taken, the others were not.`;
  return [...acts, { act: actName(kind, max), blocking: true, refused: { code: 'INVALID_INPUT', message } }];
}
