import type { App } from '../../app/app.js';
import type { ClarificationRecord } from '../../protocol/clarification.js';
import { AgentXError, type ErrorCode } from '../../protocol/errors.js';
import { parseQuestionId } from '../../protocol/ids.js';
import { type AnsweredBy, Question, type QuestionResponse } from '../../protocol/question.js';
import { latestResponses } from '../../protocol/question-answerers.js';
import { plainLine } from '../../render/plain-text.js';
import { howToAnswer, outlookOf, renderQuestion, responseText } from '../../render/question.js';
import { labelled } from '../../render/thread.js';
import { listViewOf, viewOf } from '../clarify/view.js';
import type { CommandLine } from '../command-line.js';
import { notePageLink } from '../page-link.js';

type InboxResult = Awaited<ReturnType<App['answerQuestion']>>;

export interface HumanAct {
  readonly id: string;
  readonly by: AnsweredBy;
  readonly revision?: number;
}

/** The person who acts and the revision they saw. An agent that we started is not the human whom we ask. */
export function humanAct(
  line: CommandLine,
  verb: string,
  { id, revision }: { id: string; revision?: string },
): HumanAct {
  const { agent, principal } = line;
  parseQuestionId(id);
  if (agent !== undefined) {
    throw new AgentXError('UNAUTHORIZED', `Agent '${agent}' may not ${verb} ${id}: the question is for a human.`, {
      questionId: id,
      agent,
    });
  }
  const act = { id, by: { principal, channel: 'cli', authority: 'a user of this machine' } } as const;
  return revision === undefined ? act : { ...act, revision: parseRevision(revision) };
}

/** The answer may be kept although what follows from it failed. */
const LEFT_UNDONE: Readonly<Partial<Record<ErrorCode, string>>> = {
  CORRUPT_FILE: 'the agent that waits hears of it when this is repaired',
  STORE_ERROR: 'the next look at clarifications, such as agentx ready, completes what failed now',
  LOCK_TIMEOUT: 'the next look at clarifications, such as agentx ready, completes what failed now',
  LOCK_LOST: 'the next look at clarifications, such as agentx ready, completes what failed now',
};

/**
 * Carries out a human's act. A person who comes too late, or saw an older revision, is shown the current state. If the
 * clarification cannot be read or written, the answer is kept all the same.
 */
export async function settling(line: CommandLine, id: string, act: () => Promise<InboxResult>): Promise<InboxResult> {
  try {
    return await act();
  } catch (error) {
    const next = error instanceof AgentXError ? LEFT_UNDONE[error.code] : undefined;
    if (next !== undefined && (await isEndedByThem(line, id))) {
      line.out.note(`${id} has ended with what you said; ${next}:`);
    }
    const presentQuestion = Question.safeParse(error instanceof AgentXError ? error.details.question : undefined);
    if (presentQuestion.success && !line.out.isJson) line.out.note(renderQuestion(presentQuestion.data, viewOf(line)));
    throw error;
  }
}

async function isEndedByThem({ app, principal }: CommandLine, id: string): Promise<boolean> {
  const question = await app()
    .question(id)
    .catch(() => undefined);
  return question?.status === 'resolved' && question.answeredBy?.principal === principal;
}

export function reportSettled(line: CommandLine, { question, record, choices }: InboxResult): void {
  const { out } = line;
  out.json({ ...question, ...(record && { clarification: record }), ...(choices.length > 0 && { choices }) });
  const { id, status, outcome, questions } = question;
  const responses = latestResponses(question);
  for (const response of responses) {
    const part = questions.find((one) => one.id === response.questionId) ?? {};
    const answerText = plainLine(responseText(part, response));
    const label = `${id} ${plainLine(response.questionId)}: `;
    if (answerText !== '') out.print(labelled(label, answerText, listViewOf(line).width));
  }
  const open = questions.filter((part) => !responses.some(({ questionId }) => questionId === part.id));
  if (status === 'open') out.print(`Still open: ${open.map((part) => plainLine(part.id)).join(', ')}`);
  else out.print(`${id} is ${outcome}.`);
  if (choices.length > 0) out.say('The fallback was taken before you answered.');
  else if (isLate(question)) out.say('The fallback was taken before you answered. It says the same: it is confirmed.');
  for (const choice of choices) {
    out.print(`${renderQuestion(choice, viewOf(line))}\n${howToAnswer(choice)}`);
    notePageLink(line, { view: 'inbox', id: choice.id });
  }
  if (record === undefined) return;
  const { from, to } = record;
  const next = isAskedAgain(record, responses) ? `${to} is asked again` : `${from} can go on`;
  out.print(`${record.id} is ${record.status}; ${next}.`);
}

/** Whether the latest answer came after the fallback. */
function isLate({ outcome, lateResponses = [] }: Question): boolean {
  return outcome === 'fallback_applied' && lateResponses.length > 0;
}

function isAskedAgain({ thread }: ClarificationRecord, responses: readonly QuestionResponse[]): boolean {
  const { options = [] } = thread.findLast(({ type }) => type === 'escalation') ?? {};
  const chosenIds = responses.flatMap(({ optionIds = [] }) => optionIds);
  return options.some(({ id, action }) => action === 'retry' && chosenIds.includes(id));
}

/** The error for a person who answers too late. */
export function hasEnded(line: CommandLine, question: Question): AgentXError {
  const lateNote =
    question.outcome === 'fallback_applied' ? ` Say it all the same: agentx inbox answer ${question.id}` : '';
  const problem = `Question ${question.id} has ended: ${outlookOf(question, viewOf(line))}.${lateNote}`;
  return new AgentXError('CONFLICT', problem, { question });
}

function parseRevision(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new AgentXError('INVALID_INPUT', `'${text.slice(0, 80)}' is no revision. Allowed: whole numbers from 1.`);
}
