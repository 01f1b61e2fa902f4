import type { BasePorts } from '../hub/ports.js';
import { AgentXError } from '../protocol/errors.js';
import type { Question } from '../protocol/question.js';
import type { QuestionSummary } from '../protocol/question-summary.js';
import { completeVerdicts } from './assumptions.js';
import { blockTask } from './block-task.js';
import { applyDueFallbacks, independently } from './fallback.js';
import type { SettlePorts } from './ports.js';
import { completeSession, releaseLostClaims } from './session.js';
import { leaveOneChoice, settle } from './settle.js';
import { issuesLeft, supersedeGone } from './supersede.js';

/**
 * Ends questions whose asker is gone, applies due fallbacks and completes what a crash left undone. That may be a task
 * to block or to free, a planning request that is not logged, an assumption, a verdict that is not remembered, or a late
 * answer and the choice that it leads to. With nothing undone it writes nothing; called twice, or by two processes, it
 * completes each thing once. Returns the questions whose fallback it applied.
 */
export async function completeInbox(ports: SettlePorts): Promise<readonly Question[]> {
  await endWhatNoAgentAsks(ports);
  const expiredQuestions = await applyDueFallbacks(ports);
  const { items: openQuestions } = await ports.store.questions.summaries({ status: 'open' });
  for (const summary of openQuestions.filter(
    ({ blocksTask, kind }) => blocksTask === true || kind === 'pm_clarification',
  )) {
    await independently(ports, summary, async () => {
      const question = await ports.store.questions.read(summary.id);
      if (question === undefined) return;
      if (question.status === 'open' && question.blocksTask === true) await blockTask(ports, question);
      await completeSession(ports, question);
    });
  }
  const { items: unsettledQuestions } = await ports.store.questions.list({ unsettled: true });
  for (const question of unsettledQuestions) {
    await independently(ports, question, async () => {
      await settle(ports, question);
    });
  }
  await completeVerdicts(ports);
  await completeChoices(ports, openQuestions);
  await releaseLostClaims(ports).catch((error: unknown) => {
    if (!(error instanceof AgentXError) || error.code !== 'CORRUPT_FILE') throw error;
    ports.log.warn('the claims of planning sessions could not be looked at', { error: error.message });
  });
  return expiredQuestions;
}

/** An issue may have been closed by another program, or by a process that was killed before it ended the questions. */
async function endWhatNoAgentAsks(ports: SettlePorts): Promise<void> {
  const { items: openQuestions } = await ports.store.questions.summaries({ status: 'open' });
  for (const number of await issuesLeft(ports.store, openQuestions)) {
    const question = openQuestions.find(({ issueNumber }) => issueNumber === number);
    if (question === undefined) continue;
    await independently(ports, question, async () => {
      await supersedeGone(ports, number);
    });
  }
}

/** The process that opened a choice may have been killed before the choice replaced another. */
async function completeChoices(ports: BasePorts, openQuestions: readonly QuestionSummary[]): Promise<void> {
  const choices = openQuestions.filter(({ kind }) => kind === 'late_answer');
  for (const choice of choices) {
    if (choices.every(({ id, issueNumber }) => id === choice.id || issueNumber !== choice.issueNumber)) continue;
    await independently(ports, choice, async () => {
      const question = await ports.store.questions.read(choice.id);
      await leaveOneChoice(ports, question?.rework?.assumptionId);
    });
  }
}
