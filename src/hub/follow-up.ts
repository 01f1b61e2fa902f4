import type { ClarificationRecord } from '../protocol/clarification.js';
import type { ClarificationEvent } from '../protocol/clarification-transition.js';
import { AgentXError } from '../protocol/errors.js';
import { parseAgentName, parseClarificationId } from '../protocol/ids.js';
import { breakCycles } from './break-cycles.js';
import { changeRecord } from './change-record.js';
import { handingOver } from './people.js';
import type { AskPorts } from './ports.js';
import { rejectRemembered } from './remembered-answer.js';

export interface FollowUpRequest {
  readonly clarificationId: string;
  readonly question: string;
  readonly by: string;
  /** The person's name, if a human asks. */
  readonly principal?: string;
  /** Its cause: asking again gives the same round. */
  readonly origin?: string;
}

interface OpenedFollowUp {
  readonly record: ClarificationRecord;
  /** MAX_ROUNDS_EXCEEDED if the record is escalated instead. */
  readonly error?: AgentXError;
}

/**
 * Opens the next round; it does not ask the target. After the last round the record is escalated instead and the
 * human's question is open: the error that says so is returned.
 */
export async function openFollowUp(ports: AskPorts, request: FollowUpRequest): Promise<OpenedFollowUp> {
  const { origin } = request;
  const { record, error } = await changeRecord(ports, request.clarificationId, (current) => {
    if (origin !== undefined && current.thread.some((entry) => entry.origin === origin)) return undefined;
    const isRouted = current.status === 'answered' && current.round < current.maxRounds;
    // As with an ask: a target that cannot be started is a mistake in the settings, and costs no round.
    return [eventFor(request, ports.clock.now()), ...(isRouted ? handingOver(ports, current.to) : [])];
  });
  await rejectRemembered(ports, record);
  if (error !== undefined) return { record, error };
  return { record: (await breakCycles(ports, record)) ?? record };
}

/** A reply of an agent that works on one issue says nothing about another. */
export function requireOfIssue(clarificationId: string, issueNumber: number): void {
  const other = parseClarificationId(clarificationId).issueNumber;
  if (other === issueNumber) return;
  throw new AgentXError(
    'INVALID_INPUT',
    `${clarificationId} is of issue #${other}, and you work on issue #${issueNumber}. Ask anew, without an id.`,
    { clarificationId, issueNumber },
  );
}

function eventFor({ question: body, by, principal, origin }: FollowUpRequest, at: string): ClarificationEvent {
  return {
    type: 'follow-up',
    at,
    by: parseAgentName(by),
    body,
    ...(principal === undefined ? {} : { principal }),
    ...(origin === undefined ? {} : { origin }),
  };
}
