import { assumptionObservation, clarificationObservation, questionObservations } from '../memory/decided.js';
import { type Assumption, noteSettled as noteVerdictSettled } from '../protocol/assumption.js';
import { type ClarificationRecord, noteSettled } from '../protocol/clarification.js';
import { messageOf } from '../protocol/errors.js';
import { parseAssumptionId, parseClarificationId } from '../protocol/ids.js';
import type { Observation } from '../protocol/observation.js';
import type { Question } from '../protocol/question.js';
import type { DecisionPorts } from './ports.js';

/*
 * What was decided for certain is kept for later sessions and questions. Keeping it never fails what decided it: ledgers,
 * questions and assumptions have it anyway, marked as unsettled until it is kept: the next sweep tries again. The ids are
 * derived, so that keeping it twice stores it once, and the file names those that were removed. What a question says now
 * takes the place of what it said before: a late answer may come, and be set aside.
 */

/** Whether the write that ends the record has to mark it. */
export function isDecisionToKeep({ remembers }: DecisionPorts, record: ClarificationRecord): boolean {
  return remembers === true && clarificationObservation(record) !== undefined;
}

export function isVerdictToKeep({ remembers }: DecisionPorts, assumption: Assumption): boolean {
  return remembers === true && assumptionObservation(assumption) !== undefined;
}

/** Of a record that is resolved; then it takes the mark off. */
export async function keepDecision(ports: DecisionPorts, record: ClarificationRecord): Promise<void> {
  if (!(await isKept(ports, clarificationObservation(record)))) return;
  await ports.store.ledgers.update(parseClarificationId(record.id).issueNumber, (ledger) => {
    const current = ledger.clarifications.find(({ id }) => id === record.id);
    if (current?.unsettled === undefined) return { next: ledger, result: undefined };
    const settledRecord = noteSettled(current);
    const clarifications = ledger.clarifications.map((other) => (other === current ? settledRecord : other));
    return { next: { ...ledger, clarifications }, result: undefined };
  });
}

/** What cannot be kept now is thrown, because the question has a mark of its own (`inbox/settle.ts`). */
export async function keepAnswers(ports: DecisionPorts, question: Question): Promise<void> {
  // The record that it resolves is kept, with the question that an agent asked.
  if (question.kind === 'escalation' || ports.remembers !== true) return;
  const { id, issueNumber } = question;
  const isOfIt = ({ source }: Observation) => source?.kind === 'question' && source.id === id;
  const { questions, observations } = ports.store;
  // The caller may have read it before a late answer came.
  const newObservations = questionObservations((await questions.read(id)) ?? question);
  const oldObservations = (await observations.getByIssue(issueNumber)).filter(isOfIt);
  if (areSame(newObservations, oldObservations)) return;
  await observations.update(issueNumber, (file) => {
    const { removed = [] } = file;
    // One that says the same still keeps how often it was recalled, and whether it was rejected.
    const ownObservations = newObservations
      .filter((one) => !removed.includes(one.id))
      .map((one) => file.observations.find((other) => isSame(one, other)) ?? one);
    if (areSame(ownObservations, file.observations.filter(isOfIt))) return { next: file, result: undefined };
    const otherObservations = file.observations.filter((one) => !isOfIt(one));
    return { next: { ...file, observations: [...otherObservations, ...ownObservations] }, result: undefined };
  });
}

/** Of an assumption that a human judged; then it takes the mark off. */
export async function keepVerdict(ports: DecisionPorts, assumption: Assumption): Promise<void> {
  const { id } = assumption;
  if (id === undefined || !(await isKept(ports, assumptionObservation(assumption)))) return;
  await ports.store.assumptions.update(parseAssumptionId(id).issueNumber, (file) => {
    const current = file.assumptions_made.find((other) => other.id === id);
    if (current?.unsettled === undefined) return { next: file, result: undefined };
    const settledAssumption = noteVerdictSettled(current);
    const assumptions_made = file.assumptions_made.map((other) => (other === current ? settledAssumption : other));
    return { next: { ...file, assumptions_made }, result: undefined };
  });
}

function areSame(some: readonly Observation[], others: readonly Observation[]): boolean {
  return some.length === others.length && some.every((one) => others.some((other) => isSame(one, other)));
}

const isSame = (one: Observation, other: Observation): boolean => one.id === other.id && one.content === other.content;

/** A human may overturn what another one had confirmed. */
function isEarlierVerdict({ source, content }: Observation, verdict: Observation): boolean {
  const isAboutIt = source?.kind === 'assumption' && verdict.source?.kind === 'assumption';
  return isAboutIt && source?.id === verdict.source?.id && content !== verdict.content;
}

/** True if nothing is left to do, also because the memory is off or the observation was removed or archived. */
async function isKept({ store, log, remembers }: DecisionPorts, kept: Observation | undefined): Promise<boolean> {
  if (remembers !== true || kept === undefined) return true;
  const { id, issueNumber } = kept;
  const { observations } = store;
  try {
    const earlier = await observations.getById(id);
    if (earlier !== null && !isEarlierVerdict(earlier, kept)) return true;
    await observations.update(issueNumber, (file) => {
      const others = file.observations.filter((one) => !isEarlierVerdict(one, kept));
      const isKnown = file.removed?.includes(id) === true || others.some((one) => one.id === id);
      return { next: isKnown ? file : { ...file, observations: [...others, kept] }, result: undefined };
    });
    return true;
  } catch (error) {
    log.warn(`Memory capture skipped: ${messageOf(error)}`, { observationId: id });
    return false;
  }
}
