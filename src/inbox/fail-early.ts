import type { Question } from '../protocol/question.js';
import type { Reply } from '../protocol/reply.js';

/** The parts of a reply that must not be carried out while its own questions are open. */
export interface HeldBack {
  /** Tasks that it would create. */
  readonly issues: boolean;
  /** Documents that it would write. */
  readonly artifacts: boolean;
}

/** Agents that write what others build upon: a document on a guess would be read as a decision. */
const AUTHORS = ['dreamer', 'planner', 'product-manager', 'project-manager'];

/**
 * Fail early (004): no tasks are created and no plan or requirement is written while the question is open. The agent is
 * asked again when it has ended, with the answer in its brief, and then says what still holds.
 */
export function heldBack(agent: string, question: Question | undefined): HeldBack {
  const isHeld = question?.blocking === true && question.status === 'open';
  return { issues: isHeld, artifacts: isHeld && AUTHORS.includes(agent) };
}

/** A task that failed because it is unclear waits for its answer; one that failed otherwise does not. */
export function blocksTask(reply: Reply, source: Question['source']): boolean {
  return source === 'execute' && reply.status === 'failed';
}
