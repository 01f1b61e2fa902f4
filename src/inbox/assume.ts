import type { BasePorts } from '../hub/ports.js';
import type { Assumption, Decision } from '../protocol/assumption.js';
import { MAX_ANSWER_CHARACTERS } from '../protocol/limits.js';
import { endedOrigin, isHandedWork, parseOrigin } from '../protocol/origin.js';
import type { Question, QuestionOutcome, QuestionPart, QuestionResponse } from '../protocol/question.js';
import { answererOf, isFallback } from '../protocol/question-answerers.js';
import { decisionOf } from '../protocol/question-decision.js';
import { choiceFor, fallbackFor } from '../protocol/question-fallback.js';
import { fitInto } from '../protocol/shorten.js';
import { CLARIFY_FIRST } from '../protocol/workflow.js';
import { keepAssumption } from './assumptions.js';

/**
 * The assumptions that an ended question leads to: one for each part that it decides, by the part's id, recorded once.
 * An applied fallback leads to one, and so does an answered question of a planner, and a question that a human would
 * not decide. The hub makes those of escalations.
 */
export async function assumeFrom(
  ports: Pick<BasePorts, 'store' | 'clock'>,
  question: Question,
): Promise<ReadonlyMap<string, Assumption>> {
  const { id, issueNumber, askedBy, questions } = question;
  const assumptions = new Map<string, Assumption>();
  for (const part of questions) {
    const decision = decisionFrom(question, part);
    if (decision === undefined) continue;
    const inTime = responseInTime(question, part);
    const confirmedBy =
      inTime === undefined || isFallback(question, inTime) ? undefined : answererOf(question, inTime)?.principal;
    const assumption = await keepAssumption(ports, {
      origin: endedOrigin(id, questions.length > 1 ? part.id : undefined),
      issueNumber,
      agent: askedBy.agent,
      questionId: id,
      decision,
      ...(confirmedBy === undefined ? {} : { confirmedBy }),
    });
    assumptions.set(part.id, assumption);
  }
  return assumptions;
}

function decisionFrom(question: Question, part: QuestionPart): Decision | undefined {
  const { kind, outcome, origin } = question;
  // Whether a person does a step is no decision about the work.
  if (isHandedWork(origin)) return undefined;
  if (kind !== 'open_question' && kind !== 'pm_clarification') return undefined;
  const inTime = responseInTime(question, part);
  if (inTime !== undefined && isFallback(question, inTime)) return timedOut(question, part);
  if (inTime !== undefined) return isPlanning(question) ? confirmed(question, part, inTime) : undefined;
  return outcome !== undefined && UNDECIDED[outcome] !== undefined ? undecided(question, part) : undefined;
}

/** What decided the part when the question ended; a late answer is another matter. */
function responseInTime({ responses = [] }: Question, { id }: QuestionPart): QuestionResponse | undefined {
  return responses.find(({ questionId }) => questionId === id);
}

/** Questions from before or during planning: all the work builds on their answers. */
function isPlanning({ kind, origin }: Question): boolean {
  const cause = parseOrigin(origin);
  return kind === 'pm_clarification' || (cause.by === 'run' && cause.step === CLARIFY_FIRST);
}

function timedOut(question: Question, part: QuestionPart): Decision {
  const { blocker_type = 'none' } = question;
  const { reasoning, risk } = fallbackFor(question, part) ?? {};
  return {
    decision: cut(`${subjectOf(part)} ${decisionOf({ ...question, lateResponses: [] }, part.id)}`),
    blocker_type,
    user_response: 'timeout_assumed',
    reasoning: cut(reasoning ?? 'Nobody answered in time; this was declared as the safe choice.'),
    confidence: 'medium',
    risk_if_wrong: cut(risk ?? 'unknown'),
  };
}

function confirmed(question: Question, part: QuestionPart, inTime: QuestionResponse): Decision {
  const { blocker_type = 'none' } = question;
  const { optionIds = [] } = inTime;
  const { principal, channel } = answererOf(question, inTime) ?? { principal: 'somebody', channel: 'cli' };
  const options = (part.options ?? []).filter(({ id }) => optionIds.includes(id));
  const decision = decisionOf({ ...question, lateResponses: [] }, part.id);
  const option = options.length === 0 ? 'other' : options.map(({ id }) => id).join(', ');
  const label = options.length === 0 ? decision : options.map(({ label }) => label).join(', ');
  return {
    decision: cut(`${subjectOf(part)} ${decision}`),
    blocker_type,
    // Free text is an option that the agent had not thought of.
    user_response: cut(`User confirmed option (${option}): ${label}`),
    reasoning: cut(`It was asked as ${question.id} and answered by ${principal} (${channel}): ${decision}`),
    confidence: 'high',
    risk_if_wrong: 'low - explicit user confirmation',
  };
}

/** Why an agent itself decides what it asked; after a superseded question no agent is left to do so. */
const UNDECIDED: Readonly<Partial<Record<QuestionOutcome, string>>> = {
  declined: 'was declined: a human leaves the decision to the agent.',
  dismissed: 'was dismissed: a human leaves the decision to the agent.',
  unreachable: 'reached nobody: the agent has to decide.',
};

function undecided(question: Question, part: QuestionPart): Decision {
  const { blocker_type = 'none', askedBy, outcome = 'dismissed', id } = question;
  const fallback = fallbackFor(question, part);
  const choice = choiceFor(question, part) ?? `${askedBy.agent} decides`;
  return {
    decision: cut(`${subjectOf(part)} ${choice}`),
    blocker_type,
    user_response: 'inferred_from_context',
    reasoning: cut(fallback?.reasoning ?? `Question ${id} ${UNDECIDED[outcome] ?? ''}`),
    confidence: 'low',
    risk_if_wrong: cut(fallback?.risk ?? `medium - what ${askedBy.agent} builds on it may have to be reworked`),
  };
}

function subjectOf({ header, text }: QuestionPart): string {
  const subject = header ?? text;
  return /[?:.]$/.test(subject) ? subject : `${subject}:`;
}

const cut = (text: string): string => fitInto(text, MAX_ANSWER_CHARACTERS);
