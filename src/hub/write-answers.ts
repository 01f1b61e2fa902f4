import type { ChangeableArtifacts } from '../ports/artifacts.js';
import type { Assumption } from '../protocol/assumption.js';
import { underClaim } from '../protocol/claim.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { AgentXError } from '../protocol/errors.js';
import { escalationQuestionId } from '../protocol/ids.js';
import type { Question, QuestionPart } from '../protocol/question.js';
import { answererOf, isFallback, latestResponses } from '../protocol/question-answerers.js';
import { decisionOf } from '../protocol/question-decision.js';
import { titleOf } from '../protocol/question-summary.js';
import { fillTemplate, type Workflow, type WorkflowStep } from '../protocol/workflow.js';
import { type ClarifiedEntry, withClarifications } from './clarifications-section.js';
import type { OrderPorts } from './ports.js';

/*
 * What a step's agent had clarified is added to the artifact that the step names (`writes_answers`), so that the next reader
 * need not ask. Everything is derived from ledger and questions at every call: called twice, by two processes, or after a
 * crash, it writes each thing once, and a late answer replaces what was said before.
 */

type WritePorts = Pick<OrderPorts, 'store' | 'workflows' | 'log'> & { readonly artifacts: ChangeableArtifacts };

/** Another process writes at the same moment, at most. */
const WAIT_MS = 30_000;

type WritingStep = WorkflowStep & { readonly writes_answers: string };

/** With the workflow of a run, which may be another than that of the issue's type. */
export async function writeAnswers(ports: WritePorts, issueNumber: number, workflow?: Workflow): Promise<void> {
  const issue = issueNumber === 0 ? undefined : await ports.store.issues.read(issueNumber);
  if (issue === undefined) return;
  const { steps } = workflow ?? (await ports.workflows.forIssue(issue)).workflow;
  const writingSteps = steps.flatMap((step): WritingStep[] =>
    step.writes_answers === undefined ? [] : [{ ...step, writes_answers: step.writes_answers }],
  );
  if (writingSteps.length === 0) return;
  const outputs = steps.flatMap(({ output }) => (output === undefined ? [] : [fillTemplate(output, issue)]));
  await underClaim(ports.store.claim({ writing: issueNumber }, { waitMs: WAIT_MS }), async () => {
    // Read under the claim: older words would replace what the process before has written.
    const entries = await clarifiedIn(ports, issueNumber);
    for (const [path, agents] of pathsOf(writingSteps, (text) => fillTemplate(text, issue))) {
      const ownEntries = entries.filter(({ asker }) => agents.includes(asker));
      // An artifact that its step has still to write is waited for.
      const isMade = !outputs.includes(path);
      if (ownEntries.length > 0) await change(ports, { path, issueNumber, isMade }, ownEntries);
    }
  });
}

function pathsOf(
  steps: readonly WritingStep[],
  fill: (text: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, string[]>();
  for (const { writes_answers, agent } of steps) {
    const path = fill(writes_answers);
    paths.set(path, [...(paths.get(path) ?? []), agent]);
  }
  return paths;
}

async function change(
  { artifacts, log }: Pick<WritePorts, 'artifacts' | 'log'>,
  { path, issueNumber, isMade }: { readonly path: string; readonly issueNumber: number; readonly isMade: boolean },
  entries: readonly ClarifiedEntry[],
): Promise<void> {
  try {
    await artifacts.change(path, issueNumber, (content) =>
      content === undefined && !isMade ? undefined : withClarifications(content ?? '', entries),
    );
  } catch (error) {
    if (!(error instanceof AgentXError) || error.code !== 'INVALID_INPUT') throw error;
    log.warn(`What was clarified is not written: ${error.message}`, { issueNumber, path });
  }
}

type Entry = ClarifiedEntry & { readonly asker: string };

/** Of one issue, in the order in which it was asked. */
async function clarifiedIn({ store }: Pick<WritePorts, 'store'>, issueNumber: number): Promise<readonly Entry[]> {
  const { clarifications } = await store.ledgers.read(issueNumber);
  const { assumptions_made: assumptions } = await store.assumptions.read(issueNumber);
  const { items } = await store.questions.list({ issue: issueNumber });
  const records = clarifications.flatMap((record) => entryOfRecord(record, assumptions));
  return [...records, ...items.flatMap((question) => entryOfQuestion(question, assumptions))];
}

function entryOfRecord(record: ClarificationRecord, assumptions: readonly Assumption[]): readonly Entry[] {
  const { id, from, to, topic, thread, status, round } = record;
  const isEscalated = thread.some(({ type }) => type === 'escalation');
  const isAnswered = thread.some(({ type }) => type === 'answer') || isEscalated;
  if ((status !== 'answered' && status !== 'resolved') || !isAnswered) return [];
  const rounds = thread.flatMap(({ type, from: who, body, principal, source }) => {
    if (type === 'question') return [{ who: `${who} asked ${to}`, text: body }];
    if (type === 'answer') return [{ who: `${who} answered${source === undefined ? '' : ` (${source})`}`, text: body }];
    return type === 'resolution' && isEscalated ? [{ who: `${principal ?? who} decided`, text: body }] : [];
  });
  const statements = [...rounds, ...rejections(escalationQuestionId(id, round), assumptions)];
  const decisiveEntry = thread.findLast(({ type }) => type === 'answer' || (type === 'resolution' && isEscalated));
  const last = decisiveEntry?.timestamp ?? record.created;
  return [{ id, asker: from, title: topic, statements, date: last.slice(0, 10) }];
}

/** Escalations are told by their clarification. */
const KINDS: readonly Question['kind'][] = ['open_question', 'pm_clarification'];

function entryOfQuestion(question: Question, assumptions: readonly Assumption[]): readonly Entry[] {
  const { id, kind, askedBy, outcome, resolvedAt, createdAt, lateResponses = [] } = question;
  if (!KINDS.includes(kind) || (outcome !== 'answered' && outcome !== 'fallback_applied')) return [];
  const statements = question.questions.flatMap((part) => [
    { who: `${askedBy.agent} asked`, text: part.text },
    ...answersTo(question, part),
  ]);
  const date = (lateResponses.at(-1)?.at ?? resolvedAt ?? createdAt).slice(0, 10);
  const rejectionStatements = rejections(id, assumptions);
  return [
    { id, asker: askedBy.agent, title: titleOf(question), statements: [...statements, ...rejectionStatements], date },
  ];
}

function answersTo(question: Question, { id }: QuestionPart) {
  const response = latestResponses(question).find(({ questionId }) => questionId === id);
  const text = decisionOf(question, id);
  if (response === undefined || text === '') return [];
  if (isFallback(question, response)) return [{ who: 'No answer came in time; the declared fallback was taken', text }];
  const isLate = question.lateResponses?.some(({ responses }) => responses.some(({ questionId }) => questionId === id));
  const name = answererOf(question, response)?.principal ?? 'a person';
  return [{ who: `${name} answered${isLate === true ? ' late' : ''}`, text }];
}

function rejections(questionId: string, assumptions: readonly Assumption[]) {
  return assumptions
    .filter((one) => one.questionId === questionId && one.status === 'rejected')
    .map(({ decidedBy = 'a person', rejection = '' }) => ({
      who: `${decidedBy} rejected what was assumed`,
      text: rejection,
    }));
}
