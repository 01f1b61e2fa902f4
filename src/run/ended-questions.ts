import { isDeepStrictEqual } from 'node:util';
import { openEscalationQuestion } from '../hub/escalation-question.js';
import { settleEscalation } from '../hub/settle-escalation.js';
import { endUnreachable } from '../inbox/end-unreachable.js';
import { applyDueFallbacks } from '../inbox/fallback.js';
import type { InboxPorts } from '../inbox/ports.js';
import { supersedeOf } from '../inbox/supersede.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { escalationQuestionId } from '../protocol/ids.js';
import type { Question } from '../protocol/question.js';
import type { RunFact } from '../protocol/run.js';
import { handOver } from './agent-work.js';
import type { RunContext } from './context.js';
import { settledElsewhere } from './new-clarifications.js';
import { isAnotherTry } from './step-state.js';

/** The awaited questions that have ended, in this process or another, and the rounds that wait for none any more. */
export async function endedQuestions(
  context: RunContext<keyof InboxPorts | 'renew'>,
  waitingOn: readonly string[],
): Promise<readonly RunFact[]> {
  const { ports } = context;
  if (waitingOn.length === 0) return [];
  await applyDueFallbacks(ports);
  await endUnreachable(ports, waitingOn);
  const { clarifications } = await ports.store.ledgers.read(context.issueNumber);
  const looks = await Promise.all(
    waitingOn.map(async (id) => ({ questionId: id, question: await awaitedQuestion(context, id, clarifications) })),
  );
  const endedLooks = looks.filter(({ question }) => question?.status !== 'open');
  // The process that answered may have died before the answer reached the clarification.
  for (const { question } of endedLooks) if (question !== undefined) await settleEscalation(ports, question);
  const facts = endedLooks.map(({ questionId, question }) => endOf(questionId, question, ports.clock.now()));
  // A human who answers may have corrected the settings first.
  if (facts.length > 0) ports.renew();
  const settledFacts = settledElsewhere({ run: context.journal.run, clarifications }, ports.clock.now());
  return [...facts, ...settledFacts, ...(await renewal(context, facts))];
}

/**
 * An escalation whose question is missing was written by a process that has not asked the human yet, or has died before
 * it could: then it is asked now.
 */
async function awaitedQuestion(
  { ports }: RunContext<keyof InboxPorts>,
  id: string,
  clarifications: readonly ClarificationRecord[],
): Promise<Question | undefined> {
  const question = await ports.store.questions.read(id);
  if (question !== undefined) return question;
  const escalated = clarifications.find(
    (record) => record.status === 'escalated' && escalationQuestionId(record.id, record.round) === id,
  );
  return escalated === undefined ? undefined : openEscalationQuestion(ports, escalated);
}

/** A new try uses the present workflow. What a step asked that is not in it any more is not waited for. */
async function renewal(
  context: RunContext<keyof InboxPorts | 'renew'>,
  facts: readonly Ended[],
): Promise<readonly RunFact[]> {
  const nextStepQuestions = context.journal.run.journal.flatMap((entry) =>
    entry.type === 'asked-what-next' ? entry.questionId : [],
  );
  if (!facts.some((fact) => nextStepQuestions.includes(fact.questionId) && isAnotherTry(fact))) return [];
  const definition = await context.presentWorkflow();
  if (definition === undefined || isDeepStrictEqual(definition, context.workflow)) return [];
  const { ports, issueNumber, runId } = context;
  for (const { id: step, agent: from } of context.workflow.steps) {
    const present = definition.steps.find(({ id }) => id === step);
    if (present !== undefined) {
      if (present.agent !== from && context.underWay.has(step)) {
        await handOver(context, { id: step, from, to: present.agent });
      }
      continue;
    }
    await supersedeOf(ports, { issueNumber, runId, step, reason: `step '${step}' is not in the workflow any more` });
  }
  return [{ type: 'workflow-renewed', at: context.ports.clock.now(), definition }];
}

type Ended = Extract<RunFact, { type: 'question-ended' }>;

/** A deleted question will never be answered. */
function endOf(questionId: string, question: Question | undefined, at: string): Ended {
  const outcome = question?.outcome ?? 'unreachable';
  const optionIds = (question?.responses ?? []).flatMap((response) => response.optionIds ?? []);
  return { type: 'question-ended', at, questionId, outcome, optionIds };
}
