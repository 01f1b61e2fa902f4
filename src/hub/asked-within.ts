import { noteHeard, noteWaiting } from '../protocol/clarification.js';
import { parseClarificationId } from '../protocol/ids.js';
import { note } from './awaited.js';
import { chainOf } from './chain.js';
import type { HubPorts } from './ports.js';

/** Every agent that waits for an agent which asks while it answers `within`; undefined if it was not asked that. */
export async function chainWithin(
  ports: HubPorts,
  { within, agent }: { readonly within: string; readonly agent: string },
): Promise<readonly string[] | undefined> {
  const { clarifications } = await ports.store.ledgers.read(parseClarificationId(within).issueNumber);
  const record = clarifications.find(({ id, to }) => id === within && to === agent);
  return record === undefined ? undefined : [...(await chainOf(ports, record)), agent];
}

/** Its target cannot answer before the human does: the answer to this question leads back to it. */
export async function noteAskedWithin(ports: HubPorts, within: string, questionId: string): Promise<void> {
  await note(ports, within, (record) => noteWaiting(record, 'questions', [questionId]));
}

/** Whether the agent that asked has, in this turn, the answer: otherwise its run gives it another turn. */
export async function noteWhetherHeard(
  ports: Pick<HubPorts, 'store'>,
  id: string,
  heard: { readonly turn: string; readonly isHeard: boolean },
): Promise<void> {
  await note(ports, id, (record) => noteHeard(record, heard));
}
