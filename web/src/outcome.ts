import type { Question, QuestionResponse } from '../../src/protocol/question.js';
import { answererOf, isFallback, latestResponses } from '../../src/protocol/question-answerers.js';
import { plainLine } from '../../src/render/plain-text.js';
import { ENDS, isMe } from './is-ours.js';
import { isByHuman } from './parts/answerers.js';
import { leftAlone } from './parts/without-decision.js';
import { type Act, current, type Decision, type QuestionDecision } from './state.js';

/* In words: what was decided, and what came of it. The latter comes from the server's answer alone. */

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
  /** Whether it ended differently from the decision. */
  readonly isOther: boolean;
}

const isAsked = 'If it changes something, you are asked: keep or rework.';

const as = (text: string, isOther = false): Outcome => ({ text, isOther });

/** For the parts that were answered from here; others may have answered, or ended, the rest. */
export function outcomeOf({ act, responses: sentResponses }: QuestionDecision, question: Question): Outcome {
  const { status, outcome = 'answered', questions, responses = [], lateResponses = [] } = question;
  if (status === 'open') return as(`Saved. ${questions.length - responses.length} more to answer here.`);
  if (act === 'decline' || act === 'dismiss') {
    if (outcome !== ENDS[act] || !isMe(question.answeredBy)) return endedOtherwise(question);
    return as(`${act === 'decline' ? 'Declined' : 'Dismissed'}: ${leftAlone(question)}.`);
  }
  const isSent = ({ questionId }: QuestionResponse) => sentResponses.some((one) => one.questionId === questionId);
  const ownLateResponses = lateResponses.filter(({ answeredBy }) => isMe(answeredBy)).flatMap((one) => one.responses);
  if (ownLateResponses.some(isSent)) {
    if (act === 'late') return as(`Your late answer is kept. ${isAsked}`);
    const fallbackWords = wordsOf(responses.filter((one) => isSent(one) && isFallback(question, one)));
    return as(
      `Too late: the agent had gone on with "${fallbackWords}". Your answer is kept as a late one. ${isAsked}`,
      true,
    );
  }
  const inTime = responses.filter((one) => isMe(answererOf(question, one))).map(({ questionId }) => questionId);
  if (!sentResponses.every(({ questionId }) => inTime.includes(questionId))) return endedOtherwise(question);
  if (outcome !== 'answered') return restEnded(question);
  if (question.kind !== 'late_answer') return as('Answered. The agent goes on.');
  const isKept = sentResponses.some(({ optionIds = [] }) => optionIds.includes('keep'));
  return as(isKept ? 'Kept: what was built stays as it is.' : 'Rework: what stands on the assumption is done again.');
}

function endedOtherwise(question: Question): Outcome {
  return as(`It ended otherwise: ${howItEnded(question)}.`, true);
}

/** The answers from here stand; the other parts have none. */
function restEnded(question: Question): Outcome {
  if (question.outcome !== 'fallback_applied') return as(`Your answer is taken. The rest was ${howItEnded(question)}.`);
  const fallbackWords = wordsOf((question.responses ?? []).filter((one) => isFallback(question, one)));
  return as(`Your answer is taken. Nobody answered the rest in time: the agent went on with "${fallbackWords}".`);
}

function howItEnded({ outcome = 'answered', answeredBy }: Question): string {
  const who = isByHuman(outcome) && answeredBy !== undefined ? ` by ${plainLine(answeredBy.principal)}` : '';
  return `${outcome.replace('_', ' ')}${who}`;
}

function wordsOf(responses: readonly QuestionResponse[]): string {
  return responses.map(({ answer }) => plainLine(answer ?? '')).join('; ');
}

/** Why an answer from here was not taken: the same part was answered before, or the fallback was quicker. */
export function quickerThan({ responses: sentResponses }: QuestionDecision, question: Question): string {
  const storedResponses = latestResponses({ ...question, kept: [] }).filter(({ questionId }) =>
    sentResponses.some((one) => one.questionId === questionId),
  );
  const humanResponse = storedResponses.find((one) => !isFallback(question, one));
  if (humanResponse === undefined && question.outcome === 'fallback_applied') return 'its time was over.';
  const by = humanResponse === undefined ? question.answeredBy : answererOf(question, humanResponse);
  if (by === undefined || (humanResponse === undefined && !isByHuman(question.outcome))) return 'it had ended before.';
  if (by.principal !== current().principal) return `${plainLine(by.principal)} was quicker.`;
  return `you had ${humanResponse === undefined ? question.outcome : 'answered'} it elsewhere.`;
}
