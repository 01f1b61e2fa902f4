import { runAgent } from '../hub/agent-turn.js';
import { noteCalls, type Refusal } from '../hub/transcript.js';
import type { Brief } from '../protocol/brief.js';
import { contextOf } from '../protocol/context-budget.js';
import { isRefusedBySettings, isStoreFailure, messageOf } from '../protocol/errors.js';
import { makeSessionId } from '../protocol/ids.js';
import { parseWith } from '../protocol/parse.js';
import { Reply } from '../protocol/reply.js';
import type { SessionTurn } from '../protocol/session.js';
import { shorten } from '../protocol/shorten.js';
import { estimateTokens } from '../protocol/tokens.js';
import type { WorkflowStep } from '../protocol/workflow.js';
import { type RunContext, stepPayload } from './context.js';
import type { RunPorts } from './ports.js';
import { briefForRecord } from './session-turns.js';

export interface TurnBrief {
  readonly brief: Brief;
  readonly turn: number;
  /** Together with the step, this names the session. */
  readonly attempt: number;
  /** The origin of what the agent asks in the turn, or from inside it. */
  readonly origin?: string;
  /** What of the reply before was not carried out. */
  readonly refusals?: readonly Refusal[];
}

/** Has an agent take a turn with this brief. The caller keeps the result in the session before acting on it. */
export async function turnWith(
  context: RunContext,
  step: WorkflowStep,
  { brief, turn, attempt, origin, refusals = [] }: TurnBrief,
): Promise<SessionTurn> {
  const { ports } = context;
  ports.bus.emit('turn-started', { ...stepPayload(context, step, brief.issue), turn });
  const startedAt = ports.clock.now();
  let stderr = '';
  const onStderr = (text: string) => {
    stderr = text;
  };
  const transcriptId = makeSessionId(context.runId, step.id, attempt);
  const options = { transcriptId, refusals, onStderr, ...(origin === undefined ? {} : { turn: origin }) };
  const outcome = await replyOf(ports, () => runAgent(ports, brief, options));
  if (outcome.reply !== undefined && origin !== undefined) {
    await noteCalls(ports, { id: transcriptId }, { reply: outcome.reply, turn: origin });
  }
  const promptTokens = estimateTokens(brief.prompt);
  const recordedBrief = { brief: briefForRecord(brief), promptTokens, context: contextOf(brief, promptTokens) };
  const beside = stderr === '' ? {} : { stderr: shorten(stderr, MAX_STDERR_CHARACTERS) };
  return { turn, startedAt, endedAt: ports.clock.now(), ...recordedBrief, ...outcome, ...beside };
}

/** An agent's failure counts as its turn; a failure of our own settings does not. */
async function replyOf(
  { signal }: Pick<RunPorts, 'signal'>,
  run: () => Promise<Reply>,
): Promise<Pick<SessionTurn, 'reply' | 'error'>> {
  try {
    return { reply: parseWith(Reply, await run(), 'The reply') };
  } catch (error) {
    signal?.throwIfAborted();
    if (isRefusedBySettings(error) || isStoreFailure(error)) throw error;
    return { error: shorten(messageOf(error), MAX_KEPT_CHARACTERS) };
  }
}

/** For text beside the work. */
export const MAX_KEPT_CHARACTERS = 4000;

const MAX_STDERR_CHARACTERS = 16_000;
