import { route } from '../hub/conversation.js';
import type { HubResult } from '../hub/ports.js';
import { escalationQuestionId } from '../protocol/ids.js';
import type { RunEvent } from '../protocol/run.js';
import { type RunContext, recorded } from './context.js';
import type { Action } from './decide.js';

/**
 * Has a round answered. A round that was settled elsewhere meanwhile is settled; one that another process has answered
 * is waited for. If its target waits for a human, so does the run: the round is routed again when the question has
 * ended.
 */
export async function routeRound(
  { ports, issueNumber }: RunContext,
  { clarificationId, round }: Extract<Action, { type: 'route' }>,
): Promise<readonly RunEvent[]> {
  const { clarifications } = await ports.store.ledgers.read(issueNumber);
  const isKept = clarifications.some(({ id }) => id === clarificationId);
  // A record that a repair could not save will never be answered.
  const stand: Stand = isKept ? await route(ports, { clarificationId, round }) : { status: 'abandoned', round };
  // A round that another one followed was answered.
  const status = stand.round > round ? 'answered' : stand.status;
  const at = ports.clock.now();
  const [first] = status === 'escalated' ? [escalationQuestionId(clarificationId, round)] : (stand.waitingOn ?? []);
  const waits = first === undefined ? {} : { questionId: first };
  return recorded(at, { type: 'clarification-settled', at, clarificationId, round, status, ...waits });
}

type Stand = Pick<HubResult, 'round' | 'waitingOn'> & { readonly status: string };
