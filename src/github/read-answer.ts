import { AgentXError } from '../protocol/errors.js';
import { chosenInWords, isMereTalk } from '../protocol/option-in-words.js';
import type { Question, QuestionPart } from '../protocol/question.js';
import { unansweredParts } from '../protocol/question-answerers.js';

/*
 * A person answers with a comment: `/agentx answer b`, `/agentx answer oq-1a2b3c4d b, because ...`, `/agentx decline`,
 * or in plain words. A command begins a line, whatever the lines before it say. A comment that begins with a quotation
 * of one of ours ("Quote reply") is about that comment. Text in a quotation, a block of code or an HTML comment is no
 * command.
 */

export interface HumanComment {
  /** What the person wants; `words` for a comment without a command. */
  readonly verb: 'answer' | 'decline' | 'dismiss' | 'unknown' | 'words';
  /** The question or clarification that the command names, as typed. */
  readonly about?: string;
  readonly text: string;
}

const COMMAND = /^ {0,3}\/agentx\b[ \t]*(\S*)[ \t]*/i;
const ID = /^(oq-[A-Za-z0-9_-]{1,64}|CLR-\d{1,15}-\d{3,15})(?=$|[\s:,])[\s:,]*/i;
const ID_INSIDE = /\b(oq-[A-Za-z0-9_-]{1,64}|CLR-\d{1,15}-\d{3,15})\b/i;

/** Nothing for a comment without words of its own, or with a command for another program. */
export function readComments(body: string): readonly HumanComment[] {
  const lines = linesOf(body);
  const own = lines.filter(({ kind }) => kind !== 'quoted');
  const quotation = lines.filter(({ kind }) => kind === 'quoted').map(({ text }) => text);
  const quotedId = ID_INSIDE.exec(quotation.join('\n'))?.[1];
  const starts = own.flatMap(({ kind, text }, index) => (kind === 'own' && COMMAND.test(text) ? [index] : []));
  const textOf = (from: number, to?: number) =>
    own
      .slice(from, to)
      .map(({ text }) => text)
      .join('\n')
      .trim();
  if (starts.length > 0) return starts.map((start, index) => commandIn(textOf(start, starts[index + 1]), quotedId));
  const text = textOf(0);
  if (text === '' || text.startsWith('/')) return [];
  return [{ verb: 'words', text, ...(quotedId !== undefined && { about: quotedId }) }];
}

function commandIn(text: string, quotedId: string | undefined): HumanComment {
  const [command = '', word = ''] = COMMAND.exec(text) ?? [];
  const verb = VERBS.find((candidate) => candidate === word.toLowerCase()) ?? 'unknown';
  const rest = text.slice(command.length);
  const [start = '', questionId] = ID.exec(rest) ?? [];
  const about = questionId ?? quotedId;
  return { verb, text: rest.slice(start.length).trim(), ...(about !== undefined && { about }) };
}

interface Line {
  readonly text: string;
  readonly kind: 'own' | 'quoted' | 'code';
}

/** Copied text brings unseen characters; at the ends of a line they mean nothing. */
const UNSEEN = /^[\u200b\u2060\ufeff]+|[\u200b\u2060\ufeff]+$/g;

/** The lines as a reader of the comment sees them, without hidden text. */
function linesOf(body: string): readonly Line[] {
  const lines: Line[] = [];
  let fence: string | undefined;
  let isHidden = false;
  for (const line of body.replaceAll('\r\n', '\n').split('\n')) {
    const text = line.replace(UNSEEN, '');
    // Backticks in one line are code inside of that line.
    const [, mark] = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(text) ?? [];
    if (isHidden) isHidden = !text.includes('-->');
    else if (fence !== undefined) {
      lines.push({ text: line, kind: 'code' });
      if (mark?.startsWith(fence) && text.trim() === mark) fence = undefined;
    } else if (/^ {0,3}<!--/.test(text)) isHidden = !text.includes('-->');
    else {
      fence = mark;
      lines.push({ text, kind: mark !== undefined ? 'code' : /^ {0,3}>/.test(text) ? 'quoted' : 'own' });
    }
  }
  return lines;
}

