import type { ClarificationRecord } from '../protocol/clarification.js';
import { parseClarificationId } from '../protocol/ids.js';
import { changeRecord, leftToTheSweep } from './change-record.js';
import type { ChangePorts } from './ports.js';
import { precedenceFor } from './precedence.js';
import { waitsShown } from './statuses.js';
import { cycleWith, describeCycle, hasWay, recordsToEscalate, type WaitCycle, waits } from './wait-graph.js';

/**
 * Breaks every cycle that a record closes and returns the record as it then stands: still waiting, or escalated itself;
 * undefined if it closes none. Called when the statuses show the record: of two records that close a cycle at the same
 * time, the second to be shown sees both. The statuses say whether there can be a cycle, the ledgers what it is.
 */
export async function breakCycles(
  ports: ChangePorts,
  record: ClarificationRecord,
): Promise<ClarificationRecord | undefined> {
  return leftToTheSweep(ports, record, 'deadlock', () => breakEachCycle(ports, record));
}

async function breakEachCycle(
  ports: ChangePorts,
  record: ClarificationRecord,
): Promise<ClarificationRecord | undefined> {
  if (!waits(record) || !hasWay(waitsShown(await ports.store.statuses.read()), record.to, record.from))
    return undefined;
  const { items, damaged } = await ports.store.ledgers.list({ active: true });
  for (const error of damaged)
    ports.log.warn('a damaged ledger is left out of the wait-for graph', { error: error.message });
  let waiting = items.map((active) => active.record);
  let cycle = cycleWith(waiting, record);
  if (cycle === undefined) return undefined;
  while (cycle !== undefined) {
    const broken = await breakCycle(ports, cycle);
    const own = broken.find(({ id }) => id === record.id);
    if (own !== undefined) return own;
    waiting = waiting.filter(({ id }) => !broken.some((other) => other.id === id));
    cycle = cycleWith(waiting, record);
  }
  return record;
}

async function breakCycle(ports: ChangePorts, cycle: WaitCycle): Promise<readonly ClarificationRecord[]> {
  const issueNumbers = cycle.records.map(({ id }) => parseClarificationId(id).issueNumber);
  const escalated = recordsToEscalate(cycle, await precedenceFor(ports, issueNumbers));
  const reason = describeCycle(cycle);
  const broken: ClarificationRecord[] = [];
  // One after the other, so that people see them in the order in which they were asked.
  for (const { id } of escalated) {
    const { record } = await changeRecord(ports, id, (current) =>
      waits(current) ? { type: 'escalate', at: ports.clock.now(), reason } : undefined,
    );
    broken.push(record);
  }
  return broken;
}
