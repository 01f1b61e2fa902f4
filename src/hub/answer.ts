import type { ClarificationRecord } from '../protocol/clarification.js';
import { parseAgentName } from '../protocol/ids.js';
import { changeRecord, type HubResult, resultOf } from './change-record.js';
import type { RecordPorts } from './ports.js';

export interface AnswerRequest {
  readonly clarificationId: string;
  readonly answer: string;
  readonly by: string;
  /** The person's name, if a human answers. */
  readonly principal?: string;
  /** The round that is answered; by default the present one. */
  readonly round?: number;
}

/**
 * An answer by hand or by a tool. Of two at the same time the second is refused because the record is answered, unless
 * it says the same.
 */
export async function answer(ports: RecordPorts, request: AnswerRequest): Promise<HubResult> {
  const { clarificationId, answer: body, principal, round } = request;
  const by = parseAgentName(request.by);
  const { record } = await changeRecord(ports, clarificationId, (current) => {
    if (hasAnswered(current, { by, body, round })) return undefined;
    return {
      type: 'answer',
      at: ports.clock.now(),
      by,
      body,
      ...(principal === undefined ? {} : { principal }),
      ...(round === undefined ? {} : { round }),
    };
  });
  return resultOf(record);
}

interface GivenAnswer {
  readonly by: string;
  readonly body: string;
  /** By default the present one. */
  readonly round: number | undefined;
}

/** Whether exactly this answer is there already: repeating it is no error, and changes nothing. */
function hasAnswered(
  { thread, round: presentRound }: ClarificationRecord,
  { by, body, round = presentRound }: GivenAnswer,
): boolean {
  return thread.some(
    (entry) => entry.type === 'answer' && entry.round === round && entry.from === by && entry.body === body,
  );
}