const VERBS = ['answer', 'decline', 'dismiss'] as const;

export interface GivenAnswer {
  readonly questionId?: string;
  readonly optionIds?: readonly string[];
  readonly text?: string;
}

/**
 * The options that the words choose. Options are shown with letters in their order, whatever their ids are. The inbox
 * interprets words that are no letter. Of several parts, the words name the one that they answer, even if only one is
 * still open: the others may have been open when the person wrote.
 */
export function answerIn(question: Question, words: string): GivenAnswer {
  const { questions } = question;
  const [, first = '', rest = ''] = /^(\S+?):?(?:\s+([\s\S]*))?$/.exec(words) ?? [];
  const namedPart =
    questions.length > 1 ? questions.find(({ id }) => id.toLowerCase() === first.toLowerCase()) : undefined;
  const part = namedPart ?? (questions.length === 1 ? questions[0] : undefined);
  if (part === undefined) throw unnamedPart(question);
  const text = namedPart === undefined ? words : rest.trim();
  const bareText = text.replace(PICTURES, '').trim();
  const choice = chosenByLetter(part, bareText);
  const isChoice = chosenInWords(part, bareText) !== undefined;
  return { questionId: part.id, ...(choice ?? { text: isChoice ? bareText : text }) };
}

function unnamedPart(question: Question): AgentXError {
  const open = unansweredParts(question).map(({ id }) => id);
  const isOver = open.length === 0 || (question.status !== 'open' && question.outcome !== 'fallback_applied');
  if (isOver) return new AgentXError('CONFLICT', 'The question has ended.', { question });
  return new AgentXError('INVALID_INPUT', `The question has ${question.questions.length} parts.`, {
    commands: open.map((part) => `/agentx answer ${question.id} ${part} ...`),
  });
}

export function requireMeant(question: Question, { questionId, optionIds = [], text = '' }: GivenAnswer): void {
  const part = question.questions.find(({ id }) => id === questionId);
  if (optionIds.length > 0 || !isMereTalk(question, part, text)) return;
  throw new AgentXError('INVALID_INPUT', 'This cannot be undone, and the comment chooses no option.', {
    commands: [
      ['/agentx answer', question.id, ...(question.questions.length > 1 ? [questionId] : []), '...'].join(' '),
    ],
  });
}

/** A smile beside a choice changes nothing. */
const PICTURE = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f\\u200d\\s]{1,20}';
const PICTURES = new RegExp(`^${PICTURE}|${PICTURE}$`, 'gu');

function chosenByLetter(part: QuestionPart, text: string): Omit<GivenAnswer, 'questionId'> | undefined {
  const { options = [], multiSelect = false } = part;
  const isOwn = (letter: string) => options.some(({ id }) => id.toLowerCase() === letter);
  const optionAt = (letter: string) => options[letter.charCodeAt(0) - 'a'.charCodeAt(0)];
  const letters = text
    .toLowerCase()
    .split(/[\s,;+&]+|\band\b/)
    .filter((word) => word !== '');
  const isList = letters.length > 0 && letters.every((letter) => /^\(?[a-l][).]?$/.test(letter));
  if (options.length > 0 && /^\(?[a-z][).]?$/i.test(text) && !isList) throw noOption(part, text);
  if (!isList) return chosenWithReason(part, text);
  if (letters.length > 1 && !multiSelect) return undefined;
  const bareLetters = letters.map((letter) => letter.replace(/[().]/g, ''));
  // The ids are the letters, and the inbox understands ids.
  if (bareLetters.every(isOwn)) return { optionIds: bareLetters.map((letter) => idLike(part, letter)) };
  if (bareLetters.some(isOwn)) return undefined;
  const chosenOptions = bareLetters.map(optionAt);
  if (chosenOptions.some((option) => option === undefined)) {
    if (letters.length === 1 && options.length > 0) throw noOption(part, text);
    return undefined;
  }
  return { optionIds: chosenOptions.flatMap((option) => (option === undefined ? [] : [option.id])) };
}

