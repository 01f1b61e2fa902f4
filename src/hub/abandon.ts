import { changeRecord } from './change-record.js';
import { type HubPorts, type HubResult, resultOf } from './ports.js';

export interface AbandonRequest {
  readonly clarificationId: string;
}

/** Ends a pending clarification that its requester no longer waits for. */
export async function abandon(ports: HubPorts, { clarificationId }: AbandonRequest): Promise<HubResult> {
  const { record } = await changeRecord(ports, clarificationId, ({ status }) =>
    status === 'abandoned' ? undefined : { type: 'abandon', at: ports.clock.now() },
  );
  return resultOf(record);
}
