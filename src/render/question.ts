import { issueLabel } from '../protocol/issue-label.js';
import type { AnsweredBy, Question, QuestionFallback, QuestionPart, QuestionResponse } from '../protocol/question.js';
import { answererOf, isFallback } from '../protocol/question-answerers.js';
import type { QuestionSummary } from '../protocol/question-summary.js';
import { columnsOf } from './columns.js';
import { under } from './conversation.js';
import { renderEvidence } from './needs-clarification.js';
import { plainLine } from './plain-text.js';
import { table } from './table.js';
import { labelled, type View } from './thread.js';
import { countdownText, whenText } from './time.js';

/** The inbox: a line for each question, oldest first. */
export function renderQuestionList(questions: readonly QuestionSummary[], view: View): string {
  const rows = questions.map((question) => [
    question.id,
    issueLabel(question.issueNumber),
    `${question.agent} asks`,
    plainLine(question.title),
    outlookOf(question, view),
  ]);
  return table(rows, { flexible: 3, width: view.width }).join('\n');
}

/** One question in full: what is asked, the options, and what happens if it stays unanswered. */
export function renderQuestion(question: Question, view: View): string {
  const { paint } = view;
  const facts = `${issueLabel(question.issueNumber)}, ${question.kind}, revision ${question.revision}`;
  const askerLine = `${askerOf(question)} asks, ${whenText(question.createdAt, view)}`;
  const fits = !view.isRelative || columnsOf(`${question.id} (${facts})  ${askerLine}`) <= view.width;
  return [
    fits
      ? `${paint.name(question.id)} ${paint.quiet(`(${facts})`)}  ${askerLine}`
      : `${under({ label: `${question.id} `, paint: paint.name, tone: paint.quiet }, `(${facts})`, view.width)}\n${under({ label: '  ' }, askerLine, view.width)}`,
    ...renderEvidence(question, view),
    ...question.questions.map((part) => renderPart(question, part, view)),
    (question.status === 'open' ? paint.alarming : String)(labelled('  ', outlookOf(question, view), view.width)),
    ...fallbackOf(question, view),
  ].join('\n');
}

/** The asker, then every agent that waits for the asker's answer in turn, nearest first. */
function askerOf({ askedBy: { agent, chain } }: Question): string {
  return [agent, ...chain.slice(0, -1).toReversed()].join(', for ');
}

/** The command asks on a terminal; elsewhere it says what to add. */
export function howToAnswer({ id }: Pick<Question, 'id'>): string {
  return `Answer: agentx inbox answer ${id}`;
}

/** Agents name the parts of their questions, and may do so at length. */
const MAX_MARGIN = 10;

function renderPart(question: Question, part: QuestionPart, { width, paint }: View): string {
  const label = question.questions.length > 1 ? `  ${plainLine(part.id)}  ` : '  ';
  const margin = ' '.repeat(Math.min(columnsOf(label), MAX_MARGIN));
  const options = (part.options ?? []).flatMap((option) => [
    labelled(`${margin}${plainLine(option.id)}) `, `${plainLine(option.label)}${mark(option)}`, width),
    ...(option.description === undefined
      ? []
      : [paint.quiet(labelled(`${margin}   `, plainLine(option.description), width))]),
    ...(option.pros ?? []).map((pro) => labelled(`${margin}   + `, plainLine(pro), width)),
    ...(option.cons ?? []).map((con) => labelled(`${margin}   - `, plainLine(con), width)),
  ]);
  const [answerer = '', answer] = answerOfPart(question, part) ?? [];
  return [
    labelled(label, part.text, width),
    ...options,
    ...(answer === undefined ? [] : [labelled(`${margin}${answerer}`, answer, width)]),
    ...lateAnswers(question, part).map((lateAnswer) => labelled(`${margin}Answered late: `, lateAnswer, width)),
    ...(answer === undefined && question.status === 'open' ? fallbackOfPart(part, margin, width) : []),
  ].join('\n');
}

