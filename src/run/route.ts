import { route } from '../hub/route.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { escalationQuestionId } from '../protocol/ids.js';
import type { RunEvent } from '../protocol/run.js';
import { type RunContext, recorded } from './context.js';
import type { Action } from './decide.js';

/** Has a round answered; what somebody else has settled meanwhile is settled. */
export async function routeRound(
  { ports, issueNumber }: RunContext,
  { clarificationId, round }: Extract<Action, { type: 'route' }>,
): Promise<readonly RunEvent[]> {
  const { clarifications } = await ports.store.ledgers.read(issueNumber);
  const record = clarifications.find(({ id }) => id === clarificationId);
  const isAsked = record?.round === round && (record.status === 'pending' || record.status === 'stale');
  const { status, round: present } = isAsked ? await route(ports, record) : standOf(record, round);
  const at = ports.clock.now();
  const waits = status === 'escalated' ? { questionId: escalationQuestionId(clarificationId, present) } : {};
  return recorded(at, { type: 'clarification-settled', at, clarificationId, round, status, ...waits });
}

/** A record that a repair could not save will never be answered. */
function standOf(
  record: ClarificationRecord | undefined,
  round: number,
): Pick<ClarificationRecord, 'status' | 'round'> {
  return record ?? { status: 'abandoned', round };
}
