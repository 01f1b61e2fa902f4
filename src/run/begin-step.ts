import type { SettlePorts } from '../inbox/ports.js';
import { supersedeAttempt } from '../inbox/supersede.js';
import type { RunEvent } from '../protocol/run.js';
import { matchesCondition } from '../workflow/step-order.js';
import { startAgent } from './agent-work.js';
import { type RunContext, readIssue, recorded, requireStep, stepPayload } from './context.js';
import type { Action } from './decide.js';
import { takeTask } from './issue-state.js';

/** Planning ends with the first step of one of these. */
const BUILDERS = ['engineer', 'coder'];

export async function beginStep(
  context: RunContext<keyof SettlePorts>,
  { step: id, attempt }: Extract<Action, { type: 'begin-step' }>,
): Promise<readonly RunEvent[]> {
  const { ports, issueNumber, runId } = context;
  const step = requireStep(context, id);
  const issue = await readIssue(context);
  if (attempt > 1) {
    await supersedeAttempt(ports, { issueNumber, runId, step: id, reason: `step '${id}' is done again` });
  }
  const at = ports.clock.now();
  if (!matchesCondition(step, issue.labels)) {
    context.underWay.delete(id);
    const reason = `its condition ${step.condition} is not met`;
    ports.bus.emit('step-skipped', { ...stepPayload(context, step, issue), reason });
    return recorded(at, { type: 'step-ended', at, step: id, outcome: 'skipped', reason });
  }
  context.underWay.add(id);
  context.journal.defer(takeTask(context, issue, { agent: step.agent, column: step.status_on_start }));
  context.journal.defer(startAgent(context, step.agent));
  ports.bus.emit('step-started', stepPayload(context, step, issue));
  const startEvents = recorded(at, { type: 'step-started', at, step: id, attempt });
  const isFirstBuilder = BUILDERS.includes(step.agent) && context.journal.run.phase === 'planning';
  return isFirstBuilder ? [{ type: 'enter-execution', at }, ...startEvents] : startEvents;
}
