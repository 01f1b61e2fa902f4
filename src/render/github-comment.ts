import type { Assumption } from '../protocol/assumption.js';
import type { ClarificationRecord, ThreadEntry } from '../protocol/clarification.js';
import { MAX_GITHUB_TEXT } from '../protocol/github.js';
import { escalationQuestionId, HUMAN, MEMORY } from '../protocol/ids.js';
import type { AnsweredBy, Question, QuestionPart } from '../protocol/question.js';
import { answererOf, isFallback, unansweredParts } from '../protocol/question-answerers.js';
import { agentTitle } from './conversation.js';
import { code, inline, quoted, shortenedText } from './github-text.js';
import { responseText } from './question.js';

/* Records as comments on GitHub. A comment says nothing that changes with time: the same record gives the same text. */

/** One round of a clarification: the question, its answer, and what became of it. */
export function roundComment(record: ClarificationRecord, round: number): string {
  const { id, from, to, topic, blocking, maxRounds, thread } = record;
  const entries = thread.filter((entry) => entry.round === round);
  const kind = blocking ? 'blocking' : 'non-blocking';
  const messages = entries.filter(({ type }) => type !== 'escalation');
  return fitted([
    `**${agentTitle(from)} -> ${agentTitle(to)}** | clarification ${code(id)}, round ${round} of ${maxRounds}, ${kind}`,
    `**Topic:** ${inline(topic)}`,
    ...messages.flatMap((entry) => [...headOf(record, entry), quoted(entry.body), ...sourceOf(entry)]),
    outlookOf(record, round),
  ]);
}

function headOf({ from }: ClarificationRecord, entry: ThreadEntry): readonly string[] {
  if (entry.type === 'question') return [];
  const verb = entry.type === 'answer' ? 'answered' : entry.from === from ? 'resolved it' : 'decided';
  return [`**${speakerOf(entry)}** ${verb}:`];
}

function speakerOf({ from, principal }: ThreadEntry): string {
  if (from === MEMORY) return 'Memory';
  if (from === HUMAN) return principal === undefined ? 'A human' : inline(principal);
  return agentTitle(from);
}

function sourceOf({ source }: ThreadEntry): readonly string[] {
  return source === undefined ? [] : [`Decided before: ${inline(source)}`];
}

function outlookOf(record: ClarificationRecord, round: number): string {
  const { from, to, status } = record;
  if (round < record.round) return `_Followed up in round ${round + 1}._`;
  switch (status) {
    case 'pending':
      return `_Waiting for ${agentTitle(to)}._`;
    case 'stale':
      return `_Stale: ${agentTitle(to)} has not answered in time._`;
    case 'answered':
      return `_Answered. ${agentTitle(from)} resolves it or asks on._`;
    case 'escalated':
      return `_Escalated: a human decides (${code(escalationQuestionId(record.id, record.round))})._`;
    case 'abandoned':
      return `_Abandoned: ${agentTitle(from)} went on without an answer._`;
    case 'resolved':
      return '_Resolved._';
  }
}

export interface QuestionCommentOptions {
  /** User names of people who are told that it waits. */
  readonly mention: readonly string[];
  /** The clarification that was escalated. */
  readonly record?: ClarificationRecord | undefined;
}

/** A question for people; once it has ended, who answered it where. */
export function questionComment(question: Question, { mention, record }: QuestionCommentOptions): string {
  const { id, kind, status, questions, askedBy } = question;
  const isOpen = status === 'open';
  const subject =
    record === undefined ? '' : `, clarification ${code(record.id)}, round ${record.round} of ${record.maxRounds}`;
  const names = mention.map((name) => `@${name}`).join(' ');
  const parts = questions.flatMap((part) => partLines(question, part));
  return fitted([
    `**${TITLES[kind]}** | ${agentTitle(askedBy.agent)} asks (${code(id)}${subject})`,
    ...(isOpen && names !== '' ? [names] : []),
    ...(record === undefined ? parts : [...positionLines(record), ...optionLines(question)]),
    ...(isOpen ? [...answeredSoFar(question), ...fallbackLines(question), howToAnswer(question)] : endLines(question)),
  ]);
}

