import { isUnchanged } from '../memory/artifact-sections.js';
import { type Decided, decidedBy, decidedPart } from '../memory/decided.js';
import { CONFIDENT, sameQuestion } from '../memory/similar-question.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { messageOf } from '../protocol/errors.js';
import { HUMAN, MEMORY, parseClarificationId } from '../protocol/ids.js';
import type { HubPorts, RoutePorts } from './ports.js';

/*
 * The first rung of the ladder: a question that was decided before is answered from memory, and its target is not started.
 * The search only finds candidates; what counts is the ledger. Only an accepted answer of the same target, or of a human,
 * answers; and only while the section of the artifact that it rests on is what it was. Memory never keeps a question
 * from being asked: whatever goes wrong here is logged, and the target is asked.
 */

const CANDIDATES = 10;

interface Remembered {
  readonly answer: string;
  /** The citation. */
  readonly source: string;
}

export async function rememberedAnswer(ports: RoutePorts, asked: ClarificationRecord): Promise<Remembered | undefined> {
  // A follow-up rejects what memory said, or asks beyond it.
  if (ports.remembers !== true || asked.round !== 1 || asked.status !== 'pending') return undefined;
  try {
    const known = await decidedBefore(ports, asked);
    return known === undefined ? undefined : { answer: known.decided.answer, source: citationOf(known) };
  } catch (error) {
    ports.log.warn(`Memory was not asked: ${messageOf(error)}`, { clarificationId: asked.id });
    return undefined;
  }
}

interface Known {
  /** Of the clarification or the question. */
  readonly id: string;
  readonly issueNumber: number;
  readonly topic: string;
  readonly to?: string;
  readonly decided: Decided;
}

/** The latest that fits: it may have replaced earlier ones. */
async function decidedBefore(ports: RoutePorts, asked: ClarificationRecord): Promise<Known | undefined> {
  const question = asked.thread.find(({ type }) => type === 'question')?.body ?? '';
  const query = `${asked.topic} ${question}`;
  const { items } = await ports.store.observations.find({ query, category: 'decision', limit: CANDIDATES });
  const found: Known[] = [];
  for (const { id } of items) {
    const known = await knownBy(ports, id);
    if (known !== undefined && isAnswerTo(asked, question, known)) found.push(known);
  }
  const [latest] = found.toSorted((left, right) => (left.decided.at < right.decided.at ? 1 : -1));
  return latest !== undefined && (await stillHolds(ports, asked, latest.decided)) ? latest : undefined;
}

/** What its record says now; undefined for hints, and for an answer that a requester has rejected since. */
async function knownBy({ store }: HubPorts, observationId: string): Promise<Known | undefined> {
  const { source, rejectedBy, issueNumber } = (await store.observations.getById(observationId)) ?? {};
  if (source === undefined || issueNumber === undefined || rejectedBy !== undefined) return undefined;
  const { id, kind, part } = source;
  if (kind === 'question') {
    const question = await store.questions.read(id);
    const decided = question === undefined ? undefined : decidedPart(question, String(part));
    return decided === undefined ? undefined : { id, issueNumber, topic: '', decided };
  }
  if (kind !== 'clarification') return undefined;
  const { clarifications } = await store.ledgers.read(parseClarificationId(id).issueNumber);
  const record = clarifications.find((one) => one.id === id);
  const decided = record === undefined ? undefined : decidedBy(record);
  return record === undefined || decided === undefined
    ? undefined
    : { id, issueNumber, topic: record.topic, to: record.to, decided };
}

function isAnswerTo(
  asked: ClarificationRecord,
  question: string,
  { id, issueNumber, topic, to, decided }: Known,
): boolean {
  if (id === asked.id || (decided.by !== HUMAN && to !== asked.to)) return false;
  const now = { issueNumber: parseClarificationId(asked.id).issueNumber, topic: asked.topic, question };
  return sameQuestion(now, { issueNumber, topic, question: decided.question }) >= CONFIDENT;
}

async function stillHolds(
  { artifacts }: RoutePorts,
  asked: ClarificationRecord,
  { restsOn }: Decided,
): Promise<boolean> {
  if (restsOn.length === 0) return true;
  const paths = [...new Set(restsOn.map(({ path }) => path))];
  return isUnchanged(restsOn, await artifacts.read(paths, parseClarificationId(asked.id).issueNumber));
}

function citationOf({ id, decided: { by, at } }: Known): string {
  return `${id} (${by}, ${at.slice(0, 10)})`;
}

/** The requester was not content with what memory said: it is not said again. */
export async function rejectRemembered(ports: HubPorts, record: ClarificationRecord): Promise<void> {
  const said = record.thread.find(({ type, from }) => type === 'answer' && from === MEMORY);
  const cited = said?.source?.split(' ')[0];
  if (ports.remembers !== true || cited === undefined || record.round === said?.round) return;
  try {
    const issueNumber = cited.startsWith('CLR-')
      ? parseClarificationId(cited).issueNumber
      : (await ports.store.questions.read(cited))?.issueNumber;
    if (issueNumber === undefined) return;
    await ports.store.observations.update(issueNumber, (file) => {
      const isCited = ({ source }: (typeof file.observations)[number]) => source?.id === cited;
      const observations = file.observations.map((one) => (isCited(one) ? { ...one, rejectedBy: record.id } : one));
      return { next: { ...file, observations }, result: undefined };
    });
  } catch (error) {
    ports.log.warn(`Memory goes on with a rejected answer: ${messageOf(error)}`, { clarificationId: record.id });
  }
}
