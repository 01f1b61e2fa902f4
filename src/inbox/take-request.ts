import type { Assumption } from '../protocol/assumption.js';
import { ONLY_REVERSIBLE } from '../protocol/consequence.js';
import { AgentXError } from '../protocol/errors.js';
import { questionIdFor } from '../protocol/ids.js';
import {
  blockerOf,
  consequenceProblem,
  type PlanningRequest,
  readNeedsClarification,
} from '../protocol/needs-clarification.js';
import type { AskedQuestions } from '../protocol/open-questions.js';
import { isSameCause, refusedOrigin } from '../protocol/origin.js';
import type { Question, QuestionFallback, QuestionPart } from '../protocol/question.js';
import { keepAssumption } from './assumptions.js';
import { fallbackOf, ownFallbacks } from './fallbacks-of-parts.js';
import { type FailedCondition, passGate } from './gate.js';
import { openQuestions } from './open-question.js';
import type { InboxPorts } from './ports.js';
import type { ReplyQuestions, TakenQuestions } from './reply-questions.js';
import { completeSession } from './session.js';

export interface Requested {
  /** 002's markdown or fields. */
  readonly said: unknown;
  /** What holds for it where it says nothing itself, such as the reply that it stands in. */
  readonly around?: unknown;
  /** How many questions the agent wants to ask: a request is one. */
  readonly questions: number;
  /** Asked together with it, of agents that may ask without a gate. */
  readonly beside: AskedQuestions;
}

/** Who asks, and where; `sourceId` is the issue's number where nothing is said. */
export type Asking = Omit<ReplyQuestions, 'reply'> & { readonly sourceId?: string };

/**
 * A planning request: past the gate it becomes a question, which declares a fallback unless it cannot be taken back; else an
 * assumption.
 */
export async function takeRequest(ports: InboxPorts, asking: Asking, requested: Requested): Promise<TakenQuestions> {
  try {
    return { question: await askPastGate(ports, asking, requested) };
  } catch (error) {
    if (!(error instanceof GateRefusal)) throw error;
    const { code, message, details } = error;
    return { refused: { code, message, details }, assumption: await decideAlone(ports, asking, error) };
  }
}

/** GATE_REFUSED, with every condition that failed, where the agent has to decide by itself. */
async function askPastGate(
  ports: InboxPorts,
  asking: Asking,
  { said, around, questions, beside }: Requested,
): Promise<Question> {
  const { origin, issueNumber, agent, chain, sourceId = String(issueNumber), runId, phase } = asking;
  const questionId = questionIdFor(origin);
  const session = runId ?? `run-${questionId.slice('oq-'.length)}`;
  const request = readNeedsClarification(said, around);
  requireClearConsequence(agent, request);
  const asked = { issueNumber, agent, request, questions, session, questionId, ...(phase && { phase }) };
  const known = await ports.store.questions.read(questionId);
  const failed = known === undefined ? await passGate(ports, asked) : [];
  if (failed.length > 0) {
    ports.log.info('gate refused', { agent, issueNumber, failed });
    throw new GateRefusal(agent, request, failed);
  }
  const parts = [partOf(request, ports.clock.now()), ...beside.parts.map(renamed)];
  const question = await openQuestions(ports, {
    origin,
    issueNumber,
    agent,
    ...(chain && { chain }),
    kind: 'pm_clarification',
    source: 'pm',
    sourceId,
    parts: ownFallbacks(parts),
    consequence: [request.consequence, beside.consequence].includes('irreversible') ? 'irreversible' : 'reversible',
    ...fallbackOf(parts),
    details: { session, blocker_type: blockerOf(request) ?? 'none', evidence: request.evidence },
  });
  await completeSession(ports, question);
  return question;
}

function partOf({ question, options, fallback }: PlanningRequest, createdAt: string): QuestionPart {
  return {
    id: 'q1',
    text: question,
    createdAt,
    multiSelect: false,
    allowText: true,
    options: options.map((option) => (option.id === fallback?.option ? { ...option, recommended: true } : option)),
    ...(fallback === undefined ? {} : { fallback: declaredBy(fallback) }),
  };
}

const renamed = (part: QuestionPart): QuestionPart => (part.id === 'q1' ? { ...part, id: 'q1-2' } : part);

function declaredBy({ option, reasoning, risk }: NonNullable<PlanningRequest['fallback']>): QuestionFallback {
  return { optionId: option, reasoning, ...(risk === undefined ? {} : { risk }) };
}

/** What contradicts itself is no decision to be taken unasked: the agent has to say which it means. */
function requireClearConsequence(agent: string, request: PlanningRequest): void {
  const problem = consequenceProblem(request);
  if (problem === undefined) return;
  throw new AgentXError('INVALID_INPUT', `The request of '${agent}' is not asked: ${problem}. ${ONLY_REVERSIBLE}`);
}

const NAMES: Readonly<Record<FailedCondition['condition'], string>> = {
  request: 'request',
  blocker_type: 'blocker type',
  evidence: 'evidence',
  quota: 'quota',
  phase: 'planning phase',
};

class GateRefusal extends AgentXError {
  constructor(
    agent: string,
    readonly request: PlanningRequest,
    readonly failed: readonly FailedCondition[],
  ) {
    const reasons = failed.map(({ condition, reason }) => `${NAMES[condition]}: ${reason}`).join('; ');
    super(
      'GATE_REFUSED',
      `Agent '${agent}' may not ask a human now. ${reasons}. It decides by itself and records an assumption.`,
      { agent, failed },
    );
  }
}

/** What was not asked is decided: by the fallback it declared, where it declared one. */
async function decideAlone(
  ports: InboxPorts,
  { origin, issueNumber, agent }: Asking,
  { request, failed }: GateRefusal,
): Promise<Assumption> {
  const { question, options, fallback, consequence } = request;
  const choice = options.find(({ id }) => id === fallback?.option)?.label ?? `${agent} decides`;
  const reasons = failed.map(({ reason }) => reason).join('; ');
  const decision = cut(`${question === '' ? 'An unclear request:' : question} ${choice}`);
  const { assumptions_made } = await ports.store.assumptions.read(issueNumber);
  // An agent that asks the same again, turn by turn, has decided it once.
  const known = assumptions_made.find(
    (other) => other.decision === decision && other.agent === agent && isSameCause(other.origin, origin),
  );
  if (known !== undefined) return known;
  return keepAssumption(ports, {
    origin: refusedOrigin(origin),
    issueNumber,
    agent,
    decision: {
      decision,
      blocker_type: 'none',
      user_response: 'inferred_from_context',
      reasoning: cut([...(fallback === undefined ? [] : [fallback.reasoning]), `Not asked: ${reasons}`].join('. ')),
      confidence: 'low',
      risk_if_wrong: fallback?.risk ?? (consequence === 'irreversible' ? 'high - it cannot be taken back' : 'unknown'),
    },
  });
}

const MAX_CHARACTERS = 1000;

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_CHARACTERS ? text : `${characters.slice(0, MAX_CHARACTERS).join('')}...`;
}
