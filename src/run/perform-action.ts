import { askForMore } from '../inbox/more-budget.js';
import type { AskHumansPorts } from '../inbox/ports.js';
import { askWhatNext } from '../inbox/what-next.js';
import { actName } from '../protocol/origin.js';
import { type RunEvent, stepsUnderWay } from '../protocol/run.js';
import { stopAgent } from './agent-work.js';
import { beginStep } from './begin-step.js';
import { originOf, type RunContext, readIssue, recorded, requireStep } from './context.js';
import type { Action } from './decide.js';
import { endStep, finish, reopen, stop } from './end-step.js';
import { missingOutput } from './missing-output.js';
import type { TurnPort } from './ports.js';
import { routeRound } from './route.js';
import { progressOf, stateOf } from './step-state.js';
import { takeTurn } from './take-turn.js';
import { placeName } from './work-place.js';

/**
 * Carries one action out and returns what the journal has to know about it. It may be repeated until that is written.
 */
export async function perform(
  context: RunContext<TurnPort | 'workTrees'>,
  action: Action,
): Promise<readonly RunEvent[]> {
  switch (action.type) {
    case 'begin-step':
      return beginStep(context, action);
    case 'take-turn':
      return takeTurn(context, action);
    case 'route':
      return routeRound(context, action);
    case 'ask-what-next':
      return askHuman(context, action);
    case 'end-step':
      return (await stillMissing(context, action)) ?? endStep(context, action);
    case 'ask-budget':
      return askBudget(context, action);
    case 'reopen':
      return reopen(context, action);
    case 'stop':
      return stop(context, action);
    case 'finish':
      return finish(context);
  }
}

/** Actions that wait for an agent; all others are over in a moment. */
export function isSlow({ type }: Action): boolean {
  return type === 'take-turn' || type === 'route';
}

/** A person who said that the output is there is asked again if it is not. */
async function stillMissing(
  context: RunContext<keyof AskHumansPorts | 'workTrees'>,
  { step: id, isSaidToBeThere = false }: Extract<Action, { type: 'end-step' }>,
): Promise<readonly RunEvent[] | undefined> {
  if (!isSaidToBeThere) return undefined;
  const missingPath = await missingOutput(context.ports, await readIssue(context), requireStep(context, id));
  if (missingPath === undefined) return undefined;
  const { turns: turn } = stateOf(progressOf(context.journal.run), id);
  const reason = `its output ${missingPath} is still not there`;
  return askHuman(context, { type: 'ask-what-next', step: id, turn, reason, missing: missingPath });
}

async function askBudget(
  context: RunContext<keyof AskHumansPorts>,
  { what, used, limit, times }: Extract<Action, { type: 'ask-budget' }>,
): Promise<readonly RunEvent[]> {
  const { ports, issueNumber, runId } = context;
  const { workflow, journal } = context;
  const [step = workflow.steps.at(-1)?.id ?? ''] = stepsUnderWay(journal.run);
  const { agent } = requireStep(context, step);
  // It is the whole run that asks: no step that ends takes the question with it.
  const origin = originOf({ runId }, { step: '', turn: 0 }, actName('budget', times));
  const { id: questionId } = await askForMore(ports, { origin, issueNumber, agent, what, used, limit });
  const at = ports.clock.now();
  return recorded(at, { type: 'asked-budget', at, what, used, limit, questionId });
}

async function askHuman(
  context: RunContext<keyof AskHumansPorts | 'workTrees'>,
  { step, turn, reason, missing }: Extract<Action, { type: 'ask-what-next' }>,
): Promise<readonly RunEvent[]> {
  const { ports, issueNumber } = context;
  const { agent } = requireStep(context, step);
  const earlierEntries = context.journal.run.journal.filter((entry) => entry.type === 'asked-what-next');
  const times = earlierEntries.filter((entry) => entry.step === step && entry.turn === turn).length;
  const origin = originOf(context, { step, turn }, actName('what-next', times));
  context.journal.defer(stopAgent(context, agent));
  // A person who looks for the file must look where the run works.
  const isElsewhere = missing !== undefined && context.journal.run.workTree !== undefined;
  const fullReason = isElsewhere ? `${reason} (in ${placeName(ports, context.journal.run)})` : reason;
  const request = {
    origin,
    issueNumber,
    agent,
    step,
    reason: fullReason,
    ...(missing === undefined ? {} : { missing }),
  };
  const { id: questionId } = await askWhatNext(ports, request);
  const at = ports.clock.now();
  return recorded(at, { type: 'asked-what-next', at, step, turn, reason, questionId });
}
