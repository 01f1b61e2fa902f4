import { AgentXError } from '../protocol/errors.js';
import { understood } from '../protocol/option-in-words.js';
import { parseWith } from '../protocol/parse.js';
import { AnsweredBy, type Question, type QuestionResponse } from '../protocol/question.js';
import { answererOf, unansweredParts } from '../protocol/question-answerers.js';
import type { SettlePorts } from './ports.js';
import { type InboxResult, settleQuestion } from './settle.js';

export interface AnswerQuestionRequest {
  readonly id: string;
  readonly by: AnsweredBy;
  /** The revision that the answerer saw; by default the present one. */
  readonly revision?: number;
  /** Answers to several parts at once. Or: */
  readonly responses?: readonly QuestionResponse[];
  /** the part that `optionIds` and `text` answer, needed if there is more than one, */
  readonly questionId?: string;
  readonly optionIds?: readonly string[];
  readonly text?: string;
}

/** A human's answer. A lost race and an ended question are a CONFLICT that shows the present state. */
export async function answerQuestion(ports: SettlePorts, request: AnswerQuestionRequest): Promise<InboxResult> {
  parseWith(AnsweredBy, request.by, 'by');
  return settleQuestion(ports, request.id, (question) => {
    if (isRepeated(question, request)) return undefined;
    const { by, revision = question.revision, responses = [responseTo(question, request)] } = request;
    if (request.revision === undefined) requireNotAnswered(question, by, responses);
    return { type: 'answer', at: ports.clock.now(), by, revision, responses };
  });
}

/** An answerer who names no revision may not have seen an earlier answer; the first answer decides. */
function requireNotAnswered(question: Question, by: AnsweredBy, newResponses: readonly QuestionResponse[]): void {
  const isGiven = ({ questionId }: QuestionResponse) =>
    newResponses.some((response) => response.questionId === questionId);
  const { id, status, responses = [] } = question;
  const otherAnswer = responses.find((one) => isGiven(one) && answererOf(question, one)?.principal !== by.principal);
  if (status !== 'open' || otherAnswer === undefined) return;
  const who = answererOf(question, otherAnswer)?.principal ?? 'somebody else';
  const problem = `Question ${id} has an answer to '${otherAnswer.questionId}' that ${who} gave: ${otherAnswer.answer ?? ''}.`;
  throw new AgentXError('CONFLICT', problem, { questionId: id, question });
}

/** The same words of the same person once more. An answerer who names a revision wants to be told about a lost race. */
function isRepeated(question: Question, request: AnswerQuestionRequest): boolean {
  if (request.revision !== undefined || request.responses?.length === 0) return false;
  const { outcome = 'answered', responses = [], lateResponses = [] } = question;
  if (outcome !== 'answered' && outcome !== 'fallback_applied') return false;
  const lateAnswers = lateResponses.flatMap(({ responses, answeredBy }) =>
    responses.map((response) => ({ ...response, answeredBy })),
  );
  const ownResponses = [...responses, ...lateAnswers].filter(
    (response) => answererOf(question, response)?.principal === request.by.principal,
  );
  if (ownResponses.length === 0) return false;
  return givenIn(question, request).every((newResponse) =>
    ownResponses.some((response) => isSame(question, newResponse, response)),
  );
}

/** Without its part it means the only open one; once all are answered, it is unknown which that was. */
function givenIn(question: Question, request: AnswerQuestionRequest): readonly Partial<QuestionResponse>[] {
  const { responses, questionId, optionIds, text } = request;
  if (responses !== undefined) return responses;
  if (questionId !== undefined || unansweredParts(question).length > 0) return [responseTo(question, request)];
  return [{ ...(optionIds && { optionIds }), ...(text !== undefined && { answer: text }) }];
}

/** A stored response has its options once each, and their labels if there is no text. */
function isSame(question: Question, newResponse: Partial<QuestionResponse>, storedResponse: QuestionResponse): boolean {
  const part = question.questions.find(({ id }) => id === storedResponse.questionId);
  const { questionId = storedResponse.questionId } = newResponse;
  const response = { ...newResponse, questionId };
  const { optionIds = [], answer } = understood(question, response);
  const uniqueIds = [...new Set(optionIds)];
  const labels = uniqueIds.map((id) => part?.options?.find((option) => option.id === id)?.label);
  return (
    questionId === storedResponse.questionId &&
    uniqueIds.join() === (storedResponse.optionIds ?? []).join() &&
    (answer ?? labels.join(', ')) === storedResponse.answer
  );
}

function responseTo(question: Question, { questionId, optionIds, text }: AnswerQuestionRequest): QuestionResponse {
  return {
    questionId: questionId ?? onlyPart(question),
    ...(text === undefined ? {} : { answer: text }),
    ...(optionIds === undefined ? {} : { optionIds }),
  };
}

/** Of several parts, the only one without an answer. */
function onlyPart(question: Question): string {
  const parts = question.questions.map(({ id }) => id);
  const openParts = unansweredParts(question).map(({ id }) => id);
  const [part, ...others] = openParts.length > 0 ? openParts : parts;
  if (part !== undefined && others.length === 0) return part;
  throw new AgentXError(
    'INVALID_INPUT',
    `Question ${question.id} has ${parts.length} parts; say which one is answered. Allowed: ${parts.join(', ')}.`,
    { questionId: question.id, allowed: parts },
  );
}
