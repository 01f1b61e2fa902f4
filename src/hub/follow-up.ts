import { parseAgentName } from '../protocol/ids.js';
import { breakCycles } from './break-cycles.js';
import { changeRecord } from './change-record.js';
import { type HubPorts, type HubResult, resultOf } from './ports.js';
import { route } from './route.js';

export interface FollowUpRequest {
  readonly clarificationId: string;
  readonly question: string;
  readonly by: string;
}

/**
 * Opens the next round and routes it. After the last round nobody is asked: the record is escalated, the human's
 * question is open, and MAX_ROUNDS_EXCEEDED is thrown.
 */
export async function followUp(ports: HubPorts, request: FollowUpRequest): Promise<HubResult> {
  const { clarificationId, question: body, by } = request;
  const changed = await changeRecord(ports, clarificationId, () => ({
    type: 'follow-up',
    at: ports.clock.now(),
    by: parseAgentName(by),
    body,
  }));
  if (changed.error !== undefined) throw changed.error;
  const record = await breakCycles(ports, changed.record);
  return record.status === 'pending' ? route(ports, record) : resultOf(record);
}
