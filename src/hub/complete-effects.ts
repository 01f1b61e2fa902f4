import type { ListedClarification } from '../ports/store.js';
import type { AgentStatusFile } from '../protocol/agent-status.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { messageOf } from '../protocol/errors.js';
import { escalationQuestionId, parseClarificationId } from '../protocol/ids.js';
import type { Question } from '../protocol/question.js';
import { openEscalationQuestion, supersedeQuestion } from './escalation-question.js';
import { keepDecision } from './keep-decision.js';
import type { BasePorts, ResolvePorts } from './ports.js';
import { settleEscalation } from './settle-escalation.js';
import { interruptedIssues, refreshStatuses, wronglyShown } from './statuses.js';

/**
 * Completes what a crash left undone: escalations without their question, decisions that did not reach their record,
 * questions of records that are decided, decisions that are not remembered, statuses that do not follow from the
 * ledgers. With nothing undone it writes nothing; called twice, or by two processes, it completes each thing once.
 * Without issue numbers it looks at all.
 */
export async function completeEffects(ports: ResolvePorts, issueNumbers?: readonly number[]): Promise<void> {
  const isMeant = (issueNumber: number) => issueNumbers === undefined || issueNumbers.includes(issueNumber);
  const { items } = await ports.store.ledgers.list({ unfinished: true });
  const unfinished = items.filter(({ issueNumber }) => isMeant(issueNumber));
  await completeEscalations(ports, unfinished);
  await completeDecisions(ports, unfinished);
  const { items: openQuestions } = await ports.store.questions.list({ status: 'open' });
  await closeQuestions(
    ports,
    openQuestions.filter((question) => question.kind === 'escalation' && isMeant(question.issueNumber)),
  );
  await completeStatuses(ports, isMeant);
}

async function completeEscalations(ports: ResolvePorts, unfinished: readonly ListedClarification[]): Promise<void> {
  for (const { issueNumber, record } of unfinished) {
    if (record.status !== 'escalated') continue;
    await independently(ports, issueNumber, async () => {
      const question = await ports.store.questions.read(escalationQuestionId(record.id, record.round));
      if (question === undefined) await openEscalationQuestion(ports, record);
      else if (question.status === 'resolved') await settleEscalation(ports, question);
    });
  }
}

async function completeDecisions(ports: ResolvePorts, unfinished: readonly ListedClarification[]): Promise<void> {
  for (const { issueNumber, record } of unfinished) {
    if (record.unsettled === true) await independently(ports, issueNumber, () => keepDecision(ports, record));
  }
}

async function closeQuestions(ports: BasePorts, openQuestions: readonly Question[]): Promise<void> {
  for (const { id, issueNumber, sourceId } of openQuestions) {
    await independently(ports, issueNumber, async () => {
      const ledger = await ports.store.ledgers.read(parseClarificationId(sourceId).issueNumber);
      const record = ledger.clarifications.find((candidate) => candidate.id === sourceId);
      if (record !== undefined && record.status !== 'escalated') await supersedeQuestion(ports, id);
    });
  }
}

/** Compares two listings and leaves each write to `refreshStatuses`, which reads the ledger itself. */
async function completeStatuses(ports: BasePorts, isMeant: (issueNumber: number) => boolean): Promise<void> {
  const { items } = await ports.store.ledgers.list({ active: true });
  const file = await ports.store.statuses.read();
  for (const issueNumber of issuesToRefresh(file, items, ports.clock.now())) {
    if (isMeant(issueNumber)) await independently(ports, issueNumber, () => refreshStatuses(ports, issueNumber));
  }
}

/** Pure: the issues on which the statuses do not follow from the ledgers. */
export function issuesToRefresh(file: AgentStatusFile, items: readonly ListedClarification[], at: string): number[] {
  const active = new Map<number, ClarificationRecord[]>();
  for (const { issueNumber, record } of items) {
    const records = active.get(issueNumber);
    if (records === undefined) active.set(issueNumber, [record]);
    else records.push(record);
  }
  return [...new Set([...active.keys(), ...interruptedIssues(file)])].filter(
    (issueNumber) => wronglyShown(file, { issueNumber, records: active.get(issueNumber) ?? [], at }).length > 0,
  );
}

/** One issue that cannot be completed, for example because of a damaged ledger, does not stop the others. */
async function independently(
  ports: Pick<BasePorts, 'log'>,
  issueNumber: number,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    ports.log.warn('effects of an issue could not be completed', { issueNumber, error: messageOf(error) });
  }
}
