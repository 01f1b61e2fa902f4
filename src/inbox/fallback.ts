import type { HubPorts } from '../hub/ports.js';
import { isExpired, type Question, type QuestionResult, transition } from '../protocol/question.js';
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
      const result = await ports.store.questions.update<QuestionResult | undefined>(id, (question) => {
        if (!isExpired(question, now)) return { next: question, result: undefined };
        const expired = transition(question, { type: 'expire', at: now });
        return { next: expired.question, result: expired };
      });
      if (result === undefined) return;
      for (const effect of result.effects) if (effect.type === 'emit') ports.bus.emit(effect.name, effect.payload);
      ports.log.info('fallback applied', { questionId: id, issueNumber: result.question.issueNumber });
      applied.push(result.question);
      await carryOut(ports, result.question);
    });
  }
  return applied;
}