/** `b, because ...`, or the letter in a line of its own. */
function chosenWithReason({ options = [] }: QuestionPart, text: string): Omit<GivenAnswer, 'questionId'> | undefined {
  if (!/^(?:option\s+)?\(?[a-l][).]?(?=[\s,:;-])/i.test(text)) return undefined;
  const isOwn = options.some(({ id }) => id.length === 1);
  const lettered = isOwn ? options : options.map((option, index) => ({ ...option, id: letterAt(index) }));
  const choiceInWords = chosenInWords(
    { options: lettered },
    text.replace(/^((?:option\s+)?\(?[a-l][).]?)[ \t]*\n\s*/i, '$1: '),
  );
  const chosenOptions = options.filter((_, index) => choiceInWords?.optionIds.includes(lettered[index]?.id ?? ''));
  if (choiceInWords === undefined || chosenOptions.length === 0) return undefined;
  return { optionIds: chosenOptions.map(({ id }) => id), ...(!choiceInWords.isAll && { text }) };
}

const letterAt = (index: number): string => String.fromCharCode('a'.charCodeAt(0) + index);

/** A letter without an option is a slip of the pen. */
function noOption({ options = [] }: QuestionPart, text: string): AgentXError {
  const letters = options.map((_, index) => letterAt(index)).join(', ');
  return new AgentXError('INVALID_INPUT', `There is no option ${text}. The options are ${letters}.`, { given: text });
}

function idLike({ options = [] }: QuestionPart, letter: string): string {
  return options.find(({ id }) => id.toLowerCase() === letter)?.id ?? letter;
}

/** The one question that a comment is about. */
export type Target =
  | { readonly question: Question }
  /** Several questions wait, or none: the ids to choose from. */
  | { readonly ids: readonly string[] };

export interface PostedQuestion {
  readonly question: Question;
  /** When its comment appeared, by GitHub's clock. */
  readonly postedAt: string;
  /** The id of its comment: GitHub's ids grow. */
  readonly postedId: number;
}

/** GitHub's times have whole seconds; within a second, the ids of the comments decide. */
function isBefore(
  { postedAt, postedId }: PostedQuestion,
  comment: { readonly id: number; readonly created: string },
): boolean {
  const [postedMs, createdMs] = [Date.parse(postedAt), Date.parse(comment.created)];
  return postedMs < createdMs || (postedMs === createdMs && postedId < comment.id);
}

/**
 * Finds the question on the issue that a comment answers. A question that the comment names may have ended: then the
 * person is told, or changes the decision late. Without a name, the comment is about a question that was posted before
 * it.
 */
export function targetOf(
  comment: HumanComment & { readonly id: number; readonly created: string },
  questions: readonly PostedQuestion[],
): Target | undefined {
  const { about, verb } = comment;
  if (about !== undefined) {
    const wantedId = about.toLowerCase();
    const matches = questions.filter(
      ({ question }) =>
        question.id.toLowerCase().startsWith(wantedId) ||
        (question.kind === 'escalation' && question.sourceId.toLowerCase() === wantedId),
    );
    const exact = matches.filter(({ question }) => question.id.toLowerCase() === wantedId);
    const open = matches.filter(({ question }) => question.status === 'open');
    const [only, ...others] = [exact, open, matches.slice(-1)].find((candidates) => candidates.length > 0) ?? [];
    if (only !== undefined && others.length === 0) return { question: only.question };
    return verb === 'words' ? undefined : { ids: openIds(only === undefined ? questions : open) };
  }
  // A comment that is older than a question, and was edited since, is not about that question.
  const earlierQuestions = questions.filter((question) => isBefore(question, comment));
  const open = earlierQuestions.filter(({ question }) => question.status === 'open');
  if (verb === 'words') {
    const [only, ...others] = open;
    return only === undefined || others.length > 0 ? undefined : { question: only.question };
  }
  const lateQuestions = earlierQuestions.filter(
    ({ question }) => question.outcome === 'fallback_applied' && question.lateResponses === undefined,
  );
  const [only, ...others] = open.length > 0 ? open : lateQuestions;
  return only !== undefined && others.length === 0 ? { question: only.question } : { ids: openIds(questions) };
}

function openIds(questions: readonly PostedQuestion[]): readonly string[] {
  return questions.flatMap(({ question }) => (question.status === 'open' ? [question.id] : []));
}
