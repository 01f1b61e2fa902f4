import { runAgent } from '../hub/agent-turn.js';
import { noteCalls, type Refusal } from '../hub/transcript.js';
import type { TurnProgress, TurnReport } from '../ports/runner.js';
import type { Store } from '../ports/store.js';
import type { Brief } from '../protocol/brief.js';
import { contextOf } from '../protocol/context-budget.js';
import { isRefusedBySettings, isStoreFailure, messageOf } from '../protocol/errors.js';
import { makeSessionId } from '../protocol/ids.js';
import { parseWith } from '../protocol/parse.js';
import { Reply } from '../protocol/reply.js';
import type { SessionTurn } from '../protocol/session.js';
import { shorten } from '../protocol/shorten.js';
import { estimateTokens } from '../protocol/tokens.js';
import { beyond, sumOf } from '../protocol/usage.js';
import type { WorkflowStep } from '../protocol/workflow.js';
import { type RunContext, stepPayload } from './context.js';
import type { RunPorts } from './ports.js';
import { briefForRecord } from './session-turns.js';
import { ProgressTeller } from './turn-progress.js';

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
  context: RunContext<'store' | 'bus' | 'clock' | 'runnerFor' | 'signal'>,
  step: WorkflowStep,
  { brief, turn, attempt, origin, refusals = [] }: TurnBrief,
): Promise<SessionTurn> {
  const { ports } = context;
  const payload = stepPayload(context, step, brief.issue);
  ports.bus.emit('turn-started', { ...payload, turn });
  const startedAt = ports.clock.now();
  let stderr = '';
  const onStderr = (text: string) => {
    stderr = text;
  };
  let report: Partial<TurnReport> = {};
  const onReport = (turnReport: TurnReport) => {
    report = turnReport;
  };
  const transcriptId = makeSessionId(context.runId, step.id, attempt);
  const teller = new ProgressTeller(ports, { payload, turn, sessionId: transcriptId });
  const onProgress = (progress: TurnProgress) => teller.tell(progress);
  const callbacks = { onStderr, onReport, onProgress };
  const options = { transcriptId, refusals, ...callbacks, ...(origin === undefined ? {} : { turn: origin }) };
  const outcome = await replyOf(ports, () => runAgent(ports, brief, options));
  teller.flush();
  if (outcome.reply !== undefined && origin !== undefined) {
    await noteCalls(ports, { id: transcriptId }, { reply: outcome.reply, turn: origin });
  }
  const usage = await usageOf(ports.store, transcriptId);
  const promptTokens = estimateTokens(brief.prompt);
  const recordedBrief = { brief: briefForRecord(brief), promptTokens, context: contextOf(brief, promptTokens) };
  const stderrField = stderr === '' ? {} : { stderr: shorten(stderr, MAX_STDERR_CHARACTERS) };
  return {
    turn,
    startedAt,
    endedAt: ports.clock.now(),
    ...recordedBrief,
    ...outcome,
    ...stderrField,
    ...partsOf(report),
    ...usage,
  };
}

/**
 * What the turn used of a model. The transcript counts over the whole conversation, so what a killed process used
 * before is in it: the turn has used whatever earlier turns have not.
 */
async function usageOf(
  { transcripts, sessions }: Pick<Store, 'transcripts' | 'sessions'>,
  id: string,
): Promise<Pick<SessionTurn, 'usage'>> {
  const total = (await transcripts.read(id))?.usage;
  if (total === undefined) return {};
  const session = await sessions.read(id);
  return { usage: beyond(total, sumOf(...(session?.turns ?? []).map(({ usage }) => usage))) };
}

function partsOf({ changed = [], denied = [], transcriptFile }: Partial<TurnReport>) {
  return {
    ...(changed.length === 0 ? {} : { changed: changed.slice(0, MAX_CHANGED) }),
    ...(denied.length === 0 ? {} : { denied: denied.slice(0, MAX_DENIED) }),
    ...(transcriptFile === undefined ? {} : { transcriptFile }),
  };
}

const MAX_CHANGED = 500;
const MAX_DENIED = 20;

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
