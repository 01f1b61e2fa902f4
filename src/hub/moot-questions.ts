import { type ClarificationRecord, isActive } from '../protocol/clarification.js';
import type { Question } from '../protocol/question.js';
import { isAwaited, questionsOf } from './ask-humans.js';
import { supersedeQuestion } from './escalation-question.js';
import type { HubPorts } from './ports.js';

/** Withdraws what the target of a record that has ended asked humans, as far as nobody else waits for it. */
export async function withdrawMoot(
  ports: HubPorts,
  ended: ClarificationRecord,
  ledger: readonly ClarificationRecord[],
): Promise<void> {
  for (const question of await questionsOf(ports, ended)) {
    if (isMoot(question, ledger)) await supersedeQuestion(ports, question.id, (current) => isMoot(current, ledger));
  }
}

/**
 * Whether targets asked it that had to wait for the answer and whose records have all ended without it. What nobody had
 * to wait for was asked for its own sake.
 */
export function isMoot(question: Question, ledger: readonly ClarificationRecord[]): boolean {
  const hasEnded = (origin: string) => ledger.some((one) => !isActive(one) && origin.startsWith(`${one.id}/`));
  return question.kind === 'open_question' && isAwaited(question) && originsOf(question).every(hasEnded);
}

/** What caused it, and everybody who joined it. */
export function originsOf({ origin = '', attached = [] }: Question): readonly string[] {
  return [origin, ...attached.map((other) => other.origin)];
}
