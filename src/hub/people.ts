import type { ClarificationEvent } from '../protocol/clarification-transition.js';
import type { HubPorts } from './ports.js';

/*
 * A target that is a person is asked through the inbox and by nothing else. The escalation that does this is written
 * together with the question, so that no process can die between the two.
 */

/** What follows at once from asking this target; CONFIG_ERROR if nobody can be asked. */
export function handingOver({ runnerFor, clock }: HubPorts, target: string): readonly ClarificationEvent[] {
  if (runnerFor(target).isHuman !== true) return [];
  const reason = `${target} is a person, who answers through the inbox`;
  return [{ type: 'escalate', at: clock.now(), reason, targetIsHuman: true }];
}
