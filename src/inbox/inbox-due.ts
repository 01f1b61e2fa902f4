import type { BasePorts } from '../hub/ports.js';
import { isExpired } from '../protocol/question.js';
import { issuesLeft } from './supersede.js';

/**
 * Whether a sweep of the inbox may find anything to do. For commands, which mostly find nothing: it lists what
 * is open or unsettled and does not read the settings.
 */
export async function isInboxDue({ store, clock }: Pick<BasePorts, 'store' | 'clock'>): Promise<boolean> {
  const [open, unsettled, verdicts] = await Promise.all([
    store.questions.summaries({ status: 'open' }),
    store.questions.list({ unsettled: true }),
    store.assumptions.list({ unsettled: true }),
  ]);
  const now = clock.now();
  const isQuestionDue =
    unsettled.items.length + verdicts.items.length > 0 ||
    open.items.some(
      (question) => isExpired(question, now) || question.blocksTask === true || question.kind === 'pm_clarification',
    ) ||
    (await issuesLeft(store, open.items)).size > 0;
  if (isQuestionDue) return true;
  // The last look: damage to this file holds up no question.
  const { sessions } = await store.orchestrator.read();
  return Object.values(sessions).some(({ clarification_pending }) => clarification_pending);
}
