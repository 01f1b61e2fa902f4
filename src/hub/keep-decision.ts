import { assumptionObservation, clarificationObservation, questionObservations } from '../memory/decided.js';
import type { Assumption } from '../protocol/assumption.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { messageOf } from '../protocol/errors.js';
import type { Observation } from '../protocol/observation.js';
import type { Question } from '../protocol/question.js';
import type { HubPorts } from './ports.js';

/*
 * What was decided for certain is kept for later sessions and questions. Keeping it never fails what decided it: ledgers,
 * questions and assumptions have it anyway. The ids are derived, so that keeping it twice stores it once.
 */

type KeepPorts = Pick<HubPorts, 'store' | 'log' | 'remembers'>;

export async function keepDecision(ports: KeepPorts, record: ClarificationRecord): Promise<void> {
  if (ports.remembers !== true || record.status !== 'resolved') return;
  const observation = clarificationObservation(record);
  if (observation !== undefined) await keep(ports, [observation]);
}

export async function keepAnswers(ports: KeepPorts, question: Question): Promise<void> {
  // The record that it resolves is kept, with the question that an agent asked.
  if (question.kind !== 'escalation') await keep(ports, questionObservations(question));
}

export async function keepVerdict(ports: KeepPorts, assumption: Assumption): Promise<void> {
  const observation = assumptionObservation(assumption);
  if (observation !== undefined) await keep(ports, [observation]);
}

async function keep({ store, log, remembers }: KeepPorts, observations: readonly Observation[]): Promise<void> {
  if (remembers !== true || observations.length === 0) return;
  try {
    await store.observations.store(observations);
  } catch (error) {
    log.warn(`Memory capture skipped: ${messageOf(error)}`, { observations: observations.map(({ id }) => id) });
  }
}
