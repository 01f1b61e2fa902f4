import type { HubPorts } from '../hub/ports.js';
import { type Assumption, transition } from '../protocol/assumption.js';
import { MAX_ANSWER_CHARACTERS } from '../protocol/limits.js';
import { requireText } from '../protocol/parse.js';
import type { Question } from '../protocol/question.js';
import { changeAssumption, requireAssumption } from './assumptions.js';
import { openChoice } from './late-answer.js';

export interface ConfirmAssumptionRequest {
  readonly id: string;
  /** Who is at the keyboard. */
  readonly by: string;
}

export interface RejectAssumptionRequest extends ConfirmAssumptionRequest {
  readonly reason: string;
}

/** Confirming what is confirmed is no error; what was rejected stays so. */
export async function confirmAssumption(ports: HubPorts, { id, by }: ConfirmAssumptionRequest): Promise<Assumption> {
  const at = ports.clock.now();
  return changeAssumption(ports, id, (assumption) =>
    assumption.status === 'confirmed' ? assumption : transition(assumption, { type: 'confirm', at, by }),
  );
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
