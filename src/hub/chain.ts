import type { ClarificationRecord } from '../protocol/clarification.js';
import { parseClarificationId } from '../protocol/ids.js';
import type { HubPorts } from './ports.js';

/** Every agent that waits for the answer to a record, outermost first: the last is its requester. */
export async function chainOf(
  { store }: Pick<HubPorts, 'store'>,
  record: ClarificationRecord,
): Promise<readonly string[]> {
  if (record.within === undefined) return [record.from];
  const { clarifications } = await store.ledgers.read(parseClarificationId(record.id).issueNumber);
  return chainIn(clarifications, record);
}

/** The same for callers that have the ledger. */
export function chainIn(
  clarifications: readonly ClarificationRecord[],
  record: ClarificationRecord,
): readonly string[] {
  const chain = [record.from];
  if (record.within === undefined) return chain;
  const above = new Map(clarifications.map((other) => [other.id, other]));
  for (let next = above.get(record.within); next !== undefined; next = above.get(next.within ?? '')) {
    above.delete(next.id); // A file that was edited may contain a cycle.
    chain.unshift(next.from);
  }
  return chain;
}
