import type { BasePorts } from '../hub/ports.js';
import { isExpired } from '../protocol/question.js';
import { issuesLeft } from './supersede.js';

/**
 * Whether a sweep of the inbox may find anything to do. For commands, which mostly find nothing: it lists what
 * is open or unsettled and does not read the settings.
 */
export async function isInboxDue({ store, clock }: Pick<BasePorts, 'store' | 'clock'>): Promise<boolean> {
  const [open, unsettled, verdicts, { sessions }] = await Promise.all([
    store.questions.summaries({ status: 'open' }),
    store.questions.list({ unsettled: true }),
    store.assumptions.list({ unsettled: true }),
    store.orchestrator.read(),
  ]);
  const now = clock.now();
  return (
    unsettled.items.length + verdicts.items.length > 0 ||
    open.items.some(
      (question) => isExpired(question, now) || question.blocksTask === true || question.kind === 'pm_clarification',
    ) ||
    Object.values(sessions).some(({ clarification_pending }) => clarification_pending) ||
    (await issuesLeft(store, open.items)).size > 0
  );
}
