import { changeQuestion } from '../hub/change-question.js';
import type { HubPorts } from '../hub/ports.js';
import { isExpired, type Question } from '../protocol/question.js';
import { carryOut } from './carry-out.js';
import { independently } from './each-by-itself.js';

/**
 * Takes the declared fallback of every question whose time is over. Any number of processes may look at once: each
 * question is decided inside its own update, and the one that decided it is told so here and carries out what follows.
 */
export async function applyDueFallbacks(ports: HubPorts, now = ports.clock.now()): Promise<readonly Question[]> {
  const { items } = await ports.store.questions.listPending();
  const applied: Question[] = [];
  for (const { id } of items.filter((question) => isExpired(question, now))) {
    await independently(ports, { id }, async () => {
      const { question, isChanged } = await changeQuestion(ports, id, (current) =>
        isExpired(current, now) ? { type: 'expire', at: now } : undefined,
      );
      if (!isChanged) return;
      ports.log.info('fallback applied', { questionId: id, issueNumber: question.issueNumber });
      applied.push(question);
      await carryOut(ports, question);
    });
  }
  return applied;
}
