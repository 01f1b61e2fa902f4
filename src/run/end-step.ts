import type { BoardPorts } from '../board/ports.js';
import { resolve } from '../hub/resolve.js';
import { writeDown } from '../hub/write-down.js';
import type { SettlePorts } from '../inbox/ports.js';
import { completePlanning } from '../inbox/session.js';
import { supersedeGone, supersedeOf } from '../inbox/supersede.js';
import { isActive } from '../protocol/clarification.js';
import { makeSessionId } from '../protocol/ids.js';
import { parseOrigin } from '../protocol/origin.js';
import type { RunEvent, RunFact } from '../protocol/run.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { finishAgent, leaveAgent } from './agent-work.js';
import { type RunContext, readIssue, recorded, requireStep, stepPayload } from './context.js';
import type { Action } from './decide.js';
import { turnsOf } from './history.js';
import { finishTask, leaveTask, moveTask } from './issue-state.js';
import { ledgerNews, readLedger } from './new-clarifications.js';
import { endSession } from './session-end.js';
import { progressOf, stateOf } from './step-state.js';

/** A finished step ends unless its agent has asked, or was told, something since its last turn. */
export async function endStep(
  context: RunContext<keyof SettlePorts>,
  { step: id, attempt, outcome, reason }: Extract<Action, { type: 'end-step' }>,
): Promise<readonly RunEvent[]> {
  const { ports } = context;
  const step = requireStep(context, id);
  const { facts, isHeld, hasNews } = ledgerNews(await readLedger(context, step), ports.clock.now());
  if (outcome === 'done' && (isHeld || hasNews)) return recorded(ports.clock.now(), ...facts);
  const issue = await readIssue(context);
  await writeDown(ports, context.issueNumber, context.workflow);
  await leaveStep(context, { id, attempt, part: outcome === 'done' ? 'done' : 'given up' });
  if (outcome === 'done') await completePlanning(ports, context.runId, id);
  if (outcome === 'done' && step.status_on_complete !== undefined) {
    context.journal.defer(moveTask(context, step.status_on_complete));
  }
  if (outcome !== 'done' && attempt > 0) {
    const { issueNumber, runId } = context;
    const became = outcome === 'skipped' ? 'skipped' : 'given up';
    await supersedeOf(ports, { issueNumber, runId, step: id, reason: `step '${id}' was ${became}` });
  }
  const at = ports.clock.now();
  const because = reason === undefined ? {} : { reason };
  ports.bus.emit('step-ended', { ...stepPayload(context, step, issue), outcome, ...because });
  return recorded(at, ...facts, { type: 'step-ended', at, step: id, outcome, ...because });
}

/** A review rejected the work: it goes back, and everything that depends on it is done again. */
export async function reopen(
  context: RunContext<keyof BoardPorts | 'log'>,
  { steps, by }: Extract<Action, { type: 'reopen' }>,
): Promise<readonly RunEvent[]> {
  const { ports, issueNumber, runId } = context;
  const run = context.journal.run;
  const progress = progressOf(run);
  for (const step of steps) {
    const { attempt, isStarted, outcome } = stateOf(progress, step);
    if (isStarted && outcome === undefined) await leaveStep(context, { id: step, attempt, part: 'done' });
  }
  const at = ports.clock.now();
  const reason = turnsOf(run, by).at(-1)?.review?.body;
  const payload = { runId, issueNumber, steps, by, timestamp: toEpochMs(at) };
  ports.bus.emit('steps-reopened', reason === undefined ? payload : { ...payload, reason });
  return recorded(at, { type: 'reopened', at, steps, by });
}

/** Every step has ended: no agent waits for an answer any more, and the issue is done. */
export async function finish(context: RunContext<keyof SettlePorts>): Promise<readonly RunEvent[]> {
  const unasked = await unaskedRounds(context);
  if (unasked.length > 0) return recorded(context.ports.clock.now(), ...unasked);
  await acceptAnswers(context);
  await supersedeGone(context.ports, context.issueNumber);
  await completePlanning(context.ports, context.runId);
  await finishTask(context);
  return [{ type: 'finish', at: context.ports.clock.now() }];
}

export async function stop(
  context: RunContext<keyof SettlePorts>,
  { reason }: Extract<Action, { type: 'stop' }>,
): Promise<readonly RunEvent[]> {
  const progress = progressOf(context.journal.run);
  for (const { id } of context.workflow.steps) {
    const { attempt, isStarted, outcome } = stateOf(progress, id);
    if (isStarted && outcome === undefined) await leaveStep(context, { id, attempt, part: 'broken off' });
  }
  await leaveTask(context);
  const { ports, issueNumber, runId } = context;
  await supersedeOf(ports, { issueNumber, runId, reason: 'the run that asked was stopped' });
  return [{ type: 'stop', at: context.ports.clock.now(), reason }];
}

interface Leaving {
  readonly id: string;
  readonly attempt: number;
  /** Work that was broken off is tried again by another run; work that was given up is not. */
  readonly part: 'done' | 'given up' | 'broken off';
}

/** The agent's part is over: its session ends and is compacted, with what the journal says of it. */
async function leaveStep(context: RunContext<keyof BoardPorts | 'log'>, { id, attempt, part }: Leaving): Promise<void> {
  const { ports, runId } = context;
  const { agent } = requireStep(context, id);
  const mayRetry = part === 'broken off';
  context.underWay.delete(id);
  context.journal.defer(part === 'done' ? finishAgent(context, agent) : leaveAgent(context, agent, { mayRetry }));
  const sessionId = makeSessionId(runId, id, attempt);
  if (attempt === 0 || (await ports.store.sessions.read(sessionId)) === undefined) return;
  context.journal.defer(endSession(ports, sessionId, context.journal.run));
}

/**
 * What a human has asked again, or asked on, of an agent whose requester did not wait, and is done: the run ends when it
 * is answered.
 */
async function unaskedRounds({
  ports,
  issueNumber,
  runId,
  journal,
}: RunContext<keyof SettlePorts>): Promise<readonly RunFact[]> {
  const { asked } = progressOf(journal.run);
  const { clarifications } = await ports.store.ledgers.read(issueNumber);
  const at = ports.clock.now();
  return clarifications.flatMap(({ id: clarificationId, status, blocking, origin, round }): readonly RunFact[] => {
    const cause = parseOrigin(origin);
    if (cause.by !== 'run' || cause.runId !== runId || cause.step === undefined) return [];
    const isKnown = asked.some((one) => one.clarificationId === clarificationId && one.round === round);
    if (isKnown || blocking || status !== 'pending') return [];
    return [{ type: 'clarification-noticed', at, step: cause.step, clarificationId, round, blocking }];
  });
}

/** Accepts answers that came after the last turn of the agent that asked. */
async function acceptAnswers({ ports, issueNumber, journal }: RunContext<keyof SettlePorts>): Promise<void> {
  const askedIds = new Set(progressOf(journal.run).asked.map(({ clarificationId }) => clarificationId));
  const { clarifications } = await ports.store.ledgers.read(issueNumber);
  const endedIds = new Set(clarifications.filter((one) => !isActive(one)).map(({ id }) => id));
  for (const { id, from, status, round, within = '' } of clarifications) {
    // Once a target need not answer any more, it does not accept what it had asked either.
    if (status === 'answered' && (askedIds.has(id) || endedIds.has(within))) {
      await resolve(ports, { clarificationId: id, body: 'Proceeding.', by: from, round });
    }
  }
}
