import { parseAgentName, parseClarificationId } from '../protocol/ids.js';
import { changeRecord, type HubResult, requireRecord, resultOf } from './change-record.js';
import type { ResolvePorts } from './ports.js';
import { type HumanResolution, resolveEscalated } from './settle-escalation.js';
import { writeDown } from './write-down.js';

export interface ResolveRequest extends Pick<HumanResolution, 'clarificationId' | 'body' | 'by' | 'principal'> {
  /** The round whose answer is accepted. If it was followed up or escalated since, it stays as it is. */
  readonly round?: number;
}

/** Ends a clarification; an escalated one only by a human, whose open question then needs no answer any more. */
export async function resolve(ports: ResolvePorts, request: ResolveRequest): Promise<HubResult> {
  const { clarificationId, body, principal, round: acceptedRound } = request;
  const resolution = { by: parseAgentName(request.by), body, ...(principal !== undefined && { principal }) };
  const { issueNumber } = parseClarificationId(clarificationId);
  // While the record still waits, so that a crash in between repeats it.
  await writeDown(ports, issueNumber);
  if (acceptedRound === undefined) {
    const { thread } = requireRecord(await ports.store.ledgers.read(issueNumber), clarificationId);
    const isForHuman = thread.some(({ type }) => type === 'escalation');
    if (isForHuman) return resultOf(await resolveEscalated(ports, { ...resolution, clarificationId }));
  }
  const { record } = await changeRecord(ports, clarificationId, ({ status, round }) => {
    const hasGoneOn = acceptedRound !== undefined && (status !== 'answered' || round !== acceptedRound);
    return status === 'resolved' || hasGoneOn ? undefined : { type: 'resolve', at: ports.clock.now(), ...resolution };
  });
  return resultOf(record);
}
