import { assumptionObservation, clarificationObservation, questionObservations } from '../memory/decided.js';
import type { Assumption } from '../protocol/assumption.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { messageOf } from '../protocol/errors.js';
import type { Observation } from '../protocol/observation.js';
import type { Question } from '../protocol/question.js';
import type { DecisionPorts } from './ports.js';

/*
 * What was decided for certain is kept for later sessions and questions. Keeping it never fails what decided it: ledgers,
 * questions and assumptions have it anyway. The ids are derived, so that keeping it twice stores it once. What a question
 * says now takes the place of what it said before: a late answer may come, and be set aside.
 */

/** Of a record that is resolved. */
export async function keepDecision(ports: DecisionPorts, record: ClarificationRecord): Promise<void> {
  if (ports.remembers !== true) return;
  const observation = clarificationObservation(record);
  if (observation !== undefined) await keep(ports, [observation]);
}

export async function keepAnswers(ports: DecisionPorts, question: Question): Promise<void> {
  // The record that it resolves is kept, with the question that an agent asked.
  if (question.kind === 'escalation' || ports.remembers !== true) return;
  const { id, issueNumber } = question;
  const isOfIt = ({ source }: Observation) => source?.kind === 'question' && source.id === id;
  await attempt(ports, { questionId: id }, async ({ questions, observations }) => {
    // The caller may have read it before a late answer came.
    const newObservations = questionObservations((await questions.read(id)) ?? question);
    const oldObservations = (await observations.getByIssue(issueNumber)).filter(isOfIt);
    if (
      oldObservations.length === newObservations.length &&
      newObservations.every((one) => oldObservations.some((other) => isSame(one, other)))
    )
      return;
    await observations.update(issueNumber, (file) => {
      const otherObservations = file.observations.filter((one) => !isOfIt(one));
      // One that says the same still keeps how often it was recalled, and whether it was rejected.
      const ownObservations = newObservations.map(
        (one) => file.observations.find((other) => isSame(one, other)) ?? one,
      );
      return { next: { ...file, observations: [...otherObservations, ...ownObservations] }, result: undefined };
    });
  });
}

export async function keepVerdict(ports: DecisionPorts, assumption: Assumption): Promise<void> {
  const observation = assumptionObservation(assumption);
  if (observation !== undefined) await keep(ports, [observation]);
}

const isSame = (one: Observation, other: Observation): boolean => one.id === other.id && one.content === other.content;

async function keep(ports: DecisionPorts, newObservations: readonly Observation[]): Promise<void> {
  const fields = { observations: newObservations.map(({ id }) => id) };
  if (ports.remembers === true) await attempt(ports, fields, ({ observations }) => observations.store(newObservations));
}

async function attempt(
  { store, log }: Pick<DecisionPorts, 'store' | 'log'>,
  fields: Readonly<Record<string, unknown>>,
  work: (store: DecisionPorts['store']) => Promise<void>,
): Promise<void> {
  try {
    await work(store);
  } catch (error) {
    log.warn(`Memory capture skipped: ${messageOf(error)}`, fields);
  }
}
