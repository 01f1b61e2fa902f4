import { type Assumption, nextAssumptionId } from '../protocol/assumption.js';
import type { ClarificationRecord, EscalationOption, ThreadEntry } from '../protocol/clarification.js';
import { HUMAN, parseClarificationId } from '../protocol/ids.js';
import { MAX_ANSWER_CHARACTERS } from '../protocol/limits.js';
import type { Question } from '../protocol/question.js';
import { latestResponses } from '../protocol/question-answerers.js';
import { askAgain } from './ask-again.js';
import { requireRecord } from './change-record.js';
import { decisionOf } from './comment-answer.js';
import type { ChangePorts, HubPorts } from './ports.js';
import { resolve } from './resolve.js';

/**
 * Carries what became of an escalation's question to its record. A human's answer is the resolution, unless it is to ask
 * the target again or to go on with an assumption; where there is no answer the requester goes on with an assumption as
 * well, which is written first: a crash in between leaves the record escalated, and the next sweep comes here again. That
 * the answer joins the issue is seen to by the inbox.
 */
export async function settleEscalation(
  ports: ChangePorts,
  question: Question,
): Promise<ClarificationRecord | undefined> {
  const { outcome, sourceId, reason } = question;
  if (question.kind !== 'escalation' || outcome === undefined) return undefined;
  // Without a reason it was the record that ended first.
  if (outcome === 'superseded' && reason === undefined) return undefined;
  const record = requireRecord(await ports.store.ledgers.read(question.issueNumber), sourceId);
  if (record.status !== 'escalated') return record;
  if (outcome === 'superseded') {
    const body = `No decision: ${reason}.`;
    return (await resolve(ports, { clarificationId: sourceId, body, by: HUMAN, outcome })).record;
  }
  const { answeredBy } = question;
  const who = answeredBy === undefined || answeredBy.channel === 'timeout' ? {} : { principal: answeredBy.principal };
  const { action, note } = outcome === 'answered' ? chosenIn(record, question) : { action: 'assume' as const };
  if (action === 'retry') {
    return askAgain(ports, { clarificationId: sourceId, ...who, ...(note !== undefined && { note }) });
  }
  const body = action === 'assume' ? await assume(ports, record, { question, note }) : cut(decisionOf(question));
  const settled = await resolve(ports, { clarificationId: sourceId, body, by: HUMAN, outcome, ...who });
  return settled.record;
}

interface Chosen {
  readonly action: EscalationOption['action'] | undefined;
  /** What was written beside the option. */
  readonly note?: string;
}

/** Which of the escalation's options a human chose; none where they only wrote something. */
function chosenIn(record: ClarificationRecord, question: Question): Chosen {
  const options = escalationOf(record)?.options ?? [];
  const [response] = latestResponses(question);
  const chosen = options.find(({ id }) => response?.optionIds?.includes(id));
  if (chosen === undefined) return { action: undefined };
  const { action, label } = chosen;
  const note = response?.answer?.trim() ?? '';
  return note === '' || note === label ? { action } : { action, note };
}

interface Undecided {
  readonly question: Question;
  /** What a human wants to be assumed, where they said it. */
  readonly note: string | undefined;
}

async function assume(ports: HubPorts, record: ClarificationRecord, undecided: Undecided): Promise<string> {
  const { issueNumber } = parseClarificationId(record.id);
  const { question } = undecided;
  const assumption = await ports.store.assumptions.update(issueNumber, (file) => {
    const known = file.assumptions_made.find(({ questionId }) => questionId === question.id);
    if (known !== undefined) return { next: file, result: known };
    const made = assumptionFor(record, undecided, { id: nextAssumptionId(file), at: ports.clock.now() });
    return { next: { ...file, assumptions_made: [...file.assumptions_made, made] }, result: made };
  });
  const { id, decision } = assumption;
  const what = `${record.from} goes on with assumption ${id}`;
  return question.outcome === 'answered' ? cut(`${what}: ${decision}`) : `No decision (${question.outcome}). ${what}.`;
}

function assumptionFor(
  record: ClarificationRecord,
  { question, note }: Undecided,
  { id, at }: { readonly id: string; readonly at: string },
): Assumption {
  const { id: questionId, outcome, answeredBy } = question;
  const position =
    escalationOf(record)?.positions?.target ?? `${record.from} decides, as ${record.to} has not answered`;
  const end =
    outcome === 'answered'
      ? `${answeredBy?.principal ?? 'a human'} has ${record.from} go on with an assumption (${questionId})`
      : `its question ${questionId} ended ${outcome}, without a decision`;
  return {
    decision: cut(`${record.topic}: ${note ?? position}`),
    blocker_type: 'none',
    user_response: 'inferred_from_clarification',
    reasoning: `${record.id} was escalated and ${end}.`,
    confidence: note === undefined ? 'low' : 'medium',
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

function escalationOf({ thread }: ClarificationRecord): ThreadEntry | undefined {
  return thread.findLast(({ type }) => type === 'escalation');
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_ANSWER_CHARACTERS
    ? text
    : `${characters.slice(0, MAX_ANSWER_CHARACTERS - 3).join('')}...`;
}
