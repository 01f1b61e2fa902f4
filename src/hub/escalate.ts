import { parseAgentName } from '../protocol/ids.js';
import { changeRecord, type HubResult, resultOf } from './change-record.js';
import type { RecordPorts } from './ports.js';

export interface EscalateRequest {
  readonly clarificationId: string;
  readonly reason: string;
  /** Who hands it over: the requester, the target or a human; by default the hub itself. */
  readonly by?: string;
  /** The person's name, if a human does it. */
  readonly principal?: string;
}

/** Hands a clarification to a human. One that is escalated already stays as it is. */
export async function escalate(ports: RecordPorts, request: EscalateRequest): Promise<HubResult> {
  const { clarificationId, reason, by, principal } = request;
  const actor = { ...(by !== undefined && { by: parseAgentName(by) }), ...(principal !== undefined && { principal }) };
  const { record } = await changeRecord(ports, clarificationId, ({ status }) =>
    status === 'escalated' ? undefined : { type: 'escalate', at: ports.clock.now(), reason, ...actor },
  );
  return resultOf(record);
}
