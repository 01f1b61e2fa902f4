import { once } from 'node:events';
import type { Clock } from '../ports/clock.js';
import type { TurnOptions } from '../ports/runner.js';
import type { Brief } from '../protocol/brief.js';
import type { Reply } from '../protocol/reply.js';
import type { TurnPorts } from './ports.js';
import { type Refusal, resumed } from './transcript.js';

/*
 * The engine waits for two things: agents and time. Both can be broken off: on the signal of the ports, the wait
 * rejects with the signal's reason, an AbortError, and nothing that would have followed is recorded.
 */

/** Longer than it takes to end a program that resists. */
const GRACE_MS = 3000;

export interface AgentTurn extends Pick<TurnOptions, 'turn' | 'onStderr' | 'onReport' | 'onProgress'> {
  /** The conversation that this turn belongs to. */
  readonly transcriptId: string;
  readonly refusals?: readonly Refusal[];
  readonly waitsForAll?: boolean;
}

/**
 * Has an agent take a turn. A runner that is broken off ends what it started and then rejects; one that ignores the
 * signal is left behind after a few seconds.
 */
export async function runAgent(
  ports: TurnPorts,
  brief: Brief,
  { transcriptId, refusals = [], waitsForAll = false, ...turnOptions }: AgentTurn,
): Promise<Reply> {
  const { clock, signal } = ports;
  const talk = { id: transcriptId, agent: brief.agent, issueNumber: brief.issue.number };
  const options = { ...turnOptions, ...(await resumed(ports, talk, { refusals, waitsForAll })) };
  const runner = ports.runnerFor(brief.agent);
  if (signal === undefined) return runner.run(brief, options);
  signal.throwIfAborted();
  const over = new AbortController();
  try {
    const turn = runner.run(brief, { ...options, signal });
    const reply = await Promise.race([turn, graceAfter(clock, { signal, over: over.signal })]);
    signal.throwIfAborted();
    return reply;
  } catch (error) {
    // An error from an agent that was ended is not its failure.
    signal.throwIfAborted();
    throw error;
  } finally {
    over.abort();
  }
}

/** Waits, unless the work is broken off. */
export async function pause(
  { clock, signal }: Pick<TurnPorts, 'clock' | 'signal'>,
  milliseconds: number,
): Promise<void> {
  try {
    await clock.sleep(milliseconds, signal);
  } finally {
    signal?.throwIfAborted();
  }
}

interface Grace {
  readonly signal: AbortSignal;
  /** The turn has ended, and nothing is left to wait for. */
  readonly over: AbortSignal;
}

/** Rejects a few seconds after the signal, or when the turn is over. */
async function graceAfter(clock: Clock, { signal, over }: Grace): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort', { signal: over });
  await clock.sleep(GRACE_MS, over);
  throw signal.reason;
}
