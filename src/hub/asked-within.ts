import { noteHeard, noteWaiting } from '../protocol/clarification.js';
import { AgentXError } from '../protocol/errors.js';
import { parseClarificationId } from '../protocol/ids.js';
import { noteHeardIn } from '../protocol/question-notes.js';
import { note } from './awaited.js';
import type { BasePorts } from './ports.js';
import { chainIn } from './wait-graph.js';

/** Every agent that waits for an agent which asks while it answers `within`; undefined if it was not asked that. */
export async function chainWithin(
  ports: Pick<BasePorts, 'store'>,
  { within, agent }: { readonly within: string; readonly agent: string },
): Promise<readonly string[] | undefined> {
  const { clarifications } = await ports.store.ledgers.read(parseClarificationId(within).issueNumber);
  const record = clarifications.find(({ id, to }) => id === within && to === agent);
  return record === undefined ? undefined : [...chainIn(clarifications, record), agent];
}

/** Its target cannot answer before the human does: the answer to this question leads back to it. */
export async function noteAskedWithin(
  ports: Pick<BasePorts, 'store'>,
  within: string,
  questionId: string,
): Promise<void> {
  await note(ports, within, (record) => noteWaiting(record, 'questions', [questionId]));
}

export interface HeardAnswer {
  /** Of the clarification or the question. */
  readonly id: string;
  readonly turn: string;
  readonly isHeard: boolean;
}

/** Notes whether the agent that asked has, in this turn, the answer: otherwise its run gives it another turn. */
export async function noteWhetherHeard(
  ports: Pick<BasePorts, 'store'>,
  { id, turn, isHeard }: HeardAnswer,
): Promise<void> {
  if (typeof id !== 'string' || typeof turn !== 'string') {
    throw new AgentXError('INVALID_INPUT', "What was heard has an 'id' and a 'turn', both texts.");
  }
  if (!id.startsWith('oq-')) await note(ports, id, (record) => noteHeard(record, { turn, isHeard }));
  else if (isHeard)
    await ports.store.questions.update(id, (question) => ({ next: noteHeardIn(question, turn), result: undefined }));
}
