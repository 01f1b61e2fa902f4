import type { ClarificationRecord } from '../protocol/clarification.js';
import { againOrigin, isOfRun, isOfTarget, parseOrigin } from '../protocol/origin.js';
import { isFinished } from '../protocol/run.js';
import { requireQuestion } from './change-question.js';
import type { BasePorts } from './ports.js';

/**
 * The clarifications to be routed now that a question has ended: those whose targets, or the targets of what they asked
 * in their turn, wait for its answer or for a human's decision about an escalation, and the one in which a human has an
 * escalated question asked again. Only the outermost ones: routing includes those below. What a run asked is left to
 * the run. If the caller does not get to it, the sweep asks the targets when they are stale.
 */
export async function whoWaitsFor(ports: Pick<BasePorts, 'store'>, questionId: string): Promise<readonly string[]> {
  const question = await requireQuestion(ports, questionId);
  const { status, issueNumber, origin, attached = [], kind, sourceId } = question;
  const origins = [origin, ...attached.map((other) => other.origin)].filter((one) => parseOrigin(one).by === 'target');
  if (status === 'open' || (origins.length === 0 && kind !== 'escalation')) return [];
  const { clarifications } = await ports.store.ledgers.read(issueNumber);
  const run = await ports.store.runs.read(issueNumber);
  const isForRun = (record: ClarificationRecord) =>
    run !== undefined && !isFinished(run) && isOfRun(record.origin, run.id);
  const escalatedRecord = kind === 'escalation' ? clarifications.find(({ id }) => id === sourceId) : undefined;
  const repetitionOrigin = escalatedRecord === undefined ? undefined : againOrigin(escalatedRecord);
  const askingRecords = origins.flatMap((one) => clarifications.find(({ id }) => isOfTarget(one, id)) ?? []);
  const decidedRecords = escalatedRecord === undefined ? [] : [escalatedRecord];
  const repetitions = clarifications.filter(
    (other) => other.origin === repetitionOrigin && repetitionOrigin !== undefined,
  );
  const waitingRecords = [...askingRecords, ...decidedRecords, ...repetitions]
    .map((record) => outermostOf(clarifications, record))
    .filter((record) => record.status === 'pending' && !isForRun(record));
  return [...new Set(waitingRecords.map(({ id }) => id))];
}

/**
 * Up to the one that was not asked in a reply: an agent that asks from a program of its own is still at work. What is
 * above was asked before, so that an edited file cannot lead in a circle.
 */
function outermostOf(records: readonly ClarificationRecord[], from: ClarificationRecord): ClarificationRecord {
  const before = records.slice(0, records.indexOf(from));
  const recordAbove = before.find(({ id }) => id === from.within && isOfTarget(from.origin, id));
  return recordAbove === undefined ? from : outermostOf(before, recordAbove);
}
