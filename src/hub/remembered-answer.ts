import type { ClarificationRecord } from '../protocol/clarification.js';
import { messageOf } from '../protocol/errors.js';
import { HUMAN, MEMORY, parseClarificationId } from '../protocol/ids.js';
import type { Observation } from '../protocol/observation.js';
import { decidedLike, type EarlierDecision, type NearDecision, stillHolds } from './decided-before.js';
import type { BriefPorts, DecisionPorts } from './ports.js';

/*
 * The first rung of the ladder: a question that was decided before is answered from memory, and its target is not started.
 * The search only finds candidates; what counts is the ledger. Only an accepted answer of the same target, or of a human,
 * answers; and only while the section of the artifact that it rests on is what it was. Memory never keeps a question
 * from being asked: whatever goes wrong here is logged, and the target is asked.
 */

interface Remembered {
  readonly answer: string;
  /** The citation. */
  readonly source: string;
}

export async function rememberedAnswer(
  ports: Pick<BriefPorts, 'store' | 'log' | 'artifacts'>,
  askedRecord: ClarificationRecord,
  near: readonly NearDecision[],
): Promise<Remembered | undefined> {
  // A follow-up rejects what memory said, or asks beyond it.
  if (askedRecord.round !== 1 || askedRecord.status !== 'pending') return undefined;
  try {
    const decision = await decidedBefore(ports, askedRecord, near);
    return decision === undefined ? undefined : { answer: decision.decided.answer, source: citationOf(decision) };
  } catch (error) {
    ports.log.warn(`Memory was not asked: ${messageOf(error)}`, { clarificationId: askedRecord.id });
    return undefined;
  }
}

/** The latest that fits: it may have replaced earlier ones. */
async function decidedBefore(
  ports: Pick<BriefPorts, 'store' | 'log' | 'artifacts'>,
  askedRecord: ClarificationRecord,
  near: readonly NearDecision[],
): Promise<EarlierDecision | undefined> {
  const question = askedRecord.thread.find(({ type }) => type === 'question')?.body ?? '';
  const { issueNumber } = parseClarificationId(askedRecord.id);
  const decisions = await decidedLike(ports, { issueNumber, topic: askedRecord.topic, question }, near);
  const latest = decisions.find(
    ({ id, to, decided, isSame }) => isSame && id !== askedRecord.id && (decided.by === HUMAN || to === askedRecord.to),
  );
  if (latest === undefined || latest.isRejected) return undefined;
  return (await stillHolds(ports, issueNumber, latest.decided)) ? latest : undefined;
}

function citationOf({ id, decided: { by, at } }: EarlierDecision): string {
  return `${id} (${by}, ${at.slice(0, 10)})`;
}

/** The requester was not content with what memory said: it is not said again. */
export async function rejectRemembered(ports: DecisionPorts, record: ClarificationRecord): Promise<void> {
  const answer = record.thread.find(({ type, from }) => type === 'answer' && from === MEMORY);
  const citedId = answer?.source?.split(' ')[0];
  if (ports.remembers !== true || citedId === undefined) return;
  try {
    const issueNumber = citedId.startsWith('CLR-')
      ? parseClarificationId(citedId).issueNumber
      : (await ports.store.questions.read(citedId))?.issueNumber;
    if (issueNumber === undefined) return;
    await ports.store.observations.update(issueNumber, (file) => {
      const isMeant = ({ source, rejectedBy }: Observation) => source?.id === citedId && rejectedBy === undefined;
      if (!file.observations.some(isMeant)) return { next: file, result: undefined };
      const observations = file.observations.map((one) => (isMeant(one) ? { ...one, rejectedBy: record.id } : one));
      return { next: { ...file, observations }, result: undefined };
    });
  } catch (error) {
    ports.log.warn(`Memory goes on with a rejected answer: ${messageOf(error)}`, { clarificationId: record.id });
  }
}
