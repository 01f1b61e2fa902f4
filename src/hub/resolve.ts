import type { ClarificationRecord, ThreadEntry } from '../protocol/clarification.js';
import type { ClarificationEvent } from '../protocol/clarification-transition.js';
import { escalationQuestionId, parseAgentName, parseClarificationId } from '../protocol/ids.js';
import type { QuestionOutcome } from '../protocol/question.js';
import { changeRecord, leftToTheSweep } from './change-record.js';
import { supersedeQuestion } from './escalation-question.js';
import { type HubPorts, type HubResult, resultOf } from './ports.js';
import { writeDown } from './write-down.js';

export interface ResolveRequest {
  readonly clarificationId: string;
  readonly body: string;
  readonly by: string;
  /** The person's name, if a human resolves it. */
  readonly principal?: string;
  /** How the human's question ended, if that resolves an escalated record. */
  readonly outcome?: QuestionOutcome;
  /** What a human chose instead of a decision. */
  readonly undecided?: NonNullable<ThreadEntry['undecided']>;
  /** The round whose answer is accepted. If it was followed up or escalated since, it stays as it is. */
  readonly round?: number;
}

/** Ends a clarification; an escalated one only by a human, whose open question then needs no answer any more. */
export async function resolve(ports: HubPorts, request: ResolveRequest): Promise<HubResult> {
  // Before and after: an answer is written while the record still waits, so that a crash in between repeats it.
  const { issueNumber } = parseClarificationId(request.clarificationId);
  await writeDown(ports, issueNumber);
  const { record } = await changeRecord(ports, request.clarificationId, (current) => {
    const { status, round } = current;
    const hasGoneOn = request.round !== undefined && (status !== 'answered' || round !== request.round);
    return status === 'resolved' || hasGoneOn ? undefined : eventFor(current, request, ports.clock.now());
  });
  if (record.thread.some(({ type }) => type === 'escalation')) {
    const questionId = escalationQuestionId(record.id, record.round);
    if (record.status === 'resolved')
      await leftToTheSweep(ports, record, 'question', () => supersedeQuestion(ports, questionId));
    await writeDown(ports, issueNumber);
  }
  return resultOf(record);
}

function eventFor({ status }: ClarificationRecord, request: ResolveRequest, at: string): ClarificationEvent {
  const { body, outcome, principal, undecided } = request;
  const resolution = { at, by: parseAgentName(request.by), body, ...(principal !== undefined && { principal }) };
  if (status !== 'escalated') return { type: 'resolve', ...resolution };
  return {
    type: 'human-resolve',
    ...resolution,
    ...(outcome !== undefined && { outcome }),
    ...(undecided !== undefined && { undecided }),
  };
}