const TITLES: Readonly<Record<Question['kind'], string>> = {
  open_question: 'A question',
  pm_clarification: 'A question before planning goes on',
  escalation: 'Escalation: a decision is needed',
  approval: 'An approval is needed',
  agent_failed: 'An agent failed: how to go on?',
  late_answer: 'A late answer contradicts an assumption: keep the work or do it again?',
};

/** Both sides' last words. An escalation by another program has only its text. */
function positionLines(record: ClarificationRecord): readonly string[] {
  const entry = record.thread.findLast(({ type }) => type === 'escalation');
  const head = `**Topic:** ${inline(record.topic)}`;
  if (entry?.positions === undefined) return [head, ...(entry === undefined ? [] : [quoted(entry.body)])];
  const { requester, target } = entry.positions;
  return [
    head,
    ...(entry.reason === undefined ? [] : [`**Why:** ${inline(entry.reason)}`]),
    `**${agentTitle(record.from)}** asks:`,
    quoted(requester),
    ...(target === undefined
      ? [`**${agentTitle(record.to)}** has not answered.`]
      : [`**${agentTitle(record.to)}** says:`, quoted(target)]),
  ];
}

function partLines(question: Question, part: QuestionPart): readonly string[] {
  const name = question.questions.length > 1 ? [`**${code(part.id)}**`] : [];
  return [...name, quoted(part.text), ...optionsOf(part)];
}

function optionLines({ questions }: Question): readonly string[] {
  return questions.flatMap(optionsOf);
}

function optionsOf({ options = [] }: QuestionPart): readonly string[] {
  if (options.length === 0) return [];
  const lines = options.map(({ label, description, recommended }, index) => {
    const more = description === undefined ? '' : `: ${inline(description)}`;
    return `- **${inline(nameOf(options, index))})** ${inline(label)}${recommended === true ? ' _(recommended)_' : ''}${more}`;
  });
  return [lines.join('\n')];
}

/** How a person names an option: by its place, but where ids are letters, by its id. */
function nameOf(options: NonNullable<QuestionPart['options']>, index: number): string {
  const isLettered = options.some(({ id }) => /^[a-l]$/i.test(id));
  return isLettered ? (options[index]?.id ?? '') : String.fromCharCode('a'.charCodeAt(0) + index);
}

function fallbackLines({ fallback, expiresAt, questions }: Question): readonly string[] {
  if (expiresAt === undefined || fallback === undefined) return [];
  const options = questions[0]?.options ?? [];
  const index = options.findIndex(({ id }) => id === fallback.optionId);
  const option = options[index];
  const choice = option === undefined ? (fallback.text ?? 'the declared fallback') : option.label;
  const name = option === undefined ? '' : `${inline(nameOf(options, index))}) `;
  return [`Without an answer by ${expiresAt}, work goes on with: ${name}${inline(choice)}`];
}

const TO_ANSWER = '**To answer**';

/** Whether the comment shows a question that is open. */
export function isAskedIn(comment: string): boolean {
  return comment.split('\n').some((line) => line.startsWith(TO_ANSWER));
}

function howToAnswer(question: Question): string {
  const { id, questions, consequence } = question;
  const [first] = unansweredParts(question);
  const options = first?.options ?? [];
  const isGrave = consequence === 'irreversible';
  // An example that can be copied: an option that there is.
  const words = options.length === 0 ? 'your answer' : nameOf(options, Math.min(options.length, 2) - 1);
  const part = questions.length > 1 ? `${first?.id ?? ''} ` : '';
  const commands = [code(`/agentx answer ${part}${words}`), code(`/agentx answer ${id} ${part}${words}`)];
  const others = isGrave ? '. This cannot be undone. ' : ', or write in your own words. ';
  return (
    `${TO_ANSWER}, comment ${commands[0]}${others}Where several questions are open: ${commands[1]}. ` +
    `Only people with write access can answer. Elsewhere: ${code(`agentx inbox answer ${id}`)}.`
  );
}

const ENDS: Readonly<Record<NonNullable<Question['outcome']>, string>> = {
  answered: 'Answered',
  declined: 'Declined',
  dismissed: 'Dismissed',
  fallback_applied: 'Nobody answered in time, so the declared fallback was taken',
  superseded: 'It no longer matters',
  unreachable: 'Nobody could be asked',
};

