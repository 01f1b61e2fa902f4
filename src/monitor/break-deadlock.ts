import { changeRecord } from '../hub/change-record.js';
import type { OrderPorts, RecordPorts } from '../hub/ports.js';
import { precedenceFor } from '../hub/precedence.js';
import { describeCycle, recordsToEscalate, type WaitCycle, waits } from '../hub/wait-graph.js';
import type { ListedClarification } from '../ports/store.js';
import { parseClarificationId } from '../protocol/ids.js';
import { findDeadlocks } from './deadlock.js';

/** What was done about a deadlock: the ids that a human decides now, and those that still wait for their answers. */
export interface BrokenDeadlock {
  readonly escalated: readonly string[];
  readonly continued: readonly string[];
}

/** One cycle at a time, because breaking one often breaks others that share a record with it. */
export async function breakDeadlocks(
  ports: RecordPorts & OrderPorts,
  active: readonly ListedClarification[],
): Promise<readonly BrokenDeadlock[]> {
  const deadlocks: BrokenDeadlock[] = [];
  let waitingItems = active;
  for (;;) {
    const [cycle] = findDeadlocks(waitingItems);
    if (cycle === undefined) return deadlocks;
    const deadlock = await breakDeadlock(ports, cycle);
    deadlocks.push(deadlock);
    waitingItems = waitingItems.filter(({ record }) => !deadlock.escalated.includes(record.id));
  }
}

/** Hands the question of the most downstream agent to a human. A record that no longer waits is left alone. */
async function breakDeadlock(ports: RecordPorts & OrderPorts, cycle: WaitCycle): Promise<BrokenDeadlock> {
  const issueNumbers = cycle.records.map(({ id }) => parseClarificationId(id).issueNumber);
  const records = recordsToEscalate(cycle, await precedenceFor(ports, issueNumbers));
  const reason = describeCycle(cycle);
  for (const { id } of records) {
    await changeRecord(ports, id, (current) =>
      waits(current) ? { type: 'escalate', at: ports.clock.now(), reason } : undefined,
    );
  }
  const escalated = records.map(({ id }) => id);
  return { escalated, continued: cycle.records.map(({ id }) => id).filter((id) => !escalated.includes(id)) };
}
