import * as z from 'zod/mini';
import type { BasePorts } from '../hub/ports.js';
import { parseQuestionId } from '../protocol/ids.js';
import { parseWith } from '../protocol/parse.js';
import type { AnsweredBy, Question } from '../protocol/question.js';
import { type Keystroke, noteTyping } from '../protocol/question-notes.js';

export interface KeepAliveRequest extends Pick<Keystroke, 'responses' | 'version' | 'replaces'> {
  readonly id: string;
  readonly by: Pick<AnsweredBy, 'principal'>;
}

const Typist = z.looseObject({ principal: z.string() });

/** A person is typing: the clock stands still, for a quarter of an hour at most, and the draft is kept. */
export async function keepAlive(
  ports: Pick<BasePorts, 'store' | 'clock'>,
  { id, by, ...draft }: KeepAliveRequest,
): Promise<Question> {
  const questionId = parseQuestionId(id);
  const { principal } = parseWith(Typist, by, 'by');
  const keystroke = { ...draft, principal, at: ports.clock.now() };
  return ports.store.questions.update(questionId, (question) => {
    const next = noteTyping(question, keystroke);
    return { next, result: next };
  });
}
