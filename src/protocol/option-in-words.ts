import { countCharacters, MAX_ANSWER_CHARACTERS } from './limits.js';
import type { Question, QuestionOption, QuestionPart, QuestionResponse } from './question.js';

/*
 * People answer in words what they could have chosen: "c", "Option C: both of them", the label itself, or "Yes, go
 * ahead" to an approval. Only an unambiguous text counts as a choice. A text with a condition or with more in it stays
 * text, and if text alone decides nothing, the person is asked to choose.
 */

export interface ChosenInWords {
  readonly optionIds: readonly string[];
  /** Whether the text names the option and says nothing else. */
  readonly isAll: boolean;
}

/** A choice made in words is that choice; words that only name an option become its label. */
export function understood({ questions }: Pick<Question, 'questions'>, response: QuestionResponse): QuestionResponse {
  const { answer, optionIds = [], ...rest } = response;
  const part = questions.find(({ id }) => id === response.questionId);
  if (part === undefined || answer === undefined || optionIds.length > 0) return response;
  const inWords = chosenInWords(part, answer);
  if (inWords === undefined) return response;
  return { ...rest, optionIds: inWords.optionIds, ...(inWords.isAll ? {} : { answer }) };
}

/** What people say to each other decides nothing that cannot be undone: that takes an option, or a command. */
export function isMereTalk(
  { status, consequence }: Pick<Question, 'status' | 'consequence'>,
  part: QuestionPart | undefined,
  words: string,
): boolean {
  if (status !== 'open' || consequence !== 'irreversible') return false;
  return part === undefined || chosenInWords(part, words) === undefined;
}

type Choice = Pick<QuestionPart, 'options' | 'multiSelect'>;

export function chosenInWords({ options = [], multiSelect = false }: Choice, text: string): ChosenInWords | undefined {
  if (options.length === 0 || countCharacters(text) > MAX_CHOICE_CHARACTERS) return undefined;
  const words = text.trim().replace(CURLY_APOSTROPHE, "'").replace(DASH, ' - ');
  const exactly = options.filter(({ id, label }) => [bareText(id), bareText(label)].includes(bareText(words)));
  if (exactly.length > 0) return exactly.length === 1 ? choiceOf(exactly, true) : undefined;
  if (words.includes('?')) return undefined;
  const several = listed(options, words);
  if (several.length > 1) return multiSelect ? choiceOf(several, true) : undefined;
  const [yes, no] = ['approve', 'reject'].map((id) => options.find((option) => option.id === id));
  if (yes !== undefined && no !== undefined) return decided({ yes, no }, words);
  const [aYes, aNo] = ['yes', 'no'].map((word) => options.find(({ label }) => bareText(label) === word));
  if (aYes === undefined || aNo === undefined) return namedOption(options, words);
  return decided({ yes: aYes, no: aNo }, words) ?? namedOption(options, words, { byLabel: false });
}

/** A letter and the longest label. */
const MAX_CHOICE_CHARACTERS = MAX_ANSWER_CHARACTERS + 100;
const CURLY_APOSTROPHE = /\u2019/g;
const DASH = /\s*[\u2013\u2014]\s*/g;
const OPENING = '["\'`(\\[*_\\u201c]{0,2}';
const CLOSING = '["\'`)\\]*_\\u201d]{0,2}';
const LEAD = String.raw`^(?:(?:please|just|ok(?:ay)?|yes),?\s+)*(?:(?:my\s+)?(?:answer|choice)(?:\s+is|\s*:)\s+|(?:(?:(?:i|we)(?:'d|'ll| would| will)?|let's|let us)\s+)?(?:use|take|choose|pick|prefer|want|go (?:with|for))\s+)?(?:the\s+)?`;
const COURTEOUS =
  /^(?:[\s.!]*(?:it is|it|this one|(?:this|the) (?:run|step)|this|now))?[\s,.!]*(?:(?:please|thanks|thank you)[\s.!]*)?$/i;
/** Words that make the words before them conditional. */
const CONDITION = `but|only (?:if|when|after|once)|if|unless|when|except|without|though|although|however|provided|providing|assuming|as (?:long|soon) as|once|after|before|until|later|yet`;
/** Words that take back the words before them. */
const REFUSAL = `no|nope|not|never|none|neither|nothing|nonsense|wrong|bad|too|is|isn't|was|would|actually|wait|hold on|let me|maybe|perhaps|(?:it )?depends|instead|rather|(?:i|we)(?:'d| would| will| do| can|'ll)?(?:n't| not|not| never)`;
const DROPPED =
  '(?:leave|drop|strike|remove|scrap|ditch|ignore|delete|exclude) (?:it|this|that|(?:the|this|that) option)';
