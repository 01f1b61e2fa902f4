import type { HubResult } from '../hub/ports.js';
import { route } from '../hub/route.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { escalationQuestionId } from '../protocol/ids.js';
import type { RunEvent } from '../protocol/run.js';
import { type RunContext, recorded } from './context.js';
import type { Action } from './decide.js';

/**
 * Has a round answered; what somebody else has settled meanwhile is settled. Where its target waits for a human, so does
 * the run: the round is routed again when the question has ended.
 */
export async function routeRound(
  { ports, issueNumber }: RunContext,
  { clarificationId, round }: Extract<Action, { type: 'route' }>,
): Promise<readonly RunEvent[]> {
  const { clarifications } = await ports.store.ledgers.read(issueNumber);
  const record = clarifications.find(({ id }) => id === clarificationId);
  const isAsked = record?.round === round && (record.status === 'pending' || record.status === 'stale');
  const { status, round: present, waitingOn = [] } = isAsked ? await route(ports, record) : standOf(record, round);
  const at = ports.clock.now();
  const [first] = status === 'escalated' ? [escalationQuestionId(clarificationId, present)] : waitingOn;
  const waits = first === undefined ? {} : { questionId: first };
  return recorded(at, { type: 'clarification-settled', at, clarificationId, round, status, ...waits });
}

/** A record that a repair could not save will never be answered. */
function standOf(
  record: ClarificationRecord | undefined,
  round: number,
): Pick<HubResult, 'status' | 'round' | 'waitingOn'> {
  return record ?? { status: 'abandoned', round };
}
