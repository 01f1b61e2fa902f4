import type { HubPorts } from '../hub/ports.js';
import { AgentXError } from '../protocol/errors.js';
import type { AnsweredBy, Question, QuestionResponse } from '../protocol/question.js';
import { type InboxResult, settleQuestion } from './settle-question.js';

export interface AnswerQuestionRequest {
  readonly id: string;
  readonly by: AnsweredBy;
  /** The revision that was in front of whoever answers; without it, the present one. */
  readonly revision?: number;
  /** Answers to several parts at once. Or: */
  readonly responses?: readonly QuestionResponse[];
  /** the part that `optionIds` and `text` answer, needed where there is more than one, */
  readonly questionId?: string;
  readonly optionIds?: readonly string[];
  readonly text?: string;
}

/** A human's answer. A lost race and an ended question are a CONFLICT that shows the present state. */
export async function answerQuestion(ports: HubPorts, request: AnswerQuestionRequest): Promise<InboxResult> {
  return settleQuestion(ports, request.id, (question) => ({
    type: 'answer',
    at: ports.clock.now(),
    by: request.by,
    revision: request.revision ?? question.revision,
    responses: request.responses ?? [responseTo(question, request)],
  }));
}

function responseTo(question: Question, { questionId, optionIds, text }: AnswerQuestionRequest): QuestionResponse {
  return {
    questionId: questionId ?? onlyPart(question),
    ...(text === undefined ? {} : { answer: text }),
    ...(optionIds === undefined ? {} : { optionIds }),
  };
}

/** Of several parts, the only one that nobody has answered yet. */
function onlyPart(question: Question): string {
  const answered = (question.responses ?? []).map(({ questionId }) => questionId);
  const parts = question.questions.map(({ id }) => id);
  const open = parts.filter((id) => !answered.includes(id));
  const [part, ...others] = open.length > 0 ? open : parts;
  if (part !== undefined && others.length === 0) return part;
  throw new AgentXError(
    'INVALID_INPUT',
    `Question ${question.id} has ${parts.length} parts; say which one is answered. Allowed: ${parts.join(', ')}.`,
    { questionId: question.id, allowed: parts },
  );
}
