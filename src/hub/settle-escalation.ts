import { type Assumption, nextAssumptionId } from '../protocol/assumption.js';
import {
  type ClarificationRecord,
  type EscalationOption,
  lastQuestion,
  nextClarificationId,
  noteWaiting,
  type ThreadEntry,
} from '../protocol/clarification.js';
import { type ClarificationEvent, transition } from '../protocol/clarification-transition.js';
import { AgentXError } from '../protocol/errors.js';
import { escalationQuestionId, HUMAN, parseClarificationId } from '../protocol/ids.js';
import { MAX_ANSWER_CHARACTERS, MAX_QUESTION_CHARACTERS } from '../protocol/limits.js';
import { againOrigin } from '../protocol/origin.js';
import type { Question, QuestionOutcome } from '../protocol/question.js';
import { latestResponses } from '../protocol/question-answerers.js';
import { decisionOf } from '../protocol/question-decision.js';
import { fitInto } from '../protocol/shorten.js';
import { breakCycles } from './break-cycles.js';
import { changeRecord, changeRecords, leftToTheSweep, requireRecord, showStatuses } from './change-record.js';
import { decidingAlone, supersedeQuestion } from './escalation-question.js';
import { handingOver, openHanded } from './people.js';
import type { AskPorts, BasePorts, RecordPorts, ResolvePorts } from './ports.js';
import { writeDown } from './write-down.js';

/**
 * Carries the end of an escalation's question to its record. A human's answer is the resolution, unless it is to ask
 * the target again or to go on with an assumption; without an answer the requester goes on with an assumption as well,
 * which is written first: a crash in between leaves the record escalated, and the next sweep comes here again. The
 * inbox adds the answer to the issue.
 */
export async function settleEscalation(
  ports: ResolvePorts,
  question: Question,
): Promise<ClarificationRecord | undefined> {
  const { outcome, sourceId, reason } = question;
  if (question.kind !== 'escalation' || outcome === undefined) return undefined;
  // Without a reason, the record ended first.
  if (outcome === 'superseded' && reason === undefined) return undefined;
  const { clarifications } = await ports.store.ledgers.read(question.issueNumber);
  const record = clarifications.find(({ id }) => id === sourceId);
  // A damaged ledger may have lost it in its repair.
  if (record?.status !== 'escalated') return record;
  if (outcome === 'superseded') {
    const body = `No decision: ${reason}.`;
    return endEscalated(ports, { clarificationId: sourceId, body, by: HUMAN, outcome });
  }
  const { answeredBy } = question;
  const who = answeredBy === undefined || answeredBy.channel === 'timeout' ? {} : { principal: answeredBy.principal };
  const { action, note } = outcome === 'answered' ? chosenIn(record, question) : { action: 'assume' as const };
  if (action === 'retry') {
    return askAgain(ports, { clarificationId: sourceId, ...who, ...(note !== undefined && { note }) });
  }
  const body = action === 'assume' ? await assume(ports, record, { question, note }) : asAnswer(decisionOf(question));
  const undecided = action === 'assume' ? { undecided: action } : {};
  return endEscalated(ports, { clarificationId: sourceId, body, by: HUMAN, outcome, ...who, ...undecided });
}

export interface HumanResolution {
  readonly clarificationId: string;
  readonly body: string;
  readonly by: string;
  /** The person's name, if a human resolves it. */
  readonly principal?: string;
  /** How the human's question ended, if that resolves the record. */
  readonly outcome?: QuestionOutcome;
  /** What a human chose instead of a decision. */
  readonly undecided?: NonNullable<ThreadEntry['undecided']>;
}

/** A human decides an escalated record itself. If its question was answered first, that answer stands. */
export async function resolveEscalated(ports: ResolvePorts, resolution: HumanResolution): Promise<ClarificationRecord> {
  const { clarificationId } = resolution;
  return decidingAlone(ports, clarificationId, async () => {
    const ledger = await ports.store.ledgers.read(parseClarificationId(clarificationId).issueNumber);
    const { round } = requireRecord(ledger, clarificationId);
    const question = await ports.store.questions.read(escalationQuestionId(clarificationId, round));
    const settledRecord = question === undefined ? undefined : await settleEscalation(ports, question);
    return settledRecord ?? endEscalated(ports, resolution);
  });
}

/** The decision joins the record, and the question needs no answer any more. */
async function endEscalated(
  ports: RecordPorts & Pick<ResolvePorts, 'writeAnswers'>,
  resolution: HumanResolution,
): Promise<ClarificationRecord> {
  const { clarificationId, ...decision } = resolution;
  const { record } = await changeRecord(ports, clarificationId, ({ status }) =>
    status === 'resolved' ? undefined : { type: 'human-resolve', at: ports.clock.now(), ...decision },
  );
  const questionId = escalationQuestionId(record.id, record.round);
  await leftToTheSweep(ports, record, 'question', () => supersedeQuestion(ports, questionId));
  await writeDown(ports, parseClarificationId(clarificationId).issueNumber);
  return record;
}

