import type { BasePorts } from '../hub/ports.js';
import { messageOf } from '../protocol/errors.js';
import { isExpired, type Question } from '../protocol/question.js';
import type { SettlePorts } from './ports.js';
import { settleQuestion } from './settle.js';

/**
 * Applies the declared fallback of every question whose time is over. Any number of processes may try at once: each
 * question is decided inside its own update, and only the process that decided it returns it.
 */
export async function applyDueFallbacks(ports: SettlePorts, now = ports.clock.now()): Promise<readonly Question[]> {
  const { items } = await ports.store.questions.summaries({ status: 'open' });
  const expiredQuestions: Question[] = [];
  for (const { id } of items.filter((question) => isExpired(question, now))) {
    await independently(ports, { id }, async () => {
      let isOurs = false;
      const { question } = await settleQuestion(ports, id, (current) => {
        isOurs = isExpired(current, now);
        return isOurs ? { type: 'expire', at: now } : undefined;
      });
      if (!isOurs) return;
      ports.log.info('fallback applied', { questionId: id, issueNumber: question.issueNumber });
      expiredQuestions.push(question);
    });
  }
  return expiredQuestions;
}

/** One question that cannot be completed, for example because of a damaged ledger, does not stop the others. */
export async function independently(
  { log }: Pick<BasePorts, 'log'>,
  { id }: Pick<Question, 'id'>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.warn('what follows from a question could not be completed', { questionId: id, error: messageOf(error) });
  }
}
