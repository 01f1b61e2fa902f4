import type { HubPorts } from '../hub/ports.js';
import { parseAssumptionId } from '../protocol/ids.js';
import { byCreation, type Question } from '../protocol/question.js';
import { settleQuestion } from './settle-question.js';

/*
 * Late answers and a rejection may contradict the same assumption, and each asks: keep or rework. A human is asked once: the
 * newest choice knows what was said last and takes the place of those that still wait.
 */

/** Every choice about the assumption that was ever opened, the newest last. */
export async function choicesOn({ store }: Pick<HubPorts, 'store'>, assumptionId: string): Promise<Question[]> {
  const { items } = await store.questions.listOfIssue(parseAssumptionId(assumptionId).issueNumber);
  return items.filter(({ rework }) => rework?.assumptionId === assumptionId).toSorted(byCreation);
}

/** Whoever calls it, and in whatever order, agrees on the one that is left; called twice, it ends each of the others once. */
export async function leaveOneChoice(ports: HubPorts, assumptionId: string | undefined): Promise<void> {
  if (assumptionId === undefined) return;
  const choices = await choicesOn(ports, assumptionId);
  const newest = choices.findLast(({ status, outcome }) => status === 'open' || outcome === 'answered');
  for (const { id, status } of choices) {
    if (newest === undefined || id === newest.id || status !== 'open') continue;
    const reason = `asked again as ${newest.id}, with what was said since`;
    await settleQuestion(ports, id, (current) =>
      current.status === 'open' ? { type: 'supersede', at: ports.clock.now(), reason } : undefined,
    );
  }
}
