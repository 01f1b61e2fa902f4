import { MAX_OBSERVATION_CHARACTERS, MAX_OBSERVATIONS_PER_CAPTURE } from '../protocol/limits.js';
import type { ObservationCategory } from '../protocol/observation.js';
import { publicPart, redact } from '../protocol/redact.js';
import { shorten } from '../protocol/shorten.js';
import { overlap, wordsOf } from '../protocol/similarity.js';
import { withoutUnsound } from '../protocol/sound-data.js';
import { STRONG_DECISION } from './category.js';
import { agreedTo, chosenOption, pickedFrom } from './chosen-option.js';
import { type Classified, classify, specificity } from './classify.js';
import { categoryOfHeading, LEFT_OPEN } from './classify-labels.js';
import { isNoise } from './noise.js';
import { inOneLine, type Sentence, sentencesOf } from './sentences.js';
import { isPutOff, NO_SETTING, type Setting, settingsOf } from './setting.js';
import { withoutTold } from './told-secrets.js';
import type { Said, TranscriptMessage } from './transcript-message.js';
import { isHedged, worthOf } from './worth.js';

/** An observation before it has an id, an issue and a time. */
export interface ObservationDraft {
  readonly category: ObservationCategory;
  readonly content: string;
  /** The first sentence, shortened: what a list shows. */
  readonly summary: string;
}

interface Weighed extends Omit<ObservationDraft, 'summary'> {
  readonly weight: number;
  readonly isPlain?: boolean;
}

const MAX_SUMMARY = 200;
const MAX_CHANGED_FILES = 30;
/** Each is compared with all others. */
const MAX_COMPARED = 1000;
const MAX_ERRORS_SHOWN = 8;

/** What a session is worth remembering for, in its order, each thing once and without secrets. Pure. */
export function draftObservations(transcript: readonly TranscriptMessage[]): readonly ObservationDraft[] {
  const messages = publicMessages(transcript);
  const drafts = [...draftsSaid(messages), ...commitsShown(messages), ...changedFiles(messages)];
  const strongDrafts = strongest(drafts, MAX_COMPARED);
  const distinct = withoutRepetitions([...strongDrafts, ...errorsShown(messages, strongDrafts)]);
  return strongest(distinct, MAX_OBSERVATIONS_PER_CAPTURE).map(summarised);
}

/** What a user marks as private stays so until the user closes the mark. What others say meanwhile may repeat it. */
function publicMessages(messages: readonly TranscriptMessage[]): readonly TranscriptMessage[] {
  let unclosed = 0;
  return messages.flatMap((message): readonly TranscriptMessage[] => {
    const isOfUser = message.kind === 'answered' || (message.kind === 'said' && message.by === 'user');
    if (unclosed > 0 && !isOfUser) return [];
    if (message.kind === 'call') return [message];
    const { text, unclosed: stillUnclosed } = publicPart(message.text, unclosed);
    if (isOfUser) unclosed = stillUnclosed;
    return text.trim() === '' ? [] : [{ ...message, text }];
  });
}

/**
 * What messages say. Looking for secrets takes longer than looking for what matters. So only messages that give an
 * observation are searched for secrets. If a message holds a secret, its observations are read again from the text
 * without the secret.
 */
function draftsSaid(messages: readonly TranscriptMessage[]): readonly Weighed[] {
  const contents = new Set<string>();
  const settings = settingsOf(messages);
  const drafts = messages.flatMap((message, index) =>
    draftsOf(message, messages[index - 1], settings[index])
      .filter(({ content }) => !contents.has(content) && contents.add(content))
      .map((draft) => ({ draft, index, weight: draft.weight })),
  );
  const strong = strongest(drafts, MAX_COMPARED);
  return [...new Set(strong.map(({ index }) => index))].flatMap((index) => {
    const [message, before] = [messages[index], messages[index - 1]];
    const [cleanMessage, cleanBefore] = [withoutSecrets(message), withoutSecrets(before)];
    if (cleanMessage !== message || cleanBefore !== before) return draftsOf(cleanMessage, cleanBefore, settings[index]);
    return strong.flatMap((one) => (one.index === index ? [one.draft] : []));
  });
}

/** What is kept has neither a secret nor what may be one. */
function clean(text: string): string {
  return withoutTold(redact(text));
}

/** The same message if there are none in it. */
function withoutSecrets(message: TranscriptMessage | undefined): TranscriptMessage | undefined {
  if (message?.kind !== 'said' && message?.kind !== 'answered') return message;
  const text = clean(message.text);
  return text === message.text ? message : { ...message, text };
}

