import {
  type ClarificationEvent,
  type ClarificationRequest,
  openClarification,
} from '../protocol/clarification-transition.js';
import { type Change, transitions } from './change-record.js';
import type { AskPorts } from './ports.js';

/*
 * A target that is a person is asked through the inbox and in no other way. The escalation that does this is written
 * together with the question, so that no process can die between the two.
 */

/** What follows at once from asking this target; CONFIG_ERROR if it cannot be asked. */
export function handingOver(
  { runnerFor, clock }: Pick<AskPorts, 'clock' | 'runnerFor'>,
  target: string,
): readonly ClarificationEvent[] {
  if (runnerFor(target).isHuman !== true) return [];
  const reason = `${target} is a person, who answers through the inbox`;
  return [{ type: 'escalate', at: clock.now(), reason, targetIsHuman: true }];
}

/** A new record, and what follows at once from asking its target, at the same time: the lock may have been waited for. */
export function openHanded(request: ClarificationRequest, handover: readonly ClarificationEvent[]): Change {
  const { record: newRecord, effects: requestEffects } = openClarification(request);
  const { record, effects } = transitions(
    newRecord,
    handover.map((event) => ({ ...event, at: request.at })),
  );
  return { record, effects: [...requestEffects, ...effects] };
}