const DENIAL = String.raw`${DROPPED}|(?:(?:please|it|this|that|they|he|she)\s+)?(?:do|does|did|wo|would|should|must|ca|can|could|will|may|is|are|has)(?:n't| not|not| never)|(?:i|we) (?:disagree|object|refuse|reject)|disagreed?|reject(?:ed)?|refused?|forbidden|impossible|unacceptable|off|disabled|avoid|skip|stop|cancel|undo|worse|ruled out|out of the question|hell no`;
const RESERVED = new RegExp(
  String.raw`^(?:(?:well|hmm|sorry|oh|definitely|absolutely|certainly|probably|of course)\W+)?(?:${CONDITION}|${REFUSAL}|${DENIAL}|only|or|and|plus)\b`,
  'i',
);
const CONDITIONAL = new RegExp(String.raw`^(?:not )?(?:${CONDITION})\b`);
/** Another thought, wherever it stands. */
const SECOND_THOUGHT =
  /\b(?:none of|neither of|on second thoughts?|i mean|instead|anyway|scratch that|whichever|whatever|hold on|hold off)\b|[\u{1f44e}\u274c\u{1f6ab}\u26d4\u{1f914}\u{1f937}]|(?<!\S)-1(?!\d)/iu;
/** Words that take only a part of the option. */
const LIMITED =
  /\b(?:only|except|excluding|apart from|other than|outside|without|depending|depends|conditional(?:ly)?|half of|partly|partially|mostly|in part|with (?:reservations|conditions|changes)|temporar(?:y|ily)|for (?:now|the moment|the time being)|at first|initially)\b/gi;
/** A verdict on the option, or a condition, wherever it stands. */
const JUDGED =
  /\b(?:under no|by no means|hardly|scarcely|barely|rarely|seldom|doubt\w*|hmm?|(?:not|un)sure|more info(?:rmation)?|opposite|reverse|vice versa|hard pass|pass on|thumbs down|(?:god|hell) no|terribl[ey]|horribl[ey]|awful|ugly|worst|bad idea|overkill|nonsense|hate|dislike|veto(?:ed)?|against|denied|nah|nay|meh|unsure|tbd|last (?:resort|choice)|forget (?:it|that|about)|dead body|kidding|yuck|ugh|unnecessary|needless|please no|but|unless|only (?:if|when|after|once)|as long as|provided|given that|subject to|contingent|pending|tentative(?:ly)?|(?:ask|check with|talk to) \w+ first|(?:disagree|forbid)s?|says? no|you decide|your call|up to you|no preference)\b|^(?:>|(?:explain|what|why|how)\b)/i;
/** Other languages are not guessed: their words for no, but and if, and what is not written in Latin letters. */
const FOREIGN =
  /(?<![\p{L}\p{M}])(?:nein|nicht|kein\p{L}*|nie|niemals|aber|nur|wenn|falls|sofern|erst|au(?:ss|\u00df)er|vielleicht|sauf|seulement|uniquement|peut-\u00eatre|excepto|salvo|s\u00f3lo|si|non(?!-)|pas|jamais|mais|pero|nunca|jam\u00e1s|n\u00e3o|nao|mas|niet|geen|nooit|maar|inte|nej|ikke)(?![\p{L}\p{M}])|[^\P{L}\p{Script=Latin}]/iu;

/**
 * `c`, `c)`, `(c)`, `option C: both of them`, `Use option c - both`, `c) Both`; the longest fitting label is the one
 * meant.
 */
