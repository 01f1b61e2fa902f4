import { askWhatNext } from '../inbox/what-next.js';
import type { RunEvent } from '../protocol/run.js';
import { stopAgent } from './agent-work.js';
import { beginStep } from './begin-step.js';
import { originOf, type RunContext, recorded, requireStep } from './context.js';
import type { Action } from './decide.js';
import { endStep, finish, reopen, stop } from './end-step.js';
import { routeRound } from './route.js';
import { takeTurn } from './take-turn.js';

/** Carries one action out and says what the journal has to know of it. It may be done again until that is written. */
export async function perform(context: RunContext, action: Action): Promise<readonly RunEvent[]> {
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
      return endStep(context, action);
    case 'reopen':
      return reopen(context, action);
    case 'stop':
      return stop(context, action);
    case 'finish':
      return finish(context);
  }
}

/** What waits for an agent; everything else is over in a moment. */
export function isSlow({ type }: Action): boolean {
  return type === 'take-turn' || type === 'route';
}

async function askHuman(
  context: RunContext,
  { step, turn, reason }: Extract<Action, { type: 'ask-what-next' }>,
): Promise<readonly RunEvent[]> {
  const { ports, issueNumber } = context;
  const { agent } = requireStep(context, step);
  const origin = originOf(context, { step, turn }, 'what-next/0');
  context.defer(stopAgent(context, agent));
  const { id: questionId } = await askWhatNext(ports, { origin, issueNumber, agent, step, reason });
  const at = ports.clock.now();
  return recorded(at, { type: 'asked-what-next', at, step, turn, reason, questionId });
}
