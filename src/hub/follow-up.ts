import type { ClarificationRecord, ClarificationResult } from '../protocol/clarification.js';
import { parseAgentName } from '../protocol/ids.js';
import { breakCycles } from './break-cycles.js';
import { changeRecord } from './change-record.js';
import { type HubPorts, type HubResult, resultOf } from './ports.js';
import { route } from './route.js';

export interface FollowUpRequest {
  readonly clarificationId: string;
  readonly question: string;
  readonly by: string;
  /** Which human, where it is one. */
  readonly principal?: string;
  /** What caused it: asked again, it is the same round. */
  readonly origin?: string;
}

/**
 * Opens the next round and routes it. After the last round nobody is asked: the record is escalated, the human's
 * question is open, and MAX_ROUNDS_EXCEEDED is thrown.
 */
export async function followUp(ports: HubPorts, request: FollowUpRequest): Promise<HubResult> {
  const { record, error } = await open(ports, request);
  if (error !== undefined) throw error;
  return record.status === 'pending' ? route(ports, record) : resultOf(record);
}

/** The same without waiting for the target, and without an error where the record is escalated instead. */
export async function openFollowUp(ports: HubPorts, request: FollowUpRequest): Promise<ClarificationRecord> {
  return (await open(ports, request)).record;
}

async function open(ports: HubPorts, request: FollowUpRequest): Promise<Omit<ClarificationResult, 'effects'>> {
  const { clarificationId, question: body, by, principal, origin } = request;
  const changed = await changeRecord(ports, clarificationId, ({ thread }) =>
    origin !== undefined && thread.some((entry) => entry.origin === origin)
      ? undefined
      : {
          type: 'follow-up',
          at: ports.clock.now(),
          by: parseAgentName(by),
          body,
          ...(principal === undefined ? {} : { principal }),
          ...(origin === undefined ? {} : { origin }),
        },
  );
  return changed.error === undefined ? { record: await breakCycles(ports, changed.record) } : changed;
}
