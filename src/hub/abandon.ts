import { parseClarificationId } from '../protocol/ids.js';
import { questionsOf } from './ask-humans.js';
import { changeRecord, requireRecord } from './change-record.js';
import { supersedeQuestion } from './escalation-question.js';
import { originsOf } from './moot-questions.js';
import { type HubPorts, type HubResult, resultOf } from './ports.js';

export interface AbandonRequest {
  readonly clarificationId: string;
  /** The round that was seen to be left; a later one, if somebody has asked on, is not ended. */
  readonly round?: number;
}

/** Ends a pending clarification that its requester no longer waits for. */
export async function abandon(ports: HubPorts, request: AbandonRequest): Promise<HubResult> {
  const { clarificationId, round } = request;
  await withdrawQuestions(ports, request);
  const { record } = await changeRecord(ports, clarificationId, (current) => {
    const isOver = current.status === 'abandoned' || current.round !== (round ?? current.round);
    return isOver ? undefined : { type: 'abandon', at: ports.clock.now() };
  });
  return resultOf(record);
}

/**
 * What its target asked humans in order to answer is asked no more, unless others wait for the same. Before the record
 * ends: who dies in between leaves it pending, for the next sweep.
 */
async function withdrawQuestions(ports: HubPorts, { clarificationId: id, round }: AbandonRequest): Promise<void> {
  const record = requireRecord(await ports.store.ledgers.read(parseClarificationId(id).issueNumber), id);
  if (record.status !== 'pending' || record.round !== (round ?? record.round)) return;
  for (const question of await questionsOf(ports, record)) {
    if (originsOf(question).every((origin) => origin.startsWith(`${id}/`))) await supersedeQuestion(ports, question.id);
  }
}
