import { parseAgentName } from '../protocol/ids.js';
import { changeRecord } from './change-record.js';
import { hasSaid } from './has-said.js';
import { type HubPorts, type HubResult, resultOf } from './ports.js';

export interface AnswerRequest {
  readonly clarificationId: string;
  readonly answer: string;
  readonly by: string;
  /** Which human, where it is one. */
  readonly principal?: string;
  /** The round that is answered; without it, the present one. */
  readonly round?: number;
}

/**
 * An answer by hand or by a tool. Of two at the same time the second is told that the record is answered, unless it says
 * the same.
 */
export async function answer(ports: HubPorts, request: AnswerRequest): Promise<HubResult> {
  const { clarificationId, answer: body, by, principal, round } = request;
  const { record } = await changeRecord(ports, clarificationId, (current) => {
    if (hasSaid(current, { type: 'answer', by, body, round })) return undefined;
    return {
      type: 'answer',
      at: ports.clock.now(),
      by: parseAgentName(by),
      body,
      ...(principal === undefined ? {} : { principal }),
      ...(round === undefined ? {} : { round }),
    };
  });
  return resultOf(record);
}
