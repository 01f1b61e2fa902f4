import type { HubPorts } from '../hub/ports.js';
import { parseQuestionId } from '../protocol/ids.js';
import type { AnsweredBy, Question } from '../protocol/question.js';
import { type Keystroke, noteTyping } from '../protocol/question-notes.js';

export interface KeepAliveRequest extends Pick<Keystroke, 'responses' | 'version' | 'replaces'> {
  readonly id: string;
  readonly by: Pick<AnsweredBy, 'principal'>;
}

/** Somebody is typing: the clock stands still, for a quarter of an hour at most, and the draft is kept. */
export async function keepAlive(ports: HubPorts, { id, by, ...draft }: KeepAliveRequest): Promise<Question> {
  const keystroke = { ...draft, principal: by.principal, at: ports.clock.now() };
  return ports.store.questions.update(parseQuestionId(id), (question) => {
    const next = noteTyping(question, keystroke);
    return { next, result: next };
  });
}
