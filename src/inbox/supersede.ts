import type { BasePorts } from '../hub/ports.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { HUMAN } from '../protocol/ids.js';
import type { Issue } from '../protocol/issue.js';
import { isAboutNext, isHandedWork, isOfRun, parseOrigin } from '../protocol/origin.js';
import type { Question } from '../protocol/question.js';
import type { QuestionSummary } from '../protocol/question-summary.js';
import { isFinished, type Run } from '../protocol/run.js';
import type { SettlePorts } from './ports.js';
import { settleQuestion } from './settle.js';

/*
 * A question is superseded when its asker is gone. That is so if its issue is closed, its run was stopped or begun
 * anew, its step was given up or left out of the workflow, or the clarification in which it came up has ended or was
 * answered by a person. A notice or a choice about finished work (a late answer) does not depend on the asker.
 */

/** What the questions of an issue depend on. */
interface Askers {
  readonly issue: Issue | undefined;
  readonly run: Run | undefined;
  readonly records: readonly ClarificationRecord[];
}

/** Ends every open question of the issue whose asker is gone; called twice, it ends each once. */
export async function supersedeGone(ports: SettlePorts, issueNumber: number): Promise<readonly Question[]> {
  const openQuestions = await openOf(ports, issueNumber);
  if (openQuestions.length === 0) return [];
  const [issue, run, { clarifications: records }] = await Promise.all([
    ports.store.issues.read(issueNumber),
    ports.store.runs.read(issueNumber),
    ports.store.ledgers.read(issueNumber),
  ]);
  return supersede(ports, openQuestions, (question) => whyGone(question, { issue, run, records }));
}

/** Issues that are not under way any more, or gone, though their agents have open questions. */
export async function issuesLeft(
  { issues }: Pick<BasePorts['store'], 'issues'>,
  openQuestions: readonly Pick<QuestionSummary, 'issueNumber' | 'kind'>[],
): Promise<ReadonlySet<number>> {
  const dependentQuestions = openQuestions.filter(
    ({ kind, issueNumber }) => kind !== 'late_answer' && issueNumber !== 0,
  );
  if (dependentQuestions.length === 0) return new Set();
  const { items } = await issues.summaries();
  const underWay = new Set(items.map(({ number }) => number));
  return new Set(dependentQuestions.map(({ issueNumber }) => issueNumber).filter((number) => !underWay.has(number)));
}

interface Given {
  readonly issueNumber: number;
  readonly runId: string;
  readonly step?: string;
  readonly reason: string;
}

/** The same for a step, or a whole run, that is being given up: the journal does not say so yet. */
export async function supersedeOf(
  ports: SettlePorts,
  { issueNumber, runId, step, reason }: Given,
): Promise<readonly Question[]> {
  return supersede(ports, await openOf(ports, issueNumber), (question) =>
    dependsOnAsker(question) && originsOf(question).every((origin) => isOfRun(origin, runId, step))
      ? reason
      : undefined,
  );
}

/** For a step that begins anew: who does it, and how it goes on, was asked of the attempt before. */
export async function supersedeAttempt(
  ports: SettlePorts,
  { issueNumber, runId, step, reason }: Required<Given>,
): Promise<readonly Question[]> {
  return supersede(ports, await openOf(ports, issueNumber), ({ origin }) =>
    isOfRun(origin, runId, step) && (isHandedWork(origin) || isAboutNext(origin)) ? reason : undefined,
  );
}

async function openOf({ store }: Pick<BasePorts, 'store'>, issueNumber: number): Promise<readonly Question[]> {
  // Issue 0 stands for no issue: it has no issue, run or step that could be gone.
  if (issueNumber === 0) return [];
  return (await store.questions.list({ issue: issueNumber, status: 'open' })).items;
}

async function supersede(
  ports: SettlePorts,
  openQuestions: readonly Question[],
  why: (question: Question) => string | undefined,
): Promise<readonly Question[]> {
  const endedQuestions: Question[] = [];
  for (const { id } of openQuestions.filter((question) => why(question) !== undefined)) {
    const at = ports.clock.now();
    const { question } = await settleQuestion(ports, id, (current) => {
      const reason = current.status === 'open' ? why(current) : undefined;
      return reason === undefined ? undefined : { type: 'supersede', at, reason };
    });
    if (question.outcome === 'superseded') endedQuestions.push(question);
  }
  return endedQuestions;
}

function whyGone(question: Question, { issue, run, records }: Askers): string | undefined {
  if (!dependsOnAsker(question)) return undefined;
  if (issue?.state === 'closed') return `issue #${issue.number} is closed`;
  // Issues that are kept elsewhere have no run here.
  if (issue === undefined && run !== undefined) return `issue #${question.issueNumber} is gone`;
  if (question.kind === 'escalation') {
    const { within } = records.find(({ id }) => id === question.sourceId) ?? {};
    return within === undefined ? undefined : whyAnswerIsGone(within, records);
  }
  const reasons = originsOf(question).map((origin) => whyCauseIsGone(origin, question, { run, records }));
  return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
}

function dependsOnAsker({ kind, blocking }: Question): boolean {
  return kind !== 'late_answer' && (kind !== 'approval' || blocking);
}

function originsOf({ origin, attached = [] }: Question): readonly string[] {
  return [...(origin === undefined ? [] : [origin]), ...attached.map((other) => other.origin)];
}

function whyCauseIsGone(
  origin: string,
  { blocking }: Question,
  { run, records }: Omit<Askers, 'issue'>,
): string | undefined {
  const cause = parseOrigin(origin);
  if (cause.by === 'target') {
    return whyAnswerIsGone(cause.clarificationId, records, cause.round);
  }
  if (run === undefined || cause.by !== 'run') return undefined;
  const { runId, step = '' } = cause;
  if (runId !== run.id) return 'the run that asked is over, and another has begun';
  if (isFinished(run) && run.status !== 'done' && blocking) return 'the run that asked was stopped';
  const end = run.journal.findLast(
    (entry) =>
      (entry.type === 'step-ended' && entry.step === step) || (entry.type === 'reopened' && entry.steps.includes(step)),
  );
  if (end?.type !== 'step-ended' || end.outcome === 'done') return undefined;
  return `step '${step}' was ${end.outcome === 'skipped' ? 'skipped' : 'given up'}`;
}

/** Why the target of a clarification need not answer it any more, and so has nothing to ask. */
function whyAnswerIsGone(
  clarificationId: string,
  records: readonly ClarificationRecord[],
  askedIn?: number,
): string | undefined {
  const record = records.find(({ id }) => id === clarificationId);
  if (record?.status === 'resolved' || record?.status === 'abandoned') return `${record.id} has ended`;
  const answer = record?.thread.findLast(({ type, round }) => type === 'answer' && round === (askedIn ?? record.round));
  return answer?.from === HUMAN ? `a person has answered ${clarificationId}` : undefined;
}