function draftsOf(
  message: TranscriptMessage | undefined,
  before: TranscriptMessage | undefined,
  setting: Setting = NO_SETTING,
): readonly Weighed[] {
  // What was private has left a question without its answer.
  if (message?.kind === 'answered')
    return /(?:^|\?)[^\p{L}\p{N}]*$/u.test(message.text) ? [] : [weighed('decision', message.text, WEIGHT_OF_CHOICE)];
  if (message?.kind !== 'said') return [];
  const { text, by } = message;
  const choice = by === 'user' && before?.kind === 'said' ? chosenOption(text, before.text) : undefined;
  if (choice !== undefined)
    return [weighed('decision', choice.decision, WEIGHT_OF_CHOICE), ...draftsIn(choice.rest, by, setting)];
  const drafts = draftsIn(text, by, setting);
  if (setting.isTakenBack) return drafts.filter(({ category }) => category === 'code-change' || category === 'error');
  if (setting.isRefused) return drafts.filter(({ isPlain, content }) => isPlain !== true && !isHedged(content));
  if (by !== 'user' || before?.kind !== 'said' || before.by === 'user') return drafts;
  const decision = agreedTo(text, before.text) ?? pickedFrom(text, before.text);
  return decision === undefined ? drafts : [weighed('decision', decision, WEIGHT_OF_CHOICE), ...drafts];
}

const WEIGHT_OF_CHOICE = 7;

/**
 * What the sentences of a text are worth remembering for. A sentence takes along what its paragraph says next, until
 * another one is worth as much, and what a pronoun at its beginning points at.
 */
export function draftsIn(text: string, by: Said['by'], settingOfText: Setting = NO_SETTING): readonly Weighed[] {
  let setting = settingOfText;
  const drafts: (Classified & { text: string; paragraph: number })[] = [];
  let before: Sentence | undefined;
  for (const sentence of sentencesOf(text)) {
    if (by === 'user' ? isPutOff(sentence.text) : isOffer(sentence.text)) continue;
    const classification = classify(sentence, by, setting);
    const last = drafts.at(-1);
    const isNext = last !== undefined && last.paragraph === sentence.paragraph;
    const hasRoom = isNext && last.text.length + sentence.text.length < LONGEST_PARAGRAPH;
    if (hasRoom && (isQuoting(last.text) || goesOn(sentence, classification, last.category, by)))
      last.text += ` ${sentence.text}`;
    else if (classification !== undefined) {
      const start =
        !isNext && before?.paragraph === sentence.paragraph && POINTS_BACK.test(sentence.text) ? before : undefined;
      const statement =
        start === undefined || !isTold(start.text) ? titled(sentence) : `${start.text} ${sentence.text}`;
      drafts.push({ ...classification, text: statement, paragraph: sentence.paragraph });
      if (classification.category === 'error') setting = { ...setting, phase: 'explained' };
      // Who says what they changed goes on with how it is since.
      if (classification.category === 'code-change' && by === 'assistant') setting = { ...setting, phase: 'told' };
    }
    before = sentence;
  }
  return drafts.map(({ text: content, category, weight, isPlain }) => ({
    ...weighed(category, content, weight),
    ...(isPlain === true ? { isPlain } : {}),
  }));
}

const LONGEST_PARAGRAPH = 600;

/** Whether a sentence belongs to the one before it: it gives its reason, tells more of it, or says how an error is mended. */
function goesOn(
  { text }: Sentence,
  classification: Classified | undefined,
  of: ObservationCategory,
  by: Said['by'],
): boolean {
  if (by === 'user' && classification !== undefined && classification.category !== of) return REASON.test(text);
  if (of === 'error' && classification?.category === 'decision') return !STRONG_DECISION.test(text);
  if (classification === undefined || classification.isPlain === true)
    return (
      (!isHedged(text) && worthOf(text, specificity(text)) >= 0 && (classification !== undefined || !isNoise(text))) ||
      (of === 'error' && MENDS.test(text) && isTold(text))
    );
  return classification.category !== 'code-change' && REASON.test(text) && !isNoise(text);
}

/** It ends within code. */
function isQuoting(text: string): boolean {
  return text.split('`').length % 2 === 0;
}

/** Several ways in one sentence: which one is taken is said later. */
function isOffer(text: string): boolean {
  return (text.includes('(') && /\((?:1|a|i)\) .*\((?:2|b|ii)\) /.test(text)) || WAYS.test(text);
}

const WAYS =
  /^(?:(?:there are |i see |we have )?(?:two|three|four|several|some|a few) )(?:\w+ )?(?:ways|options|choices|approaches|alternatives|possibilities)\b/i;
const MENDS = /^(?:so |then )?(?:i|we)(?:'ll| will|'m going to) (?!look|check|see|run|try|investigate)/i;
const POINTS_BACK = /^(?:so |but |and |then )?(?:it|this|that|they|these|those|both|he|she)\b/i;