function namedOption(
  options: readonly QuestionOption[],
  text: string,
  { byLabel = true }: { readonly byLabel?: boolean } = {},
): ChosenInWords | undefined {
  const isLong = text.includes('\n');
  const references = options
    .flatMap((option) => [
      // A word that begins a longer text may belong to the text.
      ...(isLong && option.id.length > 1 ? [] : [{ option, name: option.id, before: String.raw`(?:option\s+)?` }]),
      ...(isLong || !byLabel ? [] : namesIn(option.label).map((name) => ({ option, name, before: '' }))),
    ])
    .toSorted((left, right) => right.name.length - left.name.length);
  for (const { option, name, before } of references) {
    const pattern = `${before}${OPENING}${escapePattern(name)}(${CLOSING})`;
    const reference = new RegExp(String.raw`${LEAD}${pattern}(?=$|\s|[.:;,!]|-(?![\p{L}\p{N}]))`, 'iu').exec(text);
    if (reference === null) continue;
    if (references.some((other) => other.option !== option && bareText(other.name) === bareText(name)))
      return undefined;
    const rest = text.slice(reference[0].length);
    if (COURTEOUS.test(rest)) return choiceOf([option], true);
    const [, mark = '', otherWords = ''] = /^\s*([:;,.]|-+|)\s*(.*)$/s.exec(rest) ?? [];
    const isItsLabel = isLabelFirst(otherWords, option, mark !== '' || reference[1] !== '');
    const ends = mark === '' ? reference[1] !== '' : mark !== '.' || /\boption\b/i.test(reference[0]);
    const beside = isItsLabel ? otherWords.slice(option.label.trim().length) : otherWords;
    const more = beside.replace(/^[\s.!,;:()[\]"'\u201c-]+/, '');
    if (name === option.id && !isItsLabel && isVerdict(otherWords, option)) return undefined;
    if ((!isItsLabel && !ends) || RESERVED.test(more) || isTakenBack(more, option.label) || SECOND_THOUGHT.test(rest))
      return undefined;
    if (name !== option.id && options.some((other) => other !== option && beginsWith(other, option))) return undefined;
    const others = options.filter((other) => other !== option);
    if (others.some((other) => namesToo(otherWords, other, isItsLabel ? option.label : ''))) return undefined;
    return choiceOf([option], bareText(otherWords) === bareText(option.label) && name === option.id);
  }
  return undefined;
}

/** A label, and the words before what it explains: `Ask the architect again: REST or GraphQL?`. */
function namesIn(label: string): readonly string[] {
  const [, head] = /^(\S+ .*?)(?::| \(| about ")/.exec(label) ?? [];
  return head === undefined ? [label] : [label, head];
}

/** A single word beside a letter may be a verdict, in any language, unless the label has it: `c: nem`. */
function isVerdict(words: string, { label }: QuestionOption): boolean {
  const word = bareText(words);
  const labelWords = bareText(label).split(/[^\p{L}\p{N}]+/u);
  const isOfLabel = labelWords.some((one) => one === word || (word.length > 3 && one.startsWith(word)));
  return /^\S+$/.test(word) && !AGREEMENT.test(word) && !isOfLabel;
}

const AGREEMENT = /^(?:yes|yep|ok|okay|sure|agreed|approved|definitely|absolutely)$/;

/** Whether the words beside an option do not agree with it. A reason is no verdict: `c, because we hate b`. */
function isTakenBack(words: string, label: string): boolean {
  if (SECOND_THOUGHT.test(words) || FOREIGN.test(words)) return true;
  const [beforeReason = ''] = words.split(/\b(?:because|since)\b/i);
  const clauses = beforeReason.toLowerCase().split(/[,;.!]\s*|\s-+\s/);
  const limits = (beforeReason.match(LIMITED) ?? []).filter((word) => !bareText(label).includes(bareText(word)));
  return limits.length > 0 || JUDGED.test(beforeReason) || clauses.some((clause) => CONDITIONAL.test(clause));
}

/** Words after `Tokens` may be about `Tokens and sessions`. */
function beginsWith({ label }: QuestionOption, { label: beginning }: QuestionOption): boolean {
  return bareText(label).startsWith(bareText(beginning));
}

/** `c) Both of them` begins with the label. Without a mark between them the letter may be a word: `a test of our own`. */
function isLabelFirst(otherWords: string, { label }: QuestionOption, isMarked: boolean): boolean {
  const name = label.trim().replace(/[.!]+$/, '');
  const rest = otherWords.slice(name.length);
  if (otherWords.slice(0, name.length).toLowerCase() !== name.toLowerCase()) return false;
  return isMarked ? !/^[\p{L}\p{N}]/u.test(rest) : COURTEOUS.test(rest);
}

/** Whether the words beside one option are about another: `no, b`, `b or c`, `rather option b`, its label. */
function namesToo(otherWords: string, { id, label }: QuestionOption, optionText: string): boolean {
  const isInOwn = bareText(optionText).includes(bareText(label));
  const clauses = otherWords.split(/[,;.]\s*/);
  const name = escapePattern(id);
  // The others may be words of the text.
  const isLetter = /^[b-hj-z]$/i.test(id);
  return (
    (!isInOwn && clauses.some((clause) => bareText(clause).startsWith(bareText(label)))) ||
    (isLetter && new RegExp(String.raw`(?<![\w'-])${name}(?![\w'-])`, 'i').test(otherWords)) ||
    new RegExp(
      String.raw`^${name}(?=$|[\s,;.!/)])(?!\s+\w+\s)|\b(?:or|not|and)\s+\(?${name}(?=$|[,;.!)])|\boption\s+\(?${name}\b|[\s(]${name}[).!]*$|[\s(]${name}(?:[):]|\s+-)|(?:^|\s)${name}\s+(?:is|was|as|would|seems|looks)\b`,
      'i',
    ).test(otherWords)
  );
}

/** `a and c`: nothing but options. */
function listed(options: readonly QuestionOption[], text: string): readonly QuestionOption[] {
  const [, list = ''] = /^(?:options?\s+)?(.*?)[.!]?$/is.exec(text) ?? [];
  const ids = list.split(/\s*(?:,|&|\+|\band\b)\s*/i).filter((id) => id !== '');
  const listedOptions = ids.flatMap((id) => options.filter((option) => option.id.toLowerCase() === id.toLowerCase()));
  return listedOptions.length === ids.length ? listedOptions : [];
}

const YES =
  /^(?:option )?(?:y|yes(?: yes)*|yep|yeah|yup|sure|ok|okay|fine|agreed|approved?|(?:yes )?i (?:approve|agree)|go(?: ahead| for it)?|please (?:do|go ahead|proceed|approve)|do it|ship it|proceed|absolutely|certainly|definitely|by all means|that(?:'s| is) fine|lgtm|looks good|sounds good|of course)(?: (?:please|then|with it|to me|by me|with me|it|this|that|and do it))?$/;
/** As people react to a comment: a number, or a thumb in any colour. */
const THUMBS_UP = /^\+1(?!\d)|\u{1f44d}[\u{1f3fb}-\u{1f3ff}]?/gu;
const THUMBS_DOWN = /^-1(?!\d)|\u{1f44e}[\u{1f3fb}-\u{1f3ff}]?/gu;
const COURTESY = /^(?:please|thanks|thank you|thank you very much)$/;
const NO =
  /^(?:option )?(?:n|no(?: thanks| thank you| way)?|nope|nah|reject(?:ed)?(?: it| this| that)?|denied|declined|i (?:reject|disagree|object|do not (?:approve|agree)|don't (?:approve|agree))|(?:do not|don't)(?: approve)?|not approved|(?:absolutely|certainly|definitely|of course) not|never)(?:$|[,.;:!]| -| (?:do|go ahead)\b)/;

/** A no that agrees: to "Any objections?", as people hear what they are asked. */
const AGREES =
  /\b(?:all good|no (?:objections?|problems?|worries|issues?|concerns?)|not a problem|nothing (?:against|to add|to object)|(?:it|this|that) works|works for me|(?:i'm|i am) (?:fine|ok|okay|good|happy)|(?:let's|let us|just|please) (?:do (?:it|this|that)|go|proceed|ship|approve)|go (?:on|ahead)|you (?:may|can)(?! not)|looks? (?:good|fine|ok|okay|great))\b/;

/** A plain yes or no to an approval. A yes must stand alone, a no may give its reason; "not yet" is neither. */
function decided({ yes, no }: Readonly<Record<'yes' | 'no', QuestionOption>>, text: string): ChosenInWords | undefined {
  const words = text
    .toLowerCase()
    .replace(THUMBS_UP, ', yes,')
    .replace(THUMBS_DOWN, ', no,')
    .replace(/^[\s,]+/, '');
  const clauses = words
    .split(/[,.;:!]+|\s-+\s/)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '');
  if (clauses.length > 0 && clauses.every((clause) => YES.test(clause) || COURTESY.test(clause))) {
    return clauses.some((clause) => YES.test(clause)) ? choiceOf([yes], false) : undefined;
  }
  const isReserved =
    SECOND_THOUGHT.test(words) ||
    AGREES.test(words) ||
    clauses.some((one) => YES.test(one) || CONDITIONAL.test(one) || /^wait\b/.test(one));
  return NO.test(words) && !isReserved ? choiceOf([no], false) : undefined;
}

function choiceOf(options: readonly QuestionOption[], isAll: boolean): ChosenInWords {
  return { optionIds: options.map(({ id }) => id), isAll };
}

const bareText = (text: string): string =>
  text
    .trim()
    .replace(/[.!]+$/, '')
    .toLowerCase();

/** The words beside the option with which a text begins. */
export function saidBeside({ id, label }: QuestionOption, text: string): string {
  const reference = new RegExp(
    `^(?:option\\s+)?(?:${escapePattern(label)}|${escapePattern(id)})(?:\\s*(?:[:;,.]|-+)\\s*|$)`,
    'i',
  );
  return text.trim().replace(reference, '');
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
