import type { Question } from '../../src/protocol/question.js';
import { plainLine } from '../../src/render/plain-text.js';
import { isMe } from './ours.js';
import { leftAlone } from './parts/left-alone.js';
import type { Act, Decision, QuestionDecision } from './state.js';

/* In words: what was decided, and what came of it. The second is taken from the server's answer alone. */

export function nameOf(decision: Decision): string {
  if ('assumption' in decision) return decision.reason === undefined ? 'Your confirmation' : 'Your rejection';
  return NAMES[decision.act];
}

const NAMES: Readonly<Record<Act, string>> = {
  answer: 'Your answer',
  decline: 'Your refusal',
  dismiss: 'Your dismissal',
  late: 'Your late answer',
  comment: 'Your comment',
};

const MAX_SUBJECT = 80;

export function subjectOf(decision: Decision): string {
  const characters = [...plainLine('assumption' in decision ? decision.assumption.decision : askedIn(decision))];
  return characters.length <= MAX_SUBJECT ? characters.join('') : `${characters.slice(0, MAX_SUBJECT).join('')}...`;
}

/** The text of an escalation holds the whole dispute. */
function askedIn({ question: { kind, questions } }: QuestionDecision): string {
  const [part] = questions;
  return (kind === 'escalation' ? part?.header : undefined) ?? part?.text ?? '';
}

export interface Outcome {
  readonly text: string;
  /** It went otherwise than was decided. */
  readonly isOther: boolean;
}

const isAsked = 'If it changes something, you are asked: keep or rework.';

export function outcomeOf({ act, responses: sent }: QuestionDecision, ended: Question): Outcome {
  const { status, outcome = 'answered', questions, responses = [], lateResponses = [] } = ended;
  const as = (text: string, isOther = false): Outcome => ({ text, isOther });
  if (status === 'open') return as(`Saved. ${questions.length - responses.length} more to answer here.`);
  if (outcome === 'fallback_applied' && lateResponses.length > 0) {
    if (act === 'late') return as(`Your late answer is kept. ${isAsked}`);
    const taken = responses.map(({ answer }) => plainLine(answer ?? '')).join('; ');
    return as(`Too late: the agent had gone on with "${taken}". Your answer is kept as a late one. ${isAsked}`, true);
  }
  const isExpected = outcome === EXPECTED[act];
  if (!isExpected || !isMe(ended.answeredBy)) {
    const who = ended.answeredBy === undefined ? '' : ` by ${plainLine(ended.answeredBy.principal)}`;
    return as(`It ended otherwise: ${outcome.replace('_', ' ')}${who}.`, true);
  }
  if (act === 'decline' || act === 'dismiss')
    return as(`${act === 'decline' ? 'Declined' : 'Dismissed'}: ${leftAlone(ended)}.`);
  if (ended.kind !== 'late_answer') return as('Answered. The agent goes on.');
  const isKept = sent.some(({ optionIds = [] }) => optionIds.includes('keep'));
  return as(isKept ? 'Kept: what was built stays as it is.' : 'Rework: what stands on the assumption is done again.');
}

const EXPECTED: Readonly<Record<Act, Question['outcome']>> = {
  answer: 'answered',
  decline: 'declined',
  dismiss: 'dismissed',
  late: 'fallback_applied',
  comment: 'answered',
};
