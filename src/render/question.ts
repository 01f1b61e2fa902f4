import type { Question, QuestionPart } from '../protocol/question.js';
import { renderEvidence } from './needs-clarification.js';
import { plainLine } from './plain-text.js';
import { table } from './table.js';
import { labelled, type View } from './thread.js';
import { countdownText, whenText } from './time.js';

/** The inbox: a line for each question, oldest first, and how the first open one is answered. */
export function renderQuestionList(questions: readonly Question[], view: View): string {
  const rows = questions.map((question) => [
    question.id,
    `#${question.issueNumber}`,
    `${question.askedBy.agent} asks`,
    titleOf(question),
    outlookOf(question, view),
  ]);
  const open = questions.find(({ status }) => status === 'open');
  return [...table(rows, { flexible: 3, width: view.width }), ...(open === undefined ? [] : [howToAnswer(open)])].join(
    '\n',
  );
}

/** One question whole: what is asked, what may be chosen, and what happens if nobody answers. */
export function renderQuestion(question: Question, view: View): string {
  const { paint } = view;
  const facts = `#${question.issueNumber}, ${question.kind}, revision ${question.revision}`;
  const asked = `${question.askedBy.agent} asks, ${whenText(question.createdAt, view)}`;
  return [
    `${paint.name(question.id)} ${paint.quiet(`(${facts})`)}  ${asked}`,
    ...renderEvidence(question, view),
    ...question.questions.map((part) => renderPart(question, part, view)),
    `  ${question.status === 'open' ? paint.alarming(outlookOf(question, view)) : outlookOf(question, view)}`,
    ...fallbackOf(question, view),
  ].join('\n');
}

export function howToAnswer({ id, kind, questions }: Question): string {
  const [part, ...others] = questions;
  const command = `agentx inbox answer ${id}${others.length > 0 ? ` --question ${plainLine(part?.id ?? 'q1')}` : ''}`;
  // Of an escalation that has no answer to follow, what is wanted is one.
  const [first] = part?.options ?? [];
  const option = part?.options?.find(({ recommended }) => recommended) ?? (kind === 'escalation' ? undefined : first);
  if (option === undefined) return `Answer: ${command} -m "text"`;
  const choice = `Answer: ${command} --option ${plainLine(option.id)}`;
  return part?.allowText === false ? choice : `${choice} | -m "text"`;
}

function renderPart({ questions, responses = [] }: Question, part: QuestionPart, { width, paint }: View): string {
  const label = questions.length > 1 ? `  ${plainLine(part.id)}  ` : '  ';
  const margin = ' '.repeat(label.length);
  const response = responses.find(({ questionId }) => questionId === part.id);
  const options = (part.options ?? []).flatMap((option) => [
    labelled(`${margin}${plainLine(option.id)}) `, `${plainLine(option.label)}${mark(option)}`, width),
    ...(option.description === undefined
      ? []
      : [paint.quiet(labelled(`${margin}   `, plainLine(option.description), width))]),
    ...(option.pros ?? []).map((pro) => labelled(`${margin}   + `, plainLine(pro), width)),
    ...(option.cons ?? []).map((con) => labelled(`${margin}   - `, plainLine(con), width)),
  ]);
  const answer = response?.answer ?? response?.optionIds?.join(', ');
  return [
    labelled(label, part.text, width),
    ...options,
    ...(answer === undefined ? [] : [labelled(`${margin}Answered: `, answer, width)]),
  ].join('\n');
}

function mark({ recommended }: { readonly recommended?: boolean }): string {
  return recommended === true ? ' (recommended)' : '';
}

export function titleOf({ kind, questions }: Question): string {
  const [part] = questions;
  if (part === undefined || questions.length > 1) return `${questions.length} questions`;
  return plainLine(kind === 'escalation' ? (part.header ?? part.text) : part.text);
}

/** What happens next, or what became of it. */
export function outlookOf(question: Question, view: View): string {
  const { status, outcome, answeredBy, fallback, expiresAt } = question;
  if (status === 'resolved') {
    const by = answeredBy === undefined ? '' : ` by ${plainLine(answeredBy.principal)} (${answeredBy.channel})`;
    return `${outcome ?? 'answered'}${by}`;
  }
  if (question.consequence === 'irreversible') return 'waits, irreversible';
  if (fallback === undefined || expiresAt === undefined) return 'waits';
  const option = fallback.optionId === undefined ? '' : ` ${plainLine(fallback.optionId)}`;
  return `fallback${option} ${countdownText(expiresAt, view)}`;
}

function fallbackOf({ status, fallback }: Question, { width }: View): readonly string[] {
  if (status === 'resolved' || fallback === undefined) return [];
  const { text, reasoning, risk } = fallback;
  const parts = [text, reasoning, risk === undefined ? undefined : `risk: ${risk}`];
  const said = parts.filter((part) => part !== undefined).map(plainLine);
  return said.length === 0 ? [] : [labelled('  Fallback: ', said.join('; '), width)];
}
