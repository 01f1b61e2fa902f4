import { parseClarificationId } from '../protocol/ids.js';
import { againOrigin } from './ask-again.js';
import { isAwaited } from './ask-humans.js';
import { openEscalationQuestion } from './escalation-question.js';
import type { HubPorts, HubResult } from './ports.js';
import { routeOnce } from './route-once.js';
import { settleEscalation } from './settle-escalation.js';

/**
 * Has answered what a target asked further. Where a human has to decide it, the target waits for the human. What the human
 * has asked again is answered in the record that this was asked again in.
 */
export async function routeBelow(ports: HubPorts, clarificationId: string): Promise<HubResult> {
  const routed = await routeOnce(ports, { clarificationId });
  if (routed.status === 'escalated') {
    const question = await openEscalationQuestion(ports, routed.record);
    if (isAwaited(question)) return { ...routed, waitingOn: [question.id] };
    // Whoever took the human's word may have died before anything followed from it.
    await settleEscalation(ports, question);
  }
  const again = await askedAgain(ports, routed);
  return again === undefined ? routed : routeBelow(ports, again);
}

async function askedAgain({ store }: HubPorts, { record }: HubResult): Promise<string | undefined> {
  if (!record.thread.some(({ type }) => type === 'escalation')) return undefined;
  const { clarifications } = await store.ledgers.read(parseClarificationId(record.id).issueNumber);
  return clarifications.find(({ origin }) => origin === againOrigin(record))?.id;
}
