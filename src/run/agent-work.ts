import { failWork, finishWork, leaveWork, startWork } from '../board/agent-status.js';
import type { BoardPorts } from '../board/ports.js';
import { AgentXError } from '../protocol/errors.js';
import type { RunContext } from './context.js';

/*
 * The status file's entries for the agents of a run. They are for people who look: a run never stops because the file
 * is busy.
 */

export async function startAgent(context: RunContext<keyof BoardPorts | 'log'>, agent: string): Promise<void> {
  await unlessBusy(context, agent, () =>
    startWork(context.ports, { agent, issue: context.issueNumber, isInRun: true }),
  );
}

export async function finishAgent(context: RunContext<keyof BoardPorts | 'log'>, agent: string): Promise<void> {
  if (hasOtherStep(context, agent)) return;
  await unlessBusy(context, agent, () =>
    finishWork(context.ports, { agent, issue: context.issueNumber, isInRun: true }),
  );
}

/** Until a human has decided what comes next. */
export async function stopAgent(context: RunContext<keyof BoardPorts | 'log'>, agent: string): Promise<void> {
  await unlessBusy(context, agent, () => failWork(context.ports, { agent, issue: context.issueNumber }));
}

/** The work was broken off or given up: it is not done. */
export async function leaveAgent(
  context: RunContext<keyof BoardPorts | 'log'>,
  agent: string,
  { mayRetry }: { readonly mayRetry: boolean },
): Promise<void> {
  if (hasOtherStep(context, agent)) return;
  const work = { agent, issue: context.issueNumber, mayRetry };
  await unlessBusy(context, agent, () => leaveWork(context.ports, work));
}

/** A human gave the step to another agent. */
export async function handOver(
  context: RunContext<keyof BoardPorts | 'log'>,
  { id, from, to }: { readonly id: string; readonly from: string; readonly to: string },
): Promise<void> {
  const { underWay } = context;
  underWay.delete(id);
  await leaveAgent(context, from, { mayRetry: false });
  underWay.add(id);
  await startAgent(context, to);
}

/** One status serves all steps of an agent: what it asked in one of them would be given up if another ended its work. */
function hasOtherStep({ workflow, underWay }: RunContext, agent: string): boolean {
  return workflow.steps.some((step) => step.agent === agent && underWay.has(step.id));
}

async function unlessBusy(
  { ports, runId }: RunContext<'log'>,
  agent: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AgentXError) || !BUSY.includes(error.code)) throw error;
    ports.log.warn("an agent's status was not written", { runId, agent, code: error.code, error: error.message });
  }
}

const BUSY: readonly string[] = ['LOCK_TIMEOUT', 'LOCK_LOST'];
