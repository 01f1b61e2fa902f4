import type { ClarificationRecord } from '../protocol/clarification.js';
import { againOrigin, isOfRun, isOfTarget, parseOrigin } from '../protocol/origin.js';
import { isFinished } from '../protocol/run.js';
import { requireQuestion } from './change-question.js';
import type { HubPorts } from './ports.js';

/**
 * The clarifications to be routed now that a question has ended: those whose targets, or the targets of what they asked
 * in their turn, wait for its answer or for a human's decision about an escalation, and the one in which a human has an
 * escalated question asked again. Only the outermost ones: routing includes those below. What a run asked is left to
 * the run. If the caller does not get to it, the sweep asks the targets when they are stale.
 */
export async function whoWaitsFor(ports: Pick<HubPorts, 'store'>, questionId: string): Promise<readonly string[]> {
  const question = await requireQuestion(ports, questionId);
  const { status, issueNumber, origin, attached = [], kind, sourceId } = question;
  const origins = [origin, ...attached.map((other) => other.origin)].filter((one) => parseOrigin(one).by === 'target');
  if (status === 'open' || (origins.length === 0 && kind !== 'escalation')) return [];
  const { clarifications } = await ports.store.ledgers.read(issueNumber);
  const run = await ports.store.runs.read(issueNumber);
  const isForRun = (record: ClarificationRecord) =>
    run !== undefined && !isFinished(run) && isOfRun(record.origin, run.id);
  const escalated = kind === 'escalation' ? clarifications.find(({ id }) => id === sourceId) : undefined;
  const again = escalated === undefined ? undefined : againOrigin(escalated);
  const asking = origins.flatMap((one) => clarifications.find(({ id }) => isOfTarget(one, id)) ?? []);
  const decided = escalated === undefined ? [] : [escalated];
  const asked = clarifications.filter((other) => other.origin === again && again !== undefined);
  const waiting = [...asking, ...decided, ...asked]
    .map((record) => outermostOf(clarifications, record))
    .filter((record) => record.status === 'pending' && !isForRun(record));
  return [...new Set(waiting.map(({ id }) => id))];
}

/**
 * Up to the one that was not asked in a reply: an agent that asks from a program of its own is still at work. What is
 * above was asked before, so that an edited file cannot lead in a circle.
 */
function outermostOf(records: readonly ClarificationRecord[], from: ClarificationRecord): ClarificationRecord {
  const before = records.slice(0, records.indexOf(from));
  const above = before.find(({ id }) => id === from.within && isOfTarget(from.origin, id));
  return above === undefined ? from : outermostOf(before, above);
}