/** Something that can be looked up again, and no question. */
function isTold(text: string): boolean {
  return !text.endsWith('?') && specificity(text) > 0;
}

/** `Next steps` is what makes an item of a list a task that was not done. */
function titled({ text, heading }: Sentence): string {
  return LEFT_OPEN.test(heading) && categoryOfHeading(heading) === 'key-fact' && !/^(?:open|todo|still)\b/i.test(text)
    ? `Open: ${text}`
    : text;
}

const REASON =
  /^(?:this|that|it|they|these|those|because|since|so\b|the reason|reason:|why:|otherwise|evaluated|considered|alternatives?|the alternative|which|also,? (?:this|it)|then)\b/i;

/** All files that tools changed, in one observation: a list of them each would say no more. */
function changedFiles(messages: readonly TranscriptMessage[]): readonly Weighed[] {
  const paths = messages.flatMap((message) => (message.kind === 'call' ? message.paths : []));
  const distinct = [...new Set(paths.map((path) => redact(path)))].filter(
    (path) => !/\/(?:tmp|node_modules|\.git)\//.test(`/${path}`),
  );
  if (distinct.length === 0) return [];
  const shortPaths = withoutCommonFolder(distinct);
  const rest = shortPaths.length > MAX_CHANGED_FILES ? ` and ${shortPaths.length - MAX_CHANGED_FILES} more` : '';
  const text = `Files changed in this session: ${shortPaths.slice(0, MAX_CHANGED_FILES).join(', ')}${rest}`;
  return [weighed('code-change', text, 5)];
}

/** The folder of the project is the same for every session; what is below it says something. */
function withoutCommonFolder(paths: readonly string[]): readonly string[] {
  const absolute = paths.filter((path) => path.startsWith('/'));
  const [first = ''] = absolute;
  let folder = first.slice(0, first.lastIndexOf('/') + 1);
  while (folder !== '' && !absolute.every((path) => path.startsWith(folder)))
    folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  if (absolute.length === 1) return paths.map((path) => (path === first ? path.split('/').slice(-3).join('/') : path));
  const inner = /^.*?\/(?=(?:src|lib|app|apps|packages|test|tests|docs|cmd|internal|pkg|web|server|client)\/)/.exec(
    first,
  )?.[0];
  const base = inner !== undefined && folder.startsWith(inner) ? inner : folder;
  return paths.map((path) => (base !== '' && path.startsWith(base) ? path.slice(base.length) : path));
}

/** Commits that tools made, by what they say; where no output has their id, by the command. */
function commitsShown(messages: readonly TranscriptMessage[]): readonly Weighed[] {
  const commits = messages.flatMap((message) =>
    message.kind === 'result' && COMMIT.test(message.text) ? [...clean(message.text).matchAll(COMMITS)] : [],
  );
  const shownTitles = new Set(commits.map(([, , title = '']) => title.trim()));
  const typedTitles = messages.flatMap((message) =>
    message.kind === 'call' && message.command?.includes('git commit') === true
      ? [...clean(message.command).matchAll(COMMIT_COMMAND)].map(([, , title = '']) => title.trim())
      : [],
  );
  return [
    ...commits.map(([, id, title = '']) => weighed('code-change', `Commit ${id}: ${title.trim()}`, 4)),
    ...typedTitles
      .filter((title) => !shownTitles.has(title))
      .map((title) => weighed('code-change', `Commit: ${title}`, 4)),
  ];
}

const COMMIT_COMMAND = /\bgit commit\b[^\n"';|&]{0,60}?-[a-z]*m\s*(["'])([^\n"']{8,200}?)(?:\1|$)/gm;

const COMMIT = /^(?:\[[\w/.-]+ (?:\(root-commit\) )?|Commit )([0-9a-f]{7,40})\]? (\S.{8,200})$/m;
const COMMITS = new RegExp(COMMIT, 'gm');

const SHOWN_ERROR =
  /(?:^|\s)((?:\w+\.)*[A-Z]\w*(?:Error|Exception|Panic)(?: \[\w+\])?: \S.*|(?:\S+: )?error TS\d+: .+|error\[E\d+\]: .+|(?:fatal|panic): .+|[\w.-]+: \(\d+\) .+|(?<!\s)(?![Ee]rror:)[\w./-]+: .*\b(?:unable to|cannot|could not|permission denied|no such file|command not found)\b.*|(?:ERROR|FATAL|error)[:\]]\s+\S.*|Error: (?!\[).*\b[A-Z]{2,}_[A-Z_]{2,}\b.*|npm (?:ERR!|error) (?!A complete log|code\b|errno|path).+|(?<!\s).*\bE(?:CONNREFUSED|ADDRINUSE|ACCES|NOENT|PERM|TIMEDOUT|MFILE)\b.*)$/;

