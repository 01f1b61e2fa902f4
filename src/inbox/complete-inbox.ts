import type { HubPorts } from '../hub/ports.js';
import type { Question } from '../protocol/question.js';
import { noteSettled } from '../protocol/question-notes.js';
import { blockTask } from './block-task.js';
import { carryOut } from './carry-out.js';
import { applyDueFallbacks } from './fallback.js';
import { independently } from './independently.js';
import { completeSession, releaseLostClaims } from './session.js';

/**
 * Takes due fallbacks and makes up for what a crash left undone: tasks that a question blocks or no longer does, planning
 * requests that are not logged, assumptions, late answers. With nothing undone it writes nothing; called twice, or by two
 * processes, it completes each thing once. Gives back the questions whose fallback it took.
 */
export async function completeInbox(ports: HubPorts): Promise<readonly Question[]> {
  const applied = await applyDueFallbacks(ports);
  const { items: open } = await ports.store.questions.listPending();
  for (const pending of open.filter(({ blocksTask, kind }) => blocksTask === true || kind === 'pm_clarification')) {
    await independently(ports, pending, async () => {
      const question = await ports.store.questions.read(pending.id);
      if (question === undefined) return;
      if (question.status === 'open' && question.blocksTask === true) await blockTask(ports, question);
      await completeSession(ports, question);
    });
  }
  const { items: unsettled } = await ports.store.questions.listUnsettled();
  for (const question of unsettled) await independently(ports, question, () => settle(ports, question));
  await releaseLostClaims(ports);
  return applied;
}

async function settle(ports: HubPorts, question: Question): Promise<void> {
  const { left } = await carryOut(ports, question);
  if (left.length > 0) return;
  await ports.store.questions.update(question.id, (current) => ({
    // Something may have followed meanwhile, such as a late answer.
    next: current.revision === question.revision && current.unsettled === true ? noteSettled(current) : current,
    result: undefined,
  }));
}