interface HumanChoice {
  readonly action: EscalationOption['action'] | undefined;
  /** What was written beside the option. */
  readonly note?: string;
}

/** Which of the escalation's options a human chose; none if they only wrote text. */
function chosenIn(record: ClarificationRecord, question: Question): HumanChoice {
  const options = escalationOf(record)?.options ?? [];
  const [response] = latestResponses(question);
  const option = options.find(({ id }) => response?.optionIds?.includes(id));
  if (option === undefined) return { action: undefined };
  const { action, label } = option;
  const note = response?.answer?.trim() ?? '';
  return note === '' || note === label ? { action } : { action, note };
}

interface Undecided {
  readonly question: Question;
  /** What a human wants to be assumed, if they said it. */
  readonly note: string | undefined;
}

async function assume(
  ports: Pick<BasePorts, 'store' | 'clock'>,
  record: ClarificationRecord,
  undecided: Undecided,
): Promise<string> {
  const { issueNumber } = parseClarificationId(record.id);
  const { question } = undecided;
  const assumption = await ports.store.assumptions.update(issueNumber, (file) => {
    const earlier = file.assumptions_made.find(({ questionId }) => questionId === question.id);
    if (earlier !== undefined) return { next: file, result: earlier };
    const newAssumption = assumptionFor(record, undecided, { id: nextAssumptionId(file), at: ports.clock.now() });
    return { next: { ...file, assumptions_made: [...file.assumptions_made, newAssumption] }, result: newAssumption };
  });
  const { id, decision } = assumption;
  const what = `${record.from} goes on with assumption ${id}`;
  return question.outcome === 'answered'
    ? asAnswer(`${what}: ${decision}`)
    : `No decision (${question.outcome}). ${what}.`;
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
    decision: asAnswer(`${record.topic}: ${note ?? position}`),
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

/** A human's word may be longer than an answer can be. */
const asAnswer = (text: string): string => fitInto(text, MAX_ANSWER_CHARACTERS);

interface AskAgainRequest {
  readonly clarificationId: string;
  /** What the human wrote beside the choice: the target reads it below the question. */
  readonly note?: string;
  /** Which human. */
  readonly principal?: string;
}

/**
 * A human has an escalated question asked again. An escalated record ends with the human's word, so another record
 * waits for the target, with rounds and an SLA of its own; both are written at once. The run that waited routes it, or
 * the process in which the human answered.
 */
async function askAgain(
  ports: AskPorts,
  { clarificationId, note, principal }: AskAgainRequest,
): Promise<ClarificationRecord> {
  const { issueNumber } = parseClarificationId(clarificationId);
  const at = ports.clock.now();
  const { settled, again } = await changeRecords<AskedAgain>(ports, issueNumber, (ledger) => {
    const before = requireRecord(ledger, clarificationId);
    if (before.status !== 'escalated') return { changes: [], result: { settled: before } };
    const { from, to, topic, blocking, maxRounds, slaMinutes, within, questions = [] } = before;
    const opening = openHanded(
      {
        from,
        to,
        topic,
        blocking,
        maxRounds,
        within,
        at,
        id: nextClarificationId(ledger),
        question: questionOf(before, note),
        origin: againOrigin(before),
        ...(slaMinutes === undefined ? {} : { slaMinutes }),
      },
      ifPerson(ports, to),
    );
    // What humans have answered the target before is not asked again.
    const repetition = { ...opening, record: noteWaiting(opening.record, 'questions', questions) };
    const body = `${to} is asked again in ${repetition.record.id}.`;
    const resolution = {
      at,
      by: HUMAN,
      body,
      outcome: 'answered' as const,
      ...(principal !== undefined && { principal }),
    };
    const settlement = { before, ...transition(before, { type: 'human-resolve', ...resolution, undecided: 'retry' }) };
    return { changes: [settlement, repetition], result: { settled: settlement.record, again: repetition.record } };
  });
  if (again === undefined) return settled;
  await showStatuses(ports, again);
  await breakCycles(ports, again);
  return settled;
}

interface AskedAgain {
  readonly settled: ClarificationRecord;
  /** Absent if another process has settled it meanwhile. */
  readonly again?: ClarificationRecord;
}

function questionOf(record: ClarificationRecord, note: string | undefined): string {
  const { body: question } = lastQuestion(record);
  if (note === undefined) return question;
  return [...`${question}\n\n${note}`].slice(0, MAX_QUESTION_CHARACTERS).join('');
}

/** The choice stands even if the target cannot be started now: routing it reports why. */
function ifPerson(ports: Pick<AskPorts, 'clock' | 'runnerFor'>, target: string): readonly ClarificationEvent[] {
  try {
    return handingOver(ports, target);
  } catch (error) {
    if (error instanceof AgentXError) return [];
    throw error;
  }
}
