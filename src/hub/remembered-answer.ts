import type { ClarificationRecord } from '../protocol/clarification.js';
import { messageOf } from '../protocol/errors.js';
import { HUMAN, MEMORY, parseClarificationId } from '../protocol/ids.js';
import type { Observation } from '../protocol/observation.js';
import { decidedLike, type EarlierDecision, stillHolds } from './decided-before.js';
import type { HubPorts, RoutePorts } from './ports.js';

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

export async function rememberedAnswer(ports: RoutePorts, asked: ClarificationRecord): Promise<Remembered | undefined> {
  // A follow-up rejects what memory said, or asks beyond it.
  if (ports.remembers !== true || asked.round !== 1 || asked.status !== 'pending') return undefined;
  try {
    const decision = await decidedBefore(ports, asked);
    return decision === undefined ? undefined : { answer: decision.decided.answer, source: citationOf(decision) };
  } catch (error) {
    ports.log.warn(`Memory was not asked: ${messageOf(error)}`, { clarificationId: asked.id });
    return undefined;
  }
}

/** The latest that fits: it may have replaced earlier ones. */
async function decidedBefore(
  ports: Pick<RoutePorts, 'store' | 'log' | 'artifacts'>,
  asked: ClarificationRecord,
): Promise<EarlierDecision | undefined> {
  const question = asked.thread.find(({ type }) => type === 'question')?.body ?? '';
  const { issueNumber } = parseClarificationId(asked.id);
  const decisions = await decidedLike(ports, { issueNumber, topic: asked.topic, question });
  const latest = decisions.find(
    ({ id, to, decided, isSame }) => isSame && id !== asked.id && (decided.by === HUMAN || to === asked.to),
  );
  if (latest === undefined || latest.isRejected) return undefined;
  return (await stillHolds(ports, issueNumber, latest.decided)) ? latest : undefined;
}

function citationOf({ id, decided: { by, at } }: EarlierDecision): string {
  return `${id} (${by}, ${at.slice(0, 10)})`;
}

/** The requester was not content with what memory said: it is not said again. */
export async function rejectRemembered(
  ports: Pick<HubPorts, 'store' | 'log' | 'remembers'>,
  record: ClarificationRecord,
): Promise<void> {
  const answer = record.thread.find(({ type, from }) => type === 'answer' && from === MEMORY);
  const cited = answer?.source?.split(' ')[0];
  if (ports.remembers !== true || cited === undefined) return;
  try {
    const issueNumber = cited.startsWith('CLR-')
      ? parseClarificationId(cited).issueNumber
      : (await ports.store.questions.read(cited))?.issueNumber;
    if (issueNumber === undefined) return;
    await ports.store.observations.update(issueNumber, (file) => {
      const isMeant = ({ source, rejectedBy }: Observation) => source?.id === cited && rejectedBy === undefined;
      if (!file.observations.some(isMeant)) return { next: file, result: undefined };
      const observations = file.observations.map((one) => (isMeant(one) ? { ...one, rejectedBy: record.id } : one));
      return { next: { ...file, observations }, result: undefined };
    });
  } catch (error) {
    ports.log.warn(`Memory goes on with a rejected answer: ${messageOf(error)}`, { clarificationId: record.id });
  }
}
