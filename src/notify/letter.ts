import type { News } from '../protocol/delivery.js';
import { pathOf } from '../protocol/page-address.js';
import type { AnsweredBy, Question, QuestionOption } from '../protocol/question.js';
import { decisionOf } from '../protocol/question-decision.js';
import { outlookWithoutAnswer } from '../protocol/question-outlook.js';
import { titleOf } from '../protocol/question-summary.js';
import { redact } from '../protocol/redact.js';
import { shorten } from '../protocol/shorten.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { plainLine, plainText } from '../render/plain-text.js';
import { countdownText } from '../render/time.js';
import { lateKey } from './news.js';
import { messageId } from './take-messages.js';

/*
 * The content of a message, for every channel. Text from agents is data: control characters are removed here, and each
 * channel escapes its own special characters. A link holds no key: the page asks people who are not logged in. Messages
 * leave this machine, so what looks like a secret is left out of every text.
 */

export interface Letter {
  /** The same at every try. */
  readonly id: string;
  readonly project: string;
  readonly at: string;
  readonly items: readonly Item[];
}

export interface Item {
  readonly id: string;
  readonly news: News;
  readonly question: Question;
  /** One line: what happened. */
  readonly headline: string;
  /** The question, word for word. */
  readonly text: string;
  /** The consequences or the decision; a line each. */
  readonly facts: readonly string[];
  readonly link?: string;
  readonly choices: readonly Choice[];
}

/** An option of an open question. */
export interface Choice {
  readonly part: string;
  readonly optionId: string;
  readonly label: string;
  readonly description?: string;
  /** Opens the question with this option chosen, and answers nothing. */
  readonly link?: string;
}

export interface LetterContext {
  readonly project: string;
  readonly now: string;
  /** The beginning of links; without it the message has none. */
  readonly page?: string | undefined;
  readonly timeZone?: string | undefined;
  /** Makes the signed part of a link, by which the page recognises it. */
  readonly sign: (choice: { readonly questionId: string; readonly part: string; readonly optionId: string }) => string;
}

const MAX_TITLE = 200;
const MAX_TEXT = 2000;
const MAX_LABEL = 200;
const MAX_DESCRIPTION = 300;

export function letterOf(
  news: readonly { readonly news: News; readonly question: Question }[],
  context: LetterContext,
): Letter {
  const items = news.map((one) => itemOf({ ...one, question: withoutSecrets(one.question) }, context));
  return { id: messageId(news.map((one) => one.news)), project: context.project, at: context.now, items };
}

function withoutSecrets(question: Question): Question {
  return JSON.parse(JSON.stringify(question), (_, part) => (typeof part === 'string' ? redact(part) : part));
}

/** The subject of a message about one question or several. */
export function subjectOf({ items, project }: Letter): string {
  const [only, ...others] = items;
  if (only !== undefined && others.length === 0) return only.headline;
  const openCount = items.filter(({ question }) => question.status === 'open').length;
  const name = shorten(plainLine(project), 60);
  return openCount === 0
    ? `${items.length} questions of ${name} were decided`
    : `${openCount} ${openCount === 1 ? 'question waits' : 'questions wait'} for you in ${name}`;
}

function itemOf(
  { news, question }: { readonly news: News; readonly question: Question },
  context: LetterContext,
): Item {
  const { page } = context;
  const link =
    page === undefined ? undefined : `${page.replace(/\/$/, '')}${pathOf({ view: 'inbox', id: question.id })}`;
  return {
    id: messageId([news]),
    news,
    question,
    headline: headlineOf(news, question, context),
    text: shorten(plainText(question.questions.map(({ text }) => text.trim()).join('\n\n')), MAX_TEXT),
    facts: factsOf(news, question, context),
    choices: question.status === 'open' ? choicesOf(question, link, context) : [],
    ...(link !== undefined && { link }),
  };
}

function headlineOf({ event, key }: News, question: Question, { now }: LetterContext): string {
  const title = shorten(plainLine(titleOf(question)), MAX_TITLE);
  const asker = plainLine(question.askedBy.agent);
  const place = question.issueNumber === 0 ? '' : ` (#${question.issueNumber})`;
  const { expiresAt, outcome, answeredBy, lateResponses = [] } = question;
  switch (event) {
    case 'opened':
      return key === 'opened' ? `${asker} asks${place}: ${title}` : `Still open${place}: ${title}`;
    case 'deadline':
      return `The fallback applies ${expiresAt === undefined ? 'soon' : countdownText(expiresAt, { now, isRelative: true })}${place}: ${title}`;
    case 'answered':
      return `${ENDS[outcome ?? 'answered'] ?? 'Ended'} by ${nameOf(answeredBy)}${place}: ${title}`;
    case 'fallback':
      return `No answer came, the fallback was taken${place}: ${title}`;
    case 'late':
      return `Late answer by ${nameOf(lateResponses.find(({ at }) => key === lateKey(at))?.answeredBy)}${place}: ${title}`;
  }
}

const ENDS: Readonly<Record<string, string>> = { answered: 'Answered', declined: 'Declined', dismissed: 'Dismissed' };

function nameOf(by: AnsweredBy | undefined): string {
  return by === undefined ? 'a person' : shorten(plainLine(by.principal), 80);
}

function factsOf({ event }: News, question: Question, context: LetterContext): readonly string[] {
  const { status, consequence, blocking, id } = question;
  if (status !== 'open') {
    const decision = plainLine(decisionOf(question));
    const decisionLines =
      decision === '' ? [] : [`${event === 'fallback' ? 'Taken' : 'Decided'}: ${shorten(decision, 500)}`];
    return event === 'fallback' ? [...decisionLines, `You can still answer: agentx inbox answer ${id}`] : decisionLines;
  }
  const outlook = outlookWithoutAnswer(question);
  return [
    ...(outlook === undefined
      ? ['It waits for you, without a time limit.']
      : [
          `Without an answer at ${clockTime(outlook.at, context)} (${countdownText(outlook.at, { now: context.now, isRelative: true })}): ${shorten(plainLine(outlook.decides.join('; ')), 300)}`,
        ]),
    ...(consequence === 'irreversible' ? ['It cannot be undone.'] : []),
    ...(blocking ? ['The agent waits for it.'] : []),
    `In a terminal: agentx inbox answer ${id}`,
  ];
}

function clockTime(at: string, { timeZone = 'UTC' }: LetterContext): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
    timeZoneName: 'short',
  });
  return format.format(toEpochMs(at));
}

function choicesOf(question: Question, link: string | undefined, { sign }: LetterContext): readonly Choice[] {
  return question.questions.flatMap(({ id: part, options = [] }) =>
    options.map((option: QuestionOption): Choice => {
      const { id: optionId, label, description } = option;
      const choiceLink =
        link === undefined ? undefined : `${link}#choose=${sign({ questionId: question.id, part, optionId })}`;
      return {
        part,
        optionId,
        label: shorten(plainLine(label), MAX_LABEL),
        ...(description !== undefined && { description: shorten(plainLine(description), MAX_DESCRIPTION) }),
        ...(choiceLink !== undefined && { link: choiceLink }),
      };
    }),
  );
}

/** `a) PostgreSQL`, or with several parts `q1 a) PostgreSQL`. */
export function choiceLine({ question }: Item, { part, optionId, label, description }: Choice): string {
  const name = question.questions.length > 1 ? `${plainLine(part)} ${plainLine(optionId)}` : plainLine(optionId);
  return `${name}) ${label}${description === undefined ? '' : ` - ${description}`}`;
}
