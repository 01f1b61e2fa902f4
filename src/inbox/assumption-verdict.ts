import type { HubPorts } from '../hub/ports.js';
import { type Assumption, transition } from '../protocol/assumption.js';
import { parseAssumptionId } from '../protocol/ids.js';
import { MAX_ANSWER_CHARACTERS } from '../protocol/limits.js';
import { requireText } from '../protocol/parse.js';
import type { AnsweredBy, Question } from '../protocol/question.js';
import { answerQuestion } from './answer-question.js';
import { changeAssumption, requireAssumption } from './assumptions.js';
import { KEEP, openChoice } from './late-answer.js';

export interface ConfirmAssumptionRequest {
  readonly id: string;
  /** Who is at the keyboard. */
  readonly by: string;
  /** Where, and by what right: for a question that the verdict answers as well. */
  readonly through?: Pick<AnsweredBy, 'channel' | 'authority'>;
}

export interface RejectAssumptionRequest extends ConfirmAssumptionRequest {
  readonly reason: string;
}

/**
 * Confirming what is confirmed is no error; what was rejected stays so. Where a late answer contradicts it and nobody has
 * chosen yet between keep and rework, this is the choice: it is answered first, for it confirms the assumption as well.
 */
export async function confirmAssumption(ports: HubPorts, request: ConfirmAssumptionRequest): Promise<Assumption> {
  const { id, by, through = { channel: 'cli' } } = request;
  const at = ports.clock.now();
  const confirm = (assumption: Assumption) =>
    assumption.status === 'confirmed' ? assumption : transition(assumption, { type: 'confirm', at, by });
  confirm(await requireAssumption(ports, id));
  for (const choice of await openChoicesOn(ports, id)) {
    const responses = choice.questions.map((part) => ({ questionId: part.id, optionIds: [KEEP] }));
    await answerQuestion(ports, { id: choice.id, by: { ...through, principal: by }, responses });
  }
  return changeAssumption(ports, id, confirm);
}

async function openChoicesOn(ports: HubPorts, id: string): Promise<readonly Question[]> {
  const { items } = await ports.store.questions.listOfIssue(parseAssumptionId(id).issueNumber);
  return items.filter(({ status, rework }) => status === 'open' && rework?.assumptionId === id);
}

/** The choice is opened first: it settles the assumption as well, so that a crash in between leaves nothing undecided. */
export async function rejectAssumption(
  ports: HubPorts,
  { id, by, reason }: RejectAssumptionRequest,
): Promise<{ readonly assumption: Assumption; readonly question: Question }> {
  const known = await requireAssumption(ports, id);
  const at = ports.clock.now();
  const answer = requireText(reason, 'reason', MAX_ANSWER_CHARACTERS);
  const reject = (assumption: Assumption) =>
    assumption.status === 'rejected' ? assumption : transition(assumption, { type: 'reject', at, by, reason });
  reject(known);
  const asker = known.questionId === undefined ? undefined : await ports.store.questions.read(known.questionId);
  const question = await openChoice(ports, {
    origin: `${id}/rejected`,
    answer,
    at,
    assumption: known,
    ...(asker && { asker }),
  });
  return { assumption: await changeAssumption(ports, id, reject), question };
}