/** Errors that tools showed and that no sentence tells of. */
function errorsShown(messages: readonly TranscriptMessage[], drafts: readonly Weighed[]): readonly Weighed[] {
  const lines = messages.flatMap((message) =>
    message.kind === 'result' && errorLinesIn(message.text).length > 0 ? errorLinesIn(clean(message.text)) : [],
  );
  const isTold = (line: string) =>
    drafts.some(({ category, content }) => category === 'error' && sharesName(line, content));
  return [...new Set(lines)]
    .filter((line) => !isTold(line))
    .slice(0, MAX_ERRORS_SHOWN)
    .map((line) => weighed('error', line, 3));
}

function errorLinesIn(text: string): readonly string[] {
  const drafts = text.split(/\r?\n/).flatMap((line) => {
    const error = line.length > 2000 ? undefined : SHOWN_ERROR.exec(line.trim())?.[1];
    return error === undefined ? [] : [shorten(error.replace(/\s+/g, ' ').trim(), 300)];
  });
  return drafts
    .filter(
      (line) =>
        line.split(' ').length >= 3 &&
        !/\b0 errors?\b|Warning:|AssertionError: expected|^\W*\/\/|error: \d|console\.error|could not compile|Exit code|previous errors?/i.test(
          line,
        ),
    )
    .slice(0, 3);
}

/** The same error under the same name, or in mostly the same words. */
function sharesName(line: string, content: string): boolean {
  const name = /\b\w+(?:Error|Exception)\b|\bTS\d{4}\b|\bE[A-Z]{4,}\b/.exec(line)?.[0];
  return (
    (name !== undefined && name !== 'Error' && content.includes(name)) || overlap(wordsOf(line), wordsOf(content)) > 0.4
  );
}

/** Of two that say nearly the same, the later or the longer one stays: it corrects or completes the other. */
const SAME_ABOVE = 0.6;

function withoutRepetitions(drafts: readonly Weighed[]): readonly Weighed[] {
  const distinct: { draft: Weighed; words: ReadonlySet<string> }[] = [];
  for (const draft of drafts) {
    const words = wordsOf(draft.content);
    const index = distinct.findIndex(
      (other) =>
        (overlap(other.words, words) > SAME_ABOVE || isWithin(words, other.words)) && hasFigures(other.words, words),
    );
    if (index < 0) distinct.push({ draft, words });
    else if (draft.content.length >= (distinct[index]?.draft.content.length ?? 0)) distinct[index] = { draft, words };
  }
  return distinct.map(({ draft }) => draft);
}

/** Another number is another fact. */
function hasFigures(words: ReadonlySet<string>, otherWords: ReadonlySet<string>): boolean {
  return [...otherWords].every((word) => !/^\d/.test(word) || words.has(word));
}

function isWithin(words: ReadonlySet<string>, otherWords: ReadonlySet<string>): boolean {
  if (words.size < 4 || words.size > otherWords.size) return false;
  let sharedCount = 0;
  for (const word of words) if (otherWords.has(word)) sharedCount++;
  return sharedCount >= 0.9 * words.size;
}

/** The strongest of too many, still in their order. */
function strongest<T extends { readonly weight: number }>(drafts: readonly T[], count: number): readonly T[] {
  if (drafts.length <= count) return drafts;
  const limit = drafts.map(({ weight }) => weight).toSorted((left, right) => right - left)[count - 1] ?? 0;
  let space = count - drafts.filter(({ weight }) => weight > limit).length;
  return drafts.filter(({ weight }) => weight > limit || (weight === limit && space-- > 0));
}

export function draft(category: ObservationCategory, text: string): ObservationDraft {
  return summarised(weighed(category, text, 0));
}

function summarised({ category, content: said }: Weighed): ObservationDraft {
  const content = withoutUnsound(said);
  return { category, content, summary: summaryOf(content) };
}

function weighed(category: ObservationCategory, text: string, weight: number): Weighed {
  return { category, content: shortened(inOneLine(text)), weight };
}

function shortened(text: string): string {
  if (text.length <= MAX_OBSERVATION_CHARACTERS) return text;
  const characters = [...text];
  return characters.length <= MAX_OBSERVATION_CHARACTERS
    ? text
    : `${characters.slice(0, MAX_OBSERVATION_CHARACTERS - 3).join('')}...`;
}

/** About 50 tokens. */
function summaryOf(content: string): string {
  const [first = content] = content.split(/(?<=[.!?])\s+(?=[^a-z])/);
  return shorten(first.length >= 20 ? first : content, MAX_SUMMARY);
}
