import { isUnchanged } from '../memory/artifact-sections.js';
import { type Decided, decidedBy, decidedPart } from '../memory/decided.js';
import type { AskedQuestion } from '../memory/similar-question.js';
import type { FoundObservations } from '../ports/observations.js';
import { AgentXError, messageOf } from '../protocol/errors.js';
import { parseClarificationId } from '../protocol/ids.js';
import { toEpochMs } from '../protocol/timestamp.js';
import type { BasePorts, BriefPorts, DecisionPorts } from './ports.js';

/*
 * What was decided about a question, if it was asked before. The search only finds candidates; what counts is the ledger,
 * or the question that a human answered. Hints decide nothing. An answer that a requester has rejected since is found as
 * such: what was decided before it is not the answer again.
 */

const CANDIDATES = 10;

/** A question that was decided, with its answer. */
export interface EarlierDecision {
  /** Of the clarification or the question. */
  readonly id: string;
  /** The part of a question. */
  readonly part?: string | undefined;
  readonly observationId: string;
  readonly issueNumber: number;
  readonly topic: string;
  readonly to?: string;
  readonly decided: Decided;
  /** A requester was not content with it. */
  readonly isRejected: boolean;
  /** How well it fits, above 0 and at most 1. */
  readonly likeness: number;
  /** Its answer may be given without asking. */
  readonly isSame: boolean;
}

/** A decision that is near in words, best first. */
export type NearDecision = FoundObservations['items'][number];

/** Where every look into the memory begins. Nothing that goes wrong with it keeps a question from being asked. */
export async function decisionsNear(
  { store, log, remembers }: DecisionPorts,
  { topic, question }: Pick<AskedQuestion, 'topic' | 'question'>,
): Promise<readonly NearDecision[]> {
  if (remembers !== true) return [];
  try {
    const query = `${topic} ${question}`;
    return (await store.observations.find({ query, isDecided: true, limit: CANDIDATES })).items;
  } catch (error) {
    log.warn(`Memory was not asked: ${messageOf(error)}`, { topic });
    return [];
  }
}

/** Those of them that ask the same, the latest first. A damaged record takes only itself away. */
export async function decidedLike(
  ports: Pick<BasePorts, 'store' | 'log'>,
  askedQuestion: AskedQuestion,
  near: readonly NearDecision[],
): Promise<readonly EarlierDecision[]> {
  if (near.length === 0) return [];
  // Loaded only where there is something to compare with: its tables take time to make.
  const { CONFIDENT, sameQuestion } = await import('../memory/similar-question.js');
  const decisions: EarlierDecision[] = [];
  for (const { id } of near) {
    const decision = await readable(ports, id);
    if (decision === undefined) continue;
    const { issueNumber, topic, decided } = decision;
    const likeness = sameQuestion(askedQuestion, {
      issueNumber,
      topic,
      question: decided.question,
      answer: decided.answer,
    });
    if (likeness > 0) decisions.push({ ...decision, likeness, isSame: likeness >= CONFIDENT });
  }
  return decisions.toSorted((left, right) => toEpochMs(right.decided.at) - toEpochMs(left.decided.at));
}

/** Whether the sections of artifacts that an answer rests on are what they were, where the issue is worked on. */
export async function stillHolds(
  { artifacts }: Pick<BriefPorts, 'artifacts'>,
  issueNumber: number,
  { restsOn }: Decided,
): Promise<boolean> {
  if (restsOn.length === 0) return true;
  return isUnchanged(restsOn, await artifacts.read([...new Set(restsOn.map(({ path }) => path))], issueNumber));
}

type RecordedDecision = Omit<EarlierDecision, 'likeness' | 'isSame'>;

async function readable(ports: Pick<BasePorts, 'store' | 'log'>, id: string): Promise<RecordedDecision | undefined> {
  try {
    return await decisionBehind(ports, id);
  } catch (error) {
    if (!(error instanceof AgentXError)) throw error;
    ports.log.warn(`Memory skipped ${id}: ${messageOf(error)}`, { observationId: id });
    return undefined;
  }
}

/** What its record says now. */
async function decisionBehind(
  { store }: Pick<BasePorts, 'store'>,
  observationId: string,
): Promise<RecordedDecision | undefined> {
  const { source, rejectedBy, issueNumber } = (await store.observations.getById(observationId)) ?? {};
  if (source === undefined || issueNumber === undefined) return undefined;
  const { id, kind, part } = source;
  const reference = { id, observationId, issueNumber, isRejected: rejectedBy !== undefined };
  if (kind === 'question') {
    const question = await store.questions.read(id);
    const decided = question === undefined ? undefined : decidedPart(question, String(part));
    return decided === undefined ? undefined : { ...reference, part, topic: '', decided };
  }
  if (kind !== 'clarification') return undefined;
  const { clarifications } = await store.ledgers.read(parseClarificationId(id).issueNumber);
  const record = clarifications.find((one) => one.id === id);
  const decided = record === undefined ? undefined : decidedBy(record);
  return record === undefined || decided === undefined
    ? undefined
    : { ...reference, topic: record.topic, to: record.to, decided };
}
