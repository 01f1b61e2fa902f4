import { clarificationObservation } from '../memory/decided.js';
import type { Brief } from '../protocol/brief.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { messageOf } from '../protocol/errors.js';
import { parseClarificationId } from '../protocol/ids.js';
import type { RoutePorts } from './ports.js';

/*
 * Memory answers by itself only if it is certain that the question is the same. Otherwise the target judges: its brief
 * holds the decisions that are nearest in words, with their citations. So a question that is asked again in quite other
 * words is answered as before, and no answer is given that its target did not give.
 */

const CANDIDATES = 10;
const MOST = 3;
const MAX_TOKENS = 2000;

interface AskedOfTarget {
  readonly record: ClarificationRecord;
  readonly question: string;
  /** The clarifications that the brief tells of anyway. */
  readonly told: readonly ClarificationRecord[];
}

/** What was decided before about a question, for the brief of its target. Nothing that goes wrong in here keeps the question from it. */
export async function relatedDecisions(
  { store, recall, remembers, log }: Pick<RoutePorts, 'store' | 'recall' | 'remembers' | 'log'>,
  { record, question, told }: AskedOfTarget,
): Promise<Pick<Brief, 'memory'>> {
  if (remembers !== true || recall === undefined) return {};
  try {
    const query = `${record.topic} ${question}`;
    const { items } = await store.observations.find({ query, isDecided: true, limit: CANDIDATES });
    const close = items.filter(({ score }) => score >= (items[0]?.score ?? 0) / 2);
    if (close.length === 0) return {};
    const { issueNumber } = parseClarificationId(record.id);
    const mayBeTold = close.some((one) => one.issueNumber === issueNumber);
    const toldIds = new Set(mayBeTold ? told.map((one) => clarificationObservation(one)?.id) : []);
    const among = close.filter(({ id }) => !toldIds.has(id)).slice(0, MOST);
    if (among.length === 0) return {};
    const memory = await recall.recall({ agent: record.to, issueNumber, query, among, maxTokens: MAX_TOKENS });
    return memory === '' ? {} : { memory };
  } catch (error) {
    log.warn(`Memory was not asked: ${messageOf(error)}`, { clarificationId: record.id });
    return {};
  }
}
