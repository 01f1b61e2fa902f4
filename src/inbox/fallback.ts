import type { HubPorts } from '../hub/ports.js';
import { isExpired, type Question } from '../protocol/question.js';
import { independently } from './each-by-itself.js';
import { settleQuestion } from './settle.js';

/**
 * Takes the declared fallback of every question whose time is over. Any number of processes may look at once: each
 * question is decided inside its own update, and the one that decided it is told so here.
 */
export async function applyDueFallbacks(ports: HubPorts, now = ports.clock.now()): Promise<readonly Question[]> {
  const { items } = await ports.store.questions.summaries({ status: 'open' });
  const applied: Question[] = [];
  for (const { id } of items.filter((question) => isExpired(question, now))) {
    await independently(ports, { id }, async () => {
      let isOurs = false;
      const { question } = await settleQuestion(ports, id, (current) => {
        isOurs = isExpired(current, now);
        return isOurs ? { type: 'expire', at: now } : undefined;
      });
      if (!isOurs) return;
      ports.log.info('fallback applied', { questionId: id, issueNumber: question.issueNumber });
      applied.push(question);
    });
  }
  return applied;
}
