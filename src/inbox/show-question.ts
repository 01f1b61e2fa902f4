import type { HubPorts } from '../hub/ports.js';
import type { Listing } from '../ports/store.js';
import { AgentXError } from '../protocol/errors.js';
import { parseQuestionId } from '../protocol/ids.js';
import type { Question } from '../protocol/question.js';

type Reading = Pick<HubPorts, 'store'>;

/** What waits for a human, oldest first. */
export async function listOpen({ store }: Reading): Promise<Listing<Question>> {
  return store.questions.list({ status: 'open' });
}

export async function showQuestion({ store }: Reading, id: string): Promise<Question> {
  const question = await store.questions.read(parseQuestionId(id));
  if (question !== undefined) return question;
  throw new AgentXError('NOT_FOUND', `There is no question ${id}.`, { questionId: id });
}