function answeredSoFar(question: Question): readonly string[] {
  const lines = answerLines(question);
  return lines.length === 0 ? [] : ['**Answered so far:**', ...lines];
}

function answerLines(question: Question): readonly string[] {
  const { status, answeredBy, responses = [], questions } = question;
  return responses.flatMap((response) => {
    const answerer = answererOf(question, response);
    const isSaidAbove = status === 'resolved' && answerer?.principal === answeredBy?.principal;
    const isOther = answerer !== undefined && !isSaidAbove;
    const by = isFallback(question, response) ? ' (the fallback)' : isOther ? ` (${answererText(answerer)})` : '';
    const label = `${questions.length > 1 ? code(response.questionId) : ''}${by}`.trim();
    return [...(label === '' ? [] : [label]), quoted(responseText(partOf(question, response.questionId), response))];
  });
}

const partOf = ({ questions }: Question, id: string): Pick<QuestionPart, 'options'> =>
  questions.find((part) => part.id === id) ?? { options: [] };

function endLines(question: Question): readonly string[] {
  const { outcome = 'answered', answeredBy, reason, lateResponses = [] } = question;
  const isByClock = outcome === 'fallback_applied' || answeredBy === undefined;
  const head = `**${ENDS[outcome]}${isByClock ? '' : ` by ${answererText(answeredBy)}`}.**${reason === undefined ? '' : ` ${inline(reason)}`}`;
  const lateLines = lateResponses.flatMap(({ responses: late, answeredBy: by }) => [
    `**Answered late by ${answererText(by)}.**`,
    ...late.map((response) => quoted(responseText(partOf(question, response.questionId), response))),
  ]);
  const isStillOpen = outcome === 'fallback_applied' && lateLines.length === 0;
  const hint = `A late answer still counts: ${code(`/agentx answer ${question.id} your answer`)}.`;
  return [head, ...answerLines(question), ...lateLines, ...(isStillOpen ? [hint] : [])];
}

const CHANNELS: Readonly<Record<AnsweredBy['channel'], string>> = {
  cli: 'on the command line',
  web: 'on the page',
  vscode: 'in VS Code',
  github: 'here',
  mcp: 'in an MCP client',
  timeout: 'by the clock',
};

/** Who, and where. An answer given here is linked. */
function answererText({ principal, channel, authority }: AnsweredBy): string {
  const isAddress = channel === 'github' && authority !== undefined && /^https?:\/\/[\w./:#?=&%-]+$/.test(authority);
  return `${inline(principal)} ${isAddress ? `[here](${authority})` : CHANNELS[channel]}`;
}

/** What an agent decided without an answer. */
export function assumptionComment(assumption: Assumption): string {
  const {
    id = '',
    agent,
    decision,
    reasoning,
    risk_if_wrong,
    status = 'standing',
    decidedBy,
    rejection,
    questionId,
  } = assumption;
  const by = agent === undefined ? '' : ` by ${agentTitle(agent)}`;
  const who = decidedBy === undefined ? '' : ` by ${inline(decidedBy)}`;
  return fitted([
    `**Assumption**${by} | ${code(id)}${questionId === undefined ? '' : `, in place of an answer to ${code(questionId)}`}`,
    quoted(decision),
    `**Why:** ${inline(reasoning)}`,
    `**If it is wrong:** ${inline(risk_if_wrong)}`,
    status === 'standing'
      ? `_It stands. To reject it: ${code(`agentx assumptions reject ${id} -m "..."`)}_`
      : `**${status === 'confirmed' ? 'Confirmed' : 'Rejected'}${who}.**${rejection === undefined ? '' : ` ${inline(rejection)}`}`,
  ]);
}

/** What an agent wrote into the conversation of an issue. */
export function agentComment(author: string | undefined, body: string): string {
  return fitted([`**${author === undefined ? 'An agent' : agentTitle(author)}** wrote:`, quoted(body)]);
}

function fitted(paragraphs: readonly string[]): string {
  const text = paragraphs.join('\n\n');
  if (text.length <= MAX_GITHUB_TEXT) return text;
  // The end of it says what to do.
  const last = paragraphs.at(-1) ?? '';
  const end = last.length > MAX_END ? '' : `\n\n${last}`;
  return `${shortenedText(text, end.length)}${end}`;
}

const MAX_END = 1_000;
