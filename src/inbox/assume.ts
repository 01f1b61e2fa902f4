import { decisionOf } from '../hub/comment-answer.js';
import type { HubPorts } from '../hub/ports.js';
import type { Assumption, Decision } from '../protocol/assumption.js';
import { MAX_ANSWER_CHARACTERS } from '../protocol/limits.js';
import type { Question, QuestionOption } from '../protocol/question.js';
import { keepAssumption } from './assumptions.js';

/**
 * The assumption that an ended question leads to, recorded once: a fallback that was taken, a planning request that was
 * answered, a question that a human would not decide. Escalations have theirs from the hub.
 */
export async function assumeFrom(ports: HubPorts, question: Question): Promise<Assumption | undefined> {
  const decision = decisionFrom(question);
  if (decision === undefined) return undefined;
  const { id, issueNumber, askedBy, outcome, answeredBy } = question;
  const confirmedBy = outcome === 'answered' ? answeredBy?.principal : undefined;
  return keepAssumption(ports, {
    origin: `question/${id}`,
    issueNumber,
    agent: askedBy.agent,
    questionId: id,
    decision,
    ...(confirmedBy === undefined ? {} : { confirmedBy }),
  });
}

/** A step that was a person's to do: whether they do it is no decision about the work. */
const HANDED = /\/handed\/\d+$/;

function decisionFrom(question: Question): Decision | undefined {
  const { kind, outcome, origin = '' } = question;
  if (HANDED.test(origin)) return undefined;
  if (kind !== 'open_question' && kind !== 'pm_clarification') return undefined;
  if (outcome === 'fallback_applied') return timedOut(question);
  if (outcome === 'answered') return kind === 'pm_clarification' ? confirmed(question) : undefined;
  return outcome === 'declined' || outcome === 'dismissed' ? undecided(question) : undefined;
}

function timedOut(question: Question): Decision {
  const { fallback, blocker_type = 'none' } = question;
  const taken = decisionOf({ ...question, lateResponses: [] });
  return {
    decision: cut(`${asked(question)} ${taken}`),
    blocker_type,
    user_response: 'timeout_assumed',
    reasoning: cut(fallback?.reasoning ?? 'Nobody answered in time; this was declared as the safe choice.'),
    confidence: 'medium',
    risk_if_wrong: cut(fallback?.risk ?? 'unknown'),
  };
}

function confirmed(question: Question): Decision {
  const { blocker_type = 'none', responses = [] } = question;
  const [response] = responses;
  const option = question.questions
    .flatMap(({ options = [] }) => options)
    .find(({ id }) => response?.optionIds?.includes(id));
  const said = decisionOf(question);
  return {
    decision: cut(`${asked(question)} ${said}`),
    blocker_type,
    // Free text is an option that the agent had not thought of.
    user_response: cut(`User confirmed option (${option?.id ?? 'other'}): ${option?.label ?? said}`),
    reasoning: cut(`It was asked as ${question.id} and answered: ${said}`),
    confidence: 'high',
    risk_if_wrong: 'low - explicit user confirmation',
  };
}

function undecided(question: Question): Decision {
  const { blocker_type = 'none', askedBy, outcome, id } = question;
  const safe = safeOption(question);
  const choice = question.fallback?.text ?? safe?.label ?? `${askedBy.agent} decides`;
  return {
    decision: cut(`${asked(question)} ${choice}`),
    blocker_type,
    user_response: 'inferred_from_context',
    reasoning: cut(
      question.fallback?.reasoning ?? `Question ${id} was ${outcome}: a human leaves the decision to the agent.`,
    ),
    confidence: 'low',
    risk_if_wrong: cut(
      question.fallback?.risk ?? `medium - what ${askedBy.agent} builds on it may have to be reworked`,
    ),
  };
}

function safeOption({ questions, fallback }: Question): QuestionOption | undefined {
  const options = questions.flatMap((part) => part.options ?? []);
  return options.find(({ id }) => id === fallback?.optionId) ?? options.find(({ recommended }) => recommended === true);
}

function asked({ questions }: Question): string {
  const [part] = questions;
  const text = part?.header ?? part?.text ?? '';
  const shown = questions.length > 1 ? `${text} (and ${questions.length - 1} more)` : text;
  return /[?:.]$/.test(shown) ? shown : `${shown}:`;
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_ANSWER_CHARACTERS
    ? text
    : `${characters.slice(0, MAX_ANSWER_CHARACTERS - 3).join('')}...`;
}
