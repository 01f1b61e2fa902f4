import type { HubPorts } from '../hub/ports.js';
import { parseQuestionId } from '../protocol/ids.js';
import type { AnsweredBy, Question, QuestionResponse } from '../protocol/question.js';
import { noteTyping } from '../protocol/question-notes.js';

export interface KeepAliveRequest {
  readonly id: string;
  readonly by: Pick<AnsweredBy, 'principal'>;
  /** What stands in the fields, kept as a draft; without it only the clock is held. */
  readonly responses?: readonly QuestionResponse[];
}

/** Somebody is typing: the clock stands still, for a quarter of an hour at most, and the draft is kept. */
export async function keepAlive(ports: HubPorts, { id, by, responses }: KeepAliveRequest): Promise<Question> {
  const keystroke = { principal: by.principal, at: ports.clock.now(), ...(responses && { responses }) };
  return ports.store.questions.update(parseQuestionId(id), (question) => {
    const next = noteTyping(question, keystroke);
    return { next, result: next };
  });
}
