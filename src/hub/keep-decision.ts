import { assumptionObservation, clarificationObservation, questionObservations } from '../memory/decided.js';
import type { Assumption } from '../protocol/assumption.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { messageOf } from '../protocol/errors.js';
import type { Observation } from '../protocol/observation.js';
import type { Question } from '../protocol/question.js';
import type { HubPorts } from './ports.js';

/*
 * What was decided for certain is kept for later sessions and questions. Keeping it never fails what decided it: ledgers,
 * questions and assumptions have it anyway. The ids are derived, so that keeping it twice stores it once. What a question
 * says now takes the place of what it said before: a late answer may come, and be set aside.
 */

type KeepPorts = Pick<HubPorts, 'store' | 'log' | 'remembers'>;

/** Of a record that is resolved. */
export async function keepDecision(ports: KeepPorts, record: ClarificationRecord): Promise<void> {
  if (ports.remembers !== true) return;
  const observation = clarificationObservation(record);
  if (observation !== undefined) await keep(ports, [observation]);
}

export async function keepAnswers(ports: KeepPorts, question: Question): Promise<void> {
  // The record that it resolves is kept, with the question that an agent asked.
  if (question.kind === 'escalation' || ports.remembers !== true) return;
  const { id, issueNumber } = question;
  const isOfIt = ({ source }: Observation) => source?.kind === 'question' && source.id === id;
  await attempt(ports, { questionId: id }, async ({ questions, observations }) => {
    // The caller may have read it before a late answer came.
    const said = questionObservations((await questions.read(id)) ?? question);
    const before = (await observations.getByIssue(issueNumber)).filter(isOfIt);
    if (before.length === said.length && said.every((one) => before.some((other) => isSame(one, other)))) return;
    await observations.update(issueNumber, (file) => {
      const others = file.observations.filter((one) => !isOfIt(one));
      // One that says the same still keeps how often it was recalled, and whether it was rejected.
      const now = said.map((one) => file.observations.find((other) => isSame(one, other)) ?? one);
      return { next: { ...file, observations: [...others, ...now] }, result: undefined };
    });
  });
}

export async function keepVerdict(ports: KeepPorts, assumption: Assumption): Promise<void> {
  const observation = assumptionObservation(assumption);
  if (observation !== undefined) await keep(ports, [observation]);
}

const isSame = (one: Observation, other: Observation): boolean => one.id === other.id && one.content === other.content;

async function keep(ports: KeepPorts, said: readonly Observation[]): Promise<void> {
  const fields = { observations: said.map(({ id }) => id) };
  if (ports.remembers === true) await attempt(ports, fields, ({ observations }) => observations.store(said));
}

async function attempt(
  { store, log }: KeepPorts,
  fields: Readonly<Record<string, unknown>>,
  work: (store: HubPorts['store']) => Promise<void>,
): Promise<void> {
  try {
    await work(store);
  } catch (error) {
    log.warn(`Memory capture skipped: ${messageOf(error)}`, fields);
  }
}
