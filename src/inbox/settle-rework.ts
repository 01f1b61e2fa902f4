import { changeState } from '../board/issues.js';
import type { BoardPorts } from '../board/ports.js';
import type { BasePorts, DecisionPorts, RecordPorts } from '../hub/ports.js';
import { transition } from '../protocol/assumption.js';
import { HUMAN } from '../protocol/ids.js';
import type { Question, Rework } from '../protocol/question.js';
import { decisionOf } from '../protocol/question-decision.js';
import { noteKept } from '../protocol/question-notes.js';
import { isFinished, transition as transitionRun } from '../protocol/run.js';
import { changeAssumption } from './assumptions.js';
import { confirmStanding, KEEP, REWORK } from './late-answer.js';
import { stepsToRedo } from './rework.js';

/** A human's choice about work that rests on an assumption; carried out once however often this is called. */
export async function settleRework(ports: RecordPorts, question: Question): Promise<void> {
  const { kind, outcome, rework } = question;
  if (kind !== 'late_answer' || outcome !== 'answered' || rework === undefined) return;
  const chosenIds = (question.responses ?? []).flatMap(({ optionIds = [] }) => optionIds);
  const by = question.answeredBy?.principal ?? HUMAN;
  const { assumptionId } = rework;
  if (chosenIds.includes(KEEP)) {
    if (assumptionId !== undefined) await confirmStanding(ports, assumptionId, by);
    await setAside(ports, rework);
  }
  if (!chosenIds.includes(REWORK)) return;
  if (assumptionId !== undefined) await overturn(ports, { assumptionId, by, reason: rework.answer });
  const isUnderWay = await reopenSteps(ports, question, rework);
  if (!isUnderWay) await reopenIssue(ports, question, rework);
}

/** From now on agents get the assumption, not the late answer. */
async function setAside({ store }: Pick<BasePorts, 'store'>, { questionId, part }: Rework): Promise<void> {
  if (questionId === undefined || part === undefined) return;
  await store.questions.update(questionId, (question) => ({ next: noteKept(question, part), result: undefined }));
}

async function overturn(
  ports: DecisionPorts & Pick<RecordPorts, 'clock'>,
  { assumptionId, by, reason }: { readonly assumptionId: string; readonly by: string; readonly reason: string },
): Promise<void> {
  const at = ports.clock.now();
  await changeAssumption(ports, assumptionId, (assumption) =>
    assumption.status === 'rejected' ? assumption : transition(assumption, { type: 'overturn', at, by, reason }),
  );
}

/**
 * True if the run is under way and does the steps again by itself. A done one is paused for them. The fact names the
 * question, so that it is recorded once.
 */
async function reopenSteps(
  ports: Pick<BasePorts, 'store' | 'clock'>,
  { id, issueNumber }: Question,
  { runs }: Rework,
): Promise<boolean> {
  const [target] = runs;
  if (target === undefined) return false;
  const latestRun = await ports.store.runs.read(issueNumber);
  if (latestRun === undefined || latestRun.id !== target.runId) return false;
  const at = ports.clock.now();
  return ports.store.runs.update<boolean>(issueNumber, (run) => {
    if (run === undefined || run.id !== target.runId) return { next: run ?? latestRun, result: false };
    const index = run.journal.findIndex((entry) => entry.type === 'reopened' && entry.questionId === id);
    if (index >= 0) return { next: run, result: !run.journal.slice(0, index).some(({ type }) => type === 'finish') };
    const facts = [{ type: 'reopened', at, steps: stepsToRedo(run, target.steps), questionId: id } as const];
    if (run.status === 'done') return { next: transitionRun(run, { type: 'rework', at, facts }), result: false };
    if (isFinished(run) || run.status === 'created') return { next: run, result: false };
    return { next: transitionRun(run, { type: 'record', at, facts }), result: true };
  });
}

/**
 * No agent works on the issue any more: it is open again, with the answer in its conversation, for the next run. The
 * comment names the question, so that an issue that was done again meanwhile is not reopened.
 */
async function reopenIssue(ports: BoardPorts, question: Question, { answer }: Rework): Promise<void> {
  const { id, issueNumber, answeredBy } = question;
  const issue = await ports.store.issues.read(issueNumber);
  if (issue === undefined || issue.comments.some(({ questionId }) => questionId === id)) return;
  const at = ports.clock.now();
  const [label, ...words] = decisionOf(question).split('\n');
  const body = [`${label}: ${answer}`, ...words].join('\n');
  const comment = { author: answeredBy?.principal ?? HUMAN, body, created: at, questionId: id };
  await changeState(ports, issueNumber, (issue) => {
    if (issue.comments.some(({ questionId }) => questionId === id)) return issue;
    const comments = [...issue.comments, comment];
    const isOver = issue.state === 'closed' || issue.taskStatus === 'done';
    if (!isOver) return { ...issue, comments };
    return { ...issue, comments, state: 'open', status: 'Backlog', taskStatus: 'open', assignee: null };
  });
}