/** The options that were chosen, and the text beside them if it says more. */
export function responseText({ options = [] }: Pick<QuestionPart, 'options'>, response: QuestionResponse): string {
  const { optionIds = [], answer } = response;
  const labels = optionIds.map((id) => options.find((option) => option.id === id)?.label ?? id).join(', ');
  if (answer === undefined || answer === labels || labels === '') return answer ?? labels;
  return `${labels} ("${answer}")`;
}

/** The answer to a part, which may have one while others are open, behind who gave it. */
export function answerOfPart(
  question: Question,
  part: QuestionPart,
): readonly [label: string, text: string] | undefined {
  const response = question.responses?.find(({ questionId }) => questionId === part.id);
  return response && [`${answeredText(question, response)}: `, responseText(part, response)];
}

/** Names the answerer of each part, unless the line below says who answered them all. */
function answeredText(question: Question, response: QuestionResponse): string {
  const answerer = answererOf(question, response);
  const isSaidBelow = question.status === 'resolved' && !hasSeveral(question);
  if (answerer === undefined || isSaidBelow) return 'Answered';
  return isFallback(question, response) ? 'Fallback taken' : `Answered by ${answererText(answerer)}`;
}

function hasSeveral({ responses = [] }: Question): boolean {
  return responses.some(({ answeredBy }) => answeredBy !== undefined);
}

const answererText = ({ principal, channel }: AnsweredBy): string => `${plainLine(principal)} (${channel})`;

function lateAnswers({ lateResponses = [] }: Question, part: QuestionPart): readonly string[] {
  return lateResponses.flatMap(({ responses, answeredBy }) =>
    responses
      .filter(({ questionId }) => questionId === part.id)
      .map((response) => `${responseText(part, response)}, by ${answererText(answeredBy)}`),
  );
}

function fallbackOfPart({ fallback, options = [] }: QuestionPart, margin: string, width: number): readonly string[] {
  if (fallback === undefined) return [];
  const option = options.find(({ id }) => id === fallback.optionId);
  const choice = option === undefined ? [] : [`${option.id}) ${option.label}`];
  return [labelled(`${margin}Fallback: `, fallbackText(fallback, choice), width)];
}

function mark({ recommended }: { readonly recommended?: boolean }): string {
  return recommended === true ? ' (recommended)' : '';
}

const WITHOUT_ANSWER = { superseded: 'it no longer matters', unreachable: 'nobody could be asked' } as const;

/** What happens next, or how it ended. */
export function outlookOf(question: Omit<QuestionSummary, 'agent' | 'title'>, view: View): string {
  const { status, outcome, answeredBy, reason, fallback, expiresAt } = question;
  if (outcome === 'superseded' || outcome === 'unreachable') {
    return `${outcome}: ${plainLine(reason ?? WITHOUT_ANSWER[outcome])}`;
  }
  if (status === 'resolved') {
    const by = answeredBy === undefined ? '' : ` by ${answererText(answeredBy)}`;
    return `${outcome ?? 'answered'}${by}`;
  }
  if (question.consequence === 'irreversible') return 'waits, irreversible';
  if (fallback === undefined || expiresAt === undefined) return 'waits';
  const option = fallback.optionId === undefined ? '' : ` ${plainLine(fallback.optionId)}`;
  return `fallback${option} ${countdownText(expiresAt, view)}`;
}

/** Not shown here if each part shows its own. */
function fallbackOf({ status, fallback, questions }: Question, { width }: View): readonly string[] {
  const isOfParts = questions.every((part) => part.fallback !== undefined);
  if (status === 'resolved' || fallback === undefined || isOfParts) return [];
  const fallbackLine = fallbackText(fallback);
  return fallbackLine === '' ? [] : [labelled('  Fallback: ', fallbackLine, width)];
}

function fallbackText({ text, reasoning, risk }: QuestionFallback, choice: readonly string[] = []): string {
  const parts = [...choice, text, reasoning, risk === undefined ? undefined : `risk: ${risk}`];
  return parts.flatMap((part) => (part === undefined ? [] : plainLine(part))).join('; ');
}
