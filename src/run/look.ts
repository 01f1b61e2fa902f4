import { settleEscalation } from '../hub/settle-escalation.js';
import { applyDueFallbacks } from '../inbox/fallback.js';
import type { Question } from '../protocol/question.js';
import type { RunFact } from '../protocol/run.js';
import type { RunContext } from './context.js';

/** Which of the questions that a run waits for have ended, whoever ended them and wherever. */
export async function endedQuestions({ ports }: RunContext, waitingOn: readonly string[]): Promise<readonly RunFact[]> {
  if (waitingOn.length === 0) return [];
  await applyDueFallbacks(ports);
  const found = await Promise.all(
    waitingOn.map(async (id) => ({ questionId: id, question: await ports.store.questions.read(id) })),
  );
  const ended = found.filter(({ question }) => question?.status !== 'open');
  // Whoever answered may have died before the answer reached the clarification.
  for (const { question } of ended) if (question !== undefined) await settleEscalation(ports, question);
  return ended.map(({ questionId, question }) => endOf(questionId, question, ports.clock.now()));
}

/** A question that somebody deleted will never be answered. */
function endOf(questionId: string, question: Question | undefined, at: string): RunFact {
  const outcome = question?.outcome ?? 'unreachable';
  const optionIds = (question?.responses ?? []).flatMap((response) => response.optionIds ?? []);
  return { type: 'question-ended', at, questionId, outcome, optionIds };
}
