import { type Assumption, nextAssumptionId } from '../protocol/assumption.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { HUMAN, parseClarificationId } from '../protocol/ids.js';
import { MAX_ANSWER_CHARACTERS } from '../protocol/limits.js';
import type { Question } from '../protocol/question.js';
import { messageOf, requireRecord } from './change-record.js';
import { commentAnswer, decisionOf } from './comment-answer.js';
import type { HubPorts } from './ports.js';
import { resolve } from './resolve.js';

/**
 * Carries what became of an escalation's question to its record. A human's answer is the resolution; where there is
 * none, the requester goes on with an assumption. The comment on the issue and the assumption are written first: a crash
 * in between leaves the record escalated, and the next sweep comes here again.
 */
export async function settleEscalation(ports: HubPorts, question: Question): Promise<ClarificationRecord | undefined> {
  const { outcome, sourceId } = question;
  if (question.kind !== 'escalation' || outcome === undefined || outcome === 'superseded') return undefined;
  const record = requireRecord(await ports.store.ledgers.read(question.issueNumber), sourceId);
  if (record.status !== 'escalated') return record;
  await joinConversation(ports, question);
  const body = outcome === 'answered' ? cut(decisionOf(question)) : await assume(ports, record, question);
  const { answeredBy } = question;
  const who = answeredBy === undefined || answeredBy.channel === 'timeout' ? {} : { principal: answeredBy.principal };
  const settled = await resolve(ports, { clarificationId: sourceId, body, by: HUMAN, outcome, ...who });
  return settled.record;
}

/** An issue that cannot be written keeps nobody waiting for the answer. */
async function joinConversation(ports: HubPorts, question: Question): Promise<void> {
  try {
    await commentAnswer(ports, question);
  } catch (error) {
    const { id: questionId, issueNumber } = question;
    ports.log.error('an answer did not join its issue', { questionId, issueNumber, error: messageOf(error) });
  }
}

async function assume(ports: HubPorts, record: ClarificationRecord, question: Question): Promise<string> {
  const { issueNumber } = parseClarificationId(record.id);
  const id = await ports.store.assumptions.update(issueNumber, (file) => {
    const known = file.assumptions_made.find(({ questionId }) => questionId === question.id);
    if (known !== undefined) return { next: file, result: known.id };
    const assumption = assumptionFor(record, question, { id: nextAssumptionId(file), at: ports.clock.now() });
    return { next: { ...file, assumptions_made: [...file.assumptions_made, assumption] }, result: assumption.id };
  });
  return `No decision (${question.outcome}). ${record.from} goes on with assumption ${id}.`;
}

function assumptionFor(
  record: ClarificationRecord,
  { id: questionId, outcome }: Question,
  { id, at }: { readonly id: string; readonly at: string },
): Assumption {
  const positions = record.thread.findLast(({ type }) => type === 'escalation')?.positions;
  const position = positions?.target ?? `${record.from} decides, as ${record.to} has not answered`;
  return {
    decision: cut(`${record.topic}: ${position}`),
    blocker_type: 'none',
    user_response: 'inferred_from_clarification',
    reasoning: `${record.id} was escalated and its question ${questionId} ended ${outcome}, without a decision.`,
    confidence: 'low',
    risk_if_wrong: `medium - what ${record.from} builds on it has to be reworked`,
    id,
    issueNumber: parseClarificationId(record.id).issueNumber,
    agent: record.from,
    questionId,
    artifacts: [],
    status: 'standing',
    createdAt: at,
  };
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_ANSWER_CHARACTERS
    ? text
    : `${characters.slice(0, MAX_ANSWER_CHARACTERS - 3).join('')}...`;
}
