import { changeQuestion, requireQuestion } from '../hub/change-question.js';
import { commentAnswer } from '../hub/comment-answer.js';
import { changeEscalationQuestion } from '../hub/escalation-question.js';
import { keepAnswers } from '../hub/keep-decision.js';
import type { BasePorts, RecordPorts } from '../hub/ports.js';
import { settleEscalation } from '../hub/settle-escalation.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { messageOf } from '../protocol/errors.js';
import { parseAssumptionId, questionIdFor } from '../protocol/ids.js';
import { lateOrigin } from '../protocol/origin.js';
import { byCreation, type Question } from '../protocol/question.js';
import { noteSettled } from '../protocol/question-notes.js';
import type { QuestionEvent } from '../protocol/question-transition.js';
import { assumeFrom } from './assume.js';
import { unblockTask } from './block-task.js';
import { takeLateAnswers } from './late-answer.js';
import type { SettlePorts } from './ports.js';
import { completeSession } from './session.js';
import { settleRework } from './settle-rework.js';

/*
 * How a question changes: the change is written, with a mark if something follows from it; its events are sent; what
 * follows is carried out; the mark is removed. A process that dies on the way leaves the mark, and the next sweep goes
 * on from there. Each part is derived from the question, so that it is done once however often that happens.
 */

/** The state of a question after a human acted on it, and the clarification that it decided, if any. */
export interface InboxResult {
  readonly question: Question;
  readonly record?: ClarificationRecord;
  /** For each part that a late answer contradicts: the choice whether to keep what was built before. */
  readonly choices: readonly Question[];
}

/** One event on one question and everything that follows from it. `decide` may decide that nothing is to happen. */
export async function settleQuestion(
  ports: SettlePorts,
  id: string,
  decide: (question: Question) => Readonly<QuestionEvent> | undefined,
): Promise<InboxResult> {
  const before = await requireQuestion(ports, id);
  const question =
    before.kind === 'escalation'
      ? await changeEscalationQuestion(ports, before, decide)
      : await changeQuestion(ports, id, decide);
  return question.unsettled === true ? settle(ports, question) : { question, ...(await ledTo(ports, question)) };
}

/** Carries out what follows from a question, and removes the mark if nothing of it is left. */
export async function settle(ports: SettlePorts, question: Question): Promise<InboxResult> {
  const { choices, undone } = await carryOut(ports, question);
  const record = await settleEscalation(ports, question);
  const result = { choices, ...(record && { record }) };
  const isSettled =
    undone.length === 0 &&
    (await attempt(ports, question, 'its place among other choices', async () => {
      for (const { rework } of [question, ...choices]) await leaveOneChoice(ports, rework?.assumptionId);
    })) &&
    (await attempt(ports, question, 'the mark that it is settled', () => markSettled(ports, question)));
  return { ...result, question: isSettled ? noteSettled(question) : question };
}

interface CarriedOut {
  /** The questions that a late answer leads to, one for each part that it contradicts. */
  readonly choices: readonly Question[];
  /** What could not be done now, in words; the next sweep tries again. */
  readonly undone: readonly string[];
}

/** Everything that follows from a question except its clarification, which sweeps of the hub complete as well. */
export async function carryOut(
  ports: RecordPorts & Pick<SettlePorts, 'writeAnswers' | 'noteNews'>,
  question: Question,
): Promise<CarriedOut> {
  let choices: readonly Question[] = [];
  const parts: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['its news for people', async () => ports.noteNews?.(question.id)],
    ['its assumption', () => assumeFrom(ports, question)],
    ['the state of planning', () => completeSession(ports, question)],
    ['the task', async () => (question.blocksTask === true ? unblockTask(ports, question) : undefined)],
    [
      'its late answer',
      async () => {
        choices = await takeLateAnswers(ports, question);
      },
    ],
    [
      'its part in the conversation of the issue',
      async () => {
        // The comment says that the rework was arranged: it is not written if that failed.
        await settleRework(ports, question);
        await commentAnswer(ports, question);
      },
    ],
    ['what is remembered of it', () => rememberFrom(ports, question)],
    ['the artifact that it clarifies', async () => ports.writeAnswers?.(question.issueNumber)],
  ];
  const undone: string[] = [];
  for (const [what, work] of parts) if (!(await attempt(ports, question, what, work))) undone.push(what);
  return { undone, choices };
}

/** A human who keeps an assumption sets the late answer to another question aside. */
async function rememberFrom(ports: RecordPorts, question: Question): Promise<void> {
  await keepAnswers(ports, question);
  const { questionId } = question.rework ?? {};
  const about = questionId === undefined ? undefined : await ports.store.questions.read(questionId);
  if (about !== undefined) await keepAnswers(ports, about);
}

/** A part that fails is left to the next sweep, because the answer stands. */
async function attempt(
  { log }: Pick<BasePorts, 'log'>,
  { id }: Question,
  what: string,
  work: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    const fields = { questionId: id, left: what, error: messageOf(error) };
    log.error('what follows from a question is left to the next sweep', fields);
    return false;
  }
}

async function markSettled({ store }: Pick<BasePorts, 'store'>, { id, revision }: Question): Promise<void> {
  await store.questions.update(id, (current) => ({
    // Another change may have come meanwhile, such as a late answer.
    next: current.revision === revision ? noteSettled(current) : current,
    result: undefined,
  }));
}

/** What a settled question has led to: a human who says the same again gets the same result. */
async function ledTo({ store }: Pick<BasePorts, 'store'>, question: Question): Promise<Omit<InboxResult, 'question'>> {
  const { id, kind, issueNumber, sourceId, questions, lateResponses = [] } = question;
  const parts = lateResponses.at(-1)?.responses ?? [];
  const choices = await Promise.all(
    parts.map(({ questionId: part }) =>
      store.questions.read(questionIdFor(lateOrigin(id, questions.length > 1 ? part : undefined))),
    ),
  );
  const { clarifications } = kind === 'escalation' ? await store.ledgers.read(issueNumber) : { clarifications: [] };
  const record = clarifications.find((candidate) => candidate.id === sourceId);
  return { choices: choices.filter((choice) => choice !== undefined), ...(record && { record }) };
}

/*
 * Late answers and a rejection may contradict the same assumption, and each asks: keep or rework. A human is asked
 * once: the newest choice contains the latest answer and replaces those that still wait.
 */

/** Every choice about the assumption that was ever opened, the newest last. */
export async function choicesOn({ store }: Pick<BasePorts, 'store'>, assumptionId: string): Promise<Question[]> {
  const { items } = await store.questions.list({ issue: parseAssumptionId(assumptionId).issueNumber });
  return items.filter(({ rework }) => rework?.assumptionId === assumptionId).toSorted(byCreation);
}

/** Every caller, in any order, agrees on the one that is left; called twice, it ends each of the others once. */
export async function leaveOneChoice(ports: BasePorts, assumptionId: string | undefined): Promise<void> {
  if (assumptionId === undefined) return;
  const choices = await choicesOn(ports, assumptionId);
  const newest = choices.findLast(({ status, outcome }) => status === 'open' || outcome === 'answered');
  for (const { id } of choices) {
    if (newest === undefined || id === newest.id) continue;
    const reason = `asked again as ${newest.id}, with what was said since`;
    await changeQuestion(ports, id, (current) =>
      current.status === 'open' ? { type: 'supersede', at: ports.clock.now(), reason } : undefined,
    );
  }
}
