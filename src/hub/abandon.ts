import { changeRecord, type HubResult, resultOf } from './change-record.js';
import type { RecordPorts } from './ports.js';

export interface AbandonRequest {
  readonly clarificationId: string;
  /** The round that was seen to be left. If it has an answer by now, or another one follows, nothing is ended. */
  readonly round?: number;
}

/** Ends a pending clarification that its requester no longer waits for. */
export async function abandon(ports: RecordPorts, { clarificationId, round }: AbandonRequest): Promise<HubResult> {
  const { record } = await changeRecord(ports, clarificationId, (current) => {
    const isOther = round !== undefined && (current.round !== round || current.status !== 'pending');
    const isOver = current.status === 'abandoned' || isOther;
    return isOver ? undefined : { type: 'abandon', at: ports.clock.now() };
  });
  return resultOf(record);
}
