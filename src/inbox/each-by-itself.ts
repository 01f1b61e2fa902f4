import type { HubPorts } from '../hub/ports.js';
import { messageOf } from '../protocol/errors.js';
import type { Question } from '../protocol/question.js';

/** One question that cannot be completed, of a damaged ledger for one, keeps nobody from the others. */
export async function independently(
  ports: HubPorts,
  { id }: Pick<Question, 'id'>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    ports.log.warn('what follows from a question could not be completed', { questionId: id, error: messageOf(error) });
  }
}
