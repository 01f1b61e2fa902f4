import type { ClarificationRecord } from '../protocol/clarification.js';
import { parseClarificationId } from '../protocol/ids.js';
import { changeRecord, leftToTheSweep } from './change-record.js';
import type { OrderPorts, RecordPorts } from './ports.js';
import { precedenceFor } from './precedence.js';
import { waitsShown } from './statuses.js';
import { cycleWith, describeCycle, recordsToEscalate, shortestPath, type WaitCycle, waits } from './wait-graph.js';

/**
 * Breaks every cycle that a record closes and returns the record as it then stands: still waiting, or escalated itself;
 * undefined if it closes none. Called when the statuses show the record: of two records that close a cycle at the same
 * time, the second to be shown sees both. The statuses say whether there can be a cycle, the ledgers what it is.
 */
export async function breakCycles(
  ports: RecordPorts & OrderPorts,
  record: ClarificationRecord,
): Promise<ClarificationRecord | undefined> {
  return leftToTheSweep(ports, record, 'deadlock', async () => {
    if (!waits(record)) return undefined;
    const shownWaits = waitsShown(await ports.store.statuses.read());
    if (shortestPath(shownWaits, record.to, record.from) === undefined) return undefined;
    const { items, damaged } = await ports.store.ledgers.list({ active: true });
    for (const error of damaged)
      ports.log.warn('a damaged ledger is left out of the wait-for graph', { error: error.message });
    let waitingRecords = items.map((active) => active.record);
    let cycle = cycleWith(waitingRecords, record);
    if (cycle === undefined) return undefined;
    while (cycle !== undefined) {
      const brokenRecords = await breakCycle(ports, cycle);
      const ownRecord = brokenRecords.find(({ id }) => id === record.id);
      if (ownRecord !== undefined) return ownRecord;
      waitingRecords = waitingRecords.filter(({ id }) => !brokenRecords.some((other) => other.id === id));
      cycle = cycleWith(waitingRecords, record);
    }
    return record;
  });
}

async function breakCycle(ports: RecordPorts & OrderPorts, cycle: WaitCycle): Promise<readonly ClarificationRecord[]> {
  const issueNumbers = cycle.records.map(({ id }) => parseClarificationId(id).issueNumber);
  const records = recordsToEscalate(cycle, await precedenceFor(ports, issueNumbers));
  const reason = describeCycle(cycle);
  const brokenRecords: ClarificationRecord[] = [];
  // One after the other, so that people see them in the order in which they were asked.
  for (const { id } of records) {
    const { record } = await changeRecord(ports, id, (current) =>
      waits(current) ? { type: 'escalate', at: ports.clock.now(), reason } : undefined,
    );
    brokenRecords.push(record);
  }
  return brokenRecords;
}
