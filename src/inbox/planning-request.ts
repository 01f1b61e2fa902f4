import type { Decision } from '../protocol/assumption.js';
import { ONLY_REVERSIBLE } from '../protocol/consequence.js';
import { AgentXError } from '../protocol/errors.js';
import { consequenceProblem, type PlanningRequest, readNeedsClarification } from '../protocol/needs-clarification.js';
import type { AskedQuestions } from '../protocol/open-questions.js';
import type { QuestionFallback, QuestionPart } from '../protocol/question.js';
import { fitInto } from '../protocol/shorten.js';
import type { FailedCondition } from './gate.js';

/*
 * A parsed planning request. If it passes the gate it becomes a question, which declares a fallback unless it is
 * irreversible; otherwise it becomes an assumption. Pure.
 */

export interface Requested {
  /** The markdown or the fields of 002. */
  readonly said: unknown;
  /** What holds unless the request says otherwise, such as the reply around it. */
  readonly around?: unknown;
  /** How many questions the agent wants to ask: a request is one. */
  readonly questions: number;
  /** Asked together with it, for agents that may ask without a gate. */
  readonly beside: AskedQuestions;
}

/** A contradictory request cannot be decided unasked: the agent has to say which it means. */
export function readRequest(agent: string, { said, around }: Requested): PlanningRequest {
  const request = readNeedsClarification(said, around);
  const problem = consequenceProblem(request);
  if (problem === undefined) return request;
  throw new AgentXError('INVALID_INPUT', `The request of '${agent}' is not asked: ${problem}. ${ONLY_REVERSIBLE}`);
}

/** The parts of its question: the request itself, and the questions beside it. */
export function partsOf(
  { question, options, fallback }: PlanningRequest,
  beside: AskedQuestions,
  createdAt: string,
): readonly QuestionPart[] {
  const part = {
    id: 'q1',
    text: question,
    createdAt,
    multiSelect: false,
    allowText: true,
    options: options.map((option) => (option.id === fallback?.option ? { ...option, recommended: true } : option)),
    ...(fallback === undefined ? {} : { fallback: declaredBy(fallback) }),
  };
  return [part, ...beside.parts.map(withOwnId)];
}

const withOwnId = (part: QuestionPart): QuestionPart => (part.id === 'q1' ? { ...part, id: 'q1-2' } : part);

function declaredBy({ option, reasoning, risk }: NonNullable<PlanningRequest['fallback']>): QuestionFallback {
  return { optionId: option, reasoning, ...(risk === undefined ? {} : { risk }) };
}

const NAMES: Readonly<Record<FailedCondition['condition'], string>> = {
  request: 'request',
  blocker_type: 'blocker type',
  evidence: 'evidence',
  quota: 'quota',
  phase: 'planning phase',
};

/** For the agent: every condition that failed. */
export function refusalOf(agent: string, conditions: readonly FailedCondition[]) {
  const reasons = conditions.map(({ condition, reason }) => `${NAMES[condition]}: ${reason}`).join('; ');
  const message = `Agent '${agent}' may not ask a human now. ${reasons}. It decides by itself and records an assumption.`;
  return { code: 'GATE_REFUSED' as const, message, details: { agent, failed: conditions } };
}

/** What was not asked is decided: by the fallback it declared, if any. */
export function decisionAlone(
  agent: string,
  { question, options, fallback, consequence }: PlanningRequest,
  conditions: readonly FailedCondition[],
): Decision {
  const choice = options.find(({ id }) => id === fallback?.option)?.label ?? `${agent} decides`;
  const reasons = conditions.map(({ reason }) => reason).join('; ');
  return {
    decision: cut(`${question === '' ? 'An unclear request:' : question} ${choice}`),
    blocker_type: 'none',
    user_response: 'inferred_from_context',
    reasoning: cut([...(fallback === undefined ? [] : [fallback.reasoning]), `Not asked: ${reasons}`].join('. ')),
    confidence: 'low',
    risk_if_wrong: fallback?.risk ?? (consequence === 'irreversible' ? 'high - it cannot be taken back' : 'unknown'),
  };
}

const MAX_CHARACTERS = 1000;

const cut = (text: string): string => fitInto(text, MAX_CHARACTERS);
