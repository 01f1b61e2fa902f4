import { isVerdictToKeep, keepVerdict } from '../hub/keep-decision.js';
import type { BasePorts, DecisionPorts } from '../hub/ports.js';
import {
  type Assumption,
  type Decision,
  nextAssumptionId,
  noteSettled,
  noteUnsettled,
  readDecision,
  transition,
} from '../protocol/assumption.js';
import { AgentXError, messageOf } from '../protocol/errors.js';
import { parseAgentName, parseAssumptionId } from '../protocol/ids.js';
import type { Question } from '../protocol/question.js';
import { isFallback } from '../protocol/question-answerers.js';

export interface RecordAssumptionRequest {
  /** Its cause; the same origin is recorded once. */
  readonly origin: string;
  readonly issueNumber: number;
  readonly agent: string;
  /** In an agent's form: text, or an object with some of the fields of 002. */
  readonly assumption: unknown;
  readonly questionId?: string;
  readonly artifacts?: readonly string[];
}

/** An agent's own assumption. Only a human confirms or rejects it, and only questions show what a human said. */
export async function recordAssumption(
  ports: Pick<BasePorts, 'store' | 'clock'>,
  request: RecordAssumptionRequest,
): Promise<Assumption> {
  const { assumption, ...rest } = request;
  const decision = await withoutClaims(ports, request.issueNumber, readDecision(assumption));
  return keepAssumption(ports, { ...rest, decision });
}

export interface KeptAssumption extends Omit<RecordAssumptionRequest, 'assumption'> {
  readonly decision: Decision;
  /** The human who confirmed it, if any. */
  readonly confirmedBy?: string;
}

/** Called twice, it is one assumption: by its origin. */
export async function keepAssumption(
  ports: Pick<BasePorts, 'store' | 'clock'>,
  draft: KeptAssumption,
): Promise<Assumption> {
  const { origin, issueNumber, decision, questionId, artifacts = [], confirmedBy } = draft;
  const at = ports.clock.now();
  return ports.store.assumptions.update(issueNumber, (file) => {
    const earlierAssumption = file.assumptions_made.find((other) => other.origin === origin);
    if (earlierAssumption !== undefined) return { next: file, result: earlierAssumption };
    const newAssumption: Assumption = {
      ...decision,
      id: nextAssumptionId(file),
      issueNumber,
      agent: parseAgentName(draft.agent),
      ...(questionId === undefined ? {} : { questionId }),
      origin,
      artifacts,
      status: 'standing',
      createdAt: at,
    };
    const assumption =
      confirmedBy === undefined ? newAssumption : transition(newAssumption, { type: 'confirm', at, by: confirmedBy });
    return { next: { ...file, assumptions_made: [...file.assumptions_made, assumption] }, result: assumption };
  });
}

export async function requireAssumption(ports: Pick<BasePorts, 'store'>, id: string): Promise<Assumption> {
  const { assumptions_made } = await ports.store.assumptions.read(parseAssumptionId(id).issueNumber);
  const assumption = assumptions_made.find((one) => one.id === id);
  if (assumption !== undefined) return assumption;
  throw new AgentXError('NOT_FOUND', `There is no assumption ${id}.`, { assumptionId: id });
}

/** `decide` sees it at that moment; an unchanged result is not written. A verdict is marked until it is kept. */
export async function changeAssumption(
  ports: DecisionPorts,
  id: string,
  decide: (assumption: Assumption) => Assumption,
): Promise<Assumption> {
  await requireAssumption(ports, id);
  const changedAssumption = await ports.store.assumptions.update(parseAssumptionId(id).issueNumber, (file) => {
    const current = file.assumptions_made.find((assumption) => assumption.id === id);
    const next = current === undefined ? undefined : decide(current);
    if (current === undefined || next === undefined) {
      throw new AgentXError('NOT_FOUND', `There is no assumption ${id}.`, { assumptionId: id });
    }
    if (next === current) return { next: file, result: current };
    const changed = isVerdictToKeep(ports, next) ? noteUnsettled(next) : next;
    const assumptions_made = file.assumptions_made.map((other) => (other === current ? changed : other));
    return { next: { ...file, assumptions_made }, result: changed };
  });
  if (changedAssumption.unsettled === true) await completeVerdict(ports, changedAssumption);
  return noteSettled(changedAssumption);
}

/** Verdicts that a process could not keep before it died, or because the memory was locked. */
export async function completeVerdicts(ports: DecisionPorts): Promise<void> {
  const { items } = await ports.store.assumptions.list({ unsettled: true });
  for (const assumption of items) await completeVerdict(ports, assumption);
}

/** What fails is left to the next sweep, because the verdict stands. */
async function completeVerdict(ports: DecisionPorts, assumption: Assumption): Promise<void> {
  try {
    await keepVerdict(ports, assumption);
  } catch (error) {
    const fields = { assumptionId: assumption.id, error: messageOf(error) };
    ports.log.error('what follows from a verdict is left to the next sweep', fields);
  }
}

/** A claim that a user confirmed something, or that time ran out, counts only if a question of the issue fits it. */
async function withoutClaims(
  ports: Pick<BasePorts, 'store'>,
  issueNumber: number,
  decision: Decision,
): Promise<Decision> {
  const { user_response } = decision;
  if (user_response.startsWith('inferred_from_')) return decision;
  const [, option] = /^User confirmed option \(([^)]*)\)/.exec(user_response) ?? [];
  const { items } = await ports.store.questions.list({ issue: issueNumber });
  const isSo = items.some((question) =>
    option === undefined ? question.outcome === 'fallback_applied' : isConfirmed(question, option.toLowerCase()),
  );
  return isSo ? decision : { ...decision, user_response: 'inferred_from_context' };
}

/** Whether a human chose the option, or said something in words. */
function isConfirmed(question: Question, option: string): boolean {
  const { responses = [], lateResponses = [] } = question;
  const ofHumans = [
    ...(question.outcome === undefined ? [] : responses.filter((response) => !isFallback(question, response))),
    ...lateResponses.flatMap((late) => late.responses),
  ];
  return ofHumans.some(({ optionIds = [] }) => optionIds.length === 0 || optionIds.join(', ').toLowerCase() === option);
}
