import { failWork, finishWork, leaveWork, startWork } from '../board/agent-status.js';
import { AgentXError } from '../protocol/errors.js';
import type { RunContext } from './context.js';

/* What the status file says of the agents of a run. It is for people who look: no run stops because many write to it. */

export async function startAgent(context: RunContext, agent: string): Promise<void> {
  await unlessBusy(context, agent, () => startWork(context.ports, workOf(context, agent)));
}

export async function finishAgent(context: RunContext, agent: string): Promise<void> {
  await unlessBusy(context, agent, () => finishWork(context.ports, workOf(context, agent)));
}

/** Until a human has said what comes next. */
export async function stopAgent(context: RunContext, agent: string): Promise<void> {
  await unlessBusy(context, agent, () => failWork(context.ports, { agent, issue: context.issueNumber }));
}

/** Its work was broken off or given up: it is not done. */
export async function leaveAgent(
  context: RunContext,
  agent: string,
  { mayRetry }: { readonly mayRetry: boolean },
): Promise<void> {
  const work = { agent, issue: context.issueNumber, mayRetry };
  await unlessBusy(context, agent, () => leaveWork(context.ports, work));
}

function workOf({ issueNumber }: RunContext, agent: string) {
  return { agent, issue: issueNumber, isInRun: true };
}

async function unlessBusy({ ports, runId }: RunContext, agent: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AgentXError) || !BUSY.includes(error.code)) throw error;
    ports.log.warn("an agent's status was not written", { runId, agent, code: error.code, error: error.message });
  }
}

const BUSY: readonly string[] = ['LOCK_TIMEOUT', 'LOCK_LOST'];
