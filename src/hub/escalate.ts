import { changeRecord } from './change-record.js';
import { type HubPorts, type HubResult, resultOf } from './ports.js';

export interface EscalateRequest {
  readonly clarificationId: string;
  readonly reason: string;
}

/** Hands a clarification to a human. One that is escalated already stays as it is. */
export async function escalate(ports: HubPorts, { clarificationId, reason }: EscalateRequest): Promise<HubResult> {
  const { record } = await changeRecord(ports, clarificationId, ({ status }) =>
    status === 'escalated' ? undefined : { type: 'escalate', at: ports.clock.now(), reason },
  );
  return resultOf(record);
}
