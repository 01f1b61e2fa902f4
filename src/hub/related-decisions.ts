import { clarificationObservation } from '../memory/decided.js';
import type { Brief } from '../protocol/brief.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { messageOf } from '../protocol/errors.js';
import { parseClarificationId } from '../protocol/ids.js';
import type { NearDecision } from './decided-before.js';
import type { BriefPorts } from './ports.js';

/*
 * Memory answers by itself only if it is certain that the question is the same. Otherwise the target judges: its brief
 * holds the decisions that are nearest in words, with their citations. So a question that is asked again in quite other
 * words is answered as before, and no answer is given that its target did not give.
 */

const MOST = 3;
const MAX_TOKENS = 2000;

interface AskedOfTarget {
  readonly record: ClarificationRecord;
  readonly question: string;
  /** The clarifications that the brief tells of anyway. */
  readonly told: readonly ClarificationRecord[];
  readonly near: readonly NearDecision[];
}

/** What was decided before about a question, for the brief of its target. Nothing that goes wrong in here keeps the question from it. */
export async function relatedDecisions(
  { recall, log }: Pick<BriefPorts, 'recall' | 'log'>,
  { record, question, told, near }: AskedOfTarget,
): Promise<Pick<Brief, 'memory'>> {
  if (recall === undefined) return {};
  try {
    const closeDecisions = near.filter(({ score }) => score >= (near[0]?.score ?? 0) / 2);
    const { issueNumber } = parseClarificationId(record.id);
    const mayBeTold = closeDecisions.some((one) => one.issueNumber === issueNumber);
    const toldIds = new Set(mayBeTold ? told.map((one) => clarificationObservation(one)?.id) : []);
    const among = closeDecisions.filter(({ id }) => !toldIds.has(id)).slice(0, MOST);
    if (among.length === 0) return {};
    const query = `${record.topic} ${question}`;
    const memory = await recall.recall({ agent: record.to, issueNumber, query, among, maxTokens: MAX_TOKENS });
    return memory === '' ? {} : { memory };
  } catch (error) {
    log.warn(`Memory was not asked: ${messageOf(error)}`, { clarificationId: record.id });
    return {};
  }
}
