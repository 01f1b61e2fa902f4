import { isAmount, isCompatible, type Kind, kindOf } from './question-kinds.js';
import {
  exactIn,
  goesOtherWay,
  hasOpposites,
  objectsIn,
  POLE_OF,
  settingOf,
  TURNS,
  withoutWhat,
} from './question-signs.js';
import {
  COMMON,
  isSameWord,
  joined,
  LIGHT,
  rawWords,
  STOP_WORDS,
  stem,
  stemsIn,
  withoutChatter,
  withUnits,
} from './question-words.js';

/*
 * Whether a question that was decided before is the question that is asked now. A wrong answer costs more than asking
 * again, so this is a match or nothing. Everything that could make it a different question must be the same: numbers,
 * names in code, environments, opposites, denial, the kind of question. Most of the other words must be the same, too.
 */

export interface AskedQuestion {
  readonly issueNumber: number;
  readonly topic: string;
  readonly question: string;
  /** What was decided. */
  readonly answer?: string;
}

/** How well a decided question fits, from 0 to 1; 0 for what is another question. */
export function sameQuestion(question: AskedQuestion, decidedQuestion: AskedQuestion): number {
  const left = read(question);
  const right = read(decidedQuestion);
  const isOtherIssue = question.issueNumber !== decidedQuestion.issueNumber;
  if (isOtherIssue && (POINTS_AT_ISSUE.test(question.question) || POINTS_AT_ISSUE.test(decidedQuestion.question)))
    return 0;
  if (!isOtherIssue && isToTheLetter(question, decidedQuestion)) return 1;
  if (differs(left, right)) return 0;
  const score = likeness(left, right);
  return isOtherIssue && score < ACROSS_ISSUES ? 0 : score;
}

/** However few its words are: asked of the same issue under the same topic, it is the same question. */
function isToTheLetter(question: AskedQuestion, decidedQuestion: AskedQuestion): boolean {
  return (
    letters(question.question) === letters(decidedQuestion.question) &&
    letters(question.topic) === letters(decidedQuestion.topic)
  );
}

const letters = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, ' ')
    .trim();

/** From this likeness on, the earlier answer is given. Calibrated by `npm run bench -- answers`. */
export const CONFIDENT = 0.8;
/** Another issue has other artifacts: there the words must be nearly the same. */
const ACROSS_ISSUES = 1;

const [MAXIMUM, MINIMUM] = [stem('maximum'), stem('minimum')];

interface Read {
  /** The words that carry the question, as stems. */
  readonly words: readonly string[];
  readonly topic: readonly string[];
  readonly exact: ReadonlySet<string>;
  readonly settings: ReadonlySet<string>;
  readonly poles: ReadonlySet<string>;
  /** Small words that change what is asked. */
  readonly turns: ReadonlySet<string>;
  /** What prepositions belong to. */
  readonly objects: ReturnType<typeof objectsIn>;
  readonly kind: Kind;
  /** It asks for a thing, so that a verb like "get" says little; whether we "get" or "give" is another question. */
  readonly isAboutThing: boolean;
  /** Of a question how something is done, what is done. */
  readonly verb: string | undefined;
  /** Of a question which one it is, what it may be. */
  readonly things: readonly string[];
  /** What it asks the number of. */
  readonly counted: string | undefined;
  readonly without: string | undefined;
  readonly mayDo: boolean;
  readonly mustDo: boolean;
  readonly raw: readonly string[];
  /** What an answer to it says. */
  readonly answer: ReadonlySet<string>;
}

function read({ topic, question, answer = '' }: AskedQuestion): Read {
  const text = joined(withUnits(withoutChatter(question).toLowerCase()));
  const kind = kindOf(text);
  const mayDo = /\b(?:may|can|could|able|allow(?:s|ed)?|permit(?:s|ted)?|possible|visible|\w{4,}able)\b/.test(text);
  // Whether it is done and whether it is needed is one question.
  const isSaid = (word: string) => settingOf(word) === undefined && !(kind === 'yesno' && word === 'required');
  const words = stemsIn(text, isSaid);
  return {
    // How many are allowed asks for the most, and so does after how many something ends.
    words:
      (mayDo || COUNTS_UP_TO.test(question)) && isAmount(kind) && !words.includes(MINIMUM)
        ? [...new Set([...words, MAXIMUM])]
        : words,
    topic: stemsIn(joined(topic.toLowerCase())),
    exact: exactIn(withUnits(question)),
    settings: new Set(rawWords(text).flatMap((word) => settingOf(word) ?? [])),
    poles: new Set(rawWords(text).filter((word) => POLE_OF.has(word))),
    turns: new Set(TURNS.filter(([, pattern]) => pattern.test(text)).map(([turn]) => turn)),
    objects: objectsIn(rawWords(text)),
    kind,
    isAboutThing: kind === 'choice' || kind === 'place' || kind === 'frequency',
    verb: kind === 'manner' ? verbOf(text) : undefined,
    things: kind === 'choice' ? thingsOf(text) : [],
    counted: /\bhow many (?:different |distinct |concurrent |parallel |simultaneous )?([\p{L}\p{N}_-]+)/iu.exec(
      question,
    )?.[1],
    without: withoutWhat(text),
    mayDo,
    mustDo: /\b(?:must|required|mandatory|obliged)\b/.test(text),
    raw: rawWords(inOrder(text)),
    answer: new Set(stemsIn(answer.toLowerCase())),
  };
}

const COUNTS_UP_TO = /\bafter how many (?!\w+s ago)|\bhow many\b(?!.*\b(?:need|required|must)).*\b(?:before|until)\b/i;

/** "How are files named", "how do we name files". */
function verbOf(text: string): string | undefined {
  const done = /\bhow (?:do|does|should|shall|can|must|will) (?:we|you|they|i) (\w+)/.exec(text)?.[1];
  const verb = done ?? /\bhow (?:is|are|was|were|should|must|will) [^?]*\b(\w+(?:ed|en|wn|lt|pt))\b/.exec(text)?.[1];
  return verb === undefined ? undefined : stem(verb);
}

/** "Which name do files get", "what are files called". */
function thingsOf(text: string): readonly string[] {
  const [, first = '', second = ''] = /\b(?:which|what)(?: is the| are the)? (\w+)(?: (\w+))?/.exec(text) ?? [];
  const called = /\bwhat (?:is|are) [^?]*\b(called|named)\b/.exec(text)?.[1] ?? '';
  return [first, second, called].filter((word) => word !== '' && !STOP_WORDS.has(word)).map(stem);
}

/** "At signup, is it required?" is "is it required at signup?", and names of users are user names. */
function inOrder(text: string): string {
  return text
    .replace(
      /^([^,:?]{3,60})[,:] ((?:is|are|do|does|should|can|may|must|will|which|what|how|who|where)\b[^?]*)\?/,
      '$2 $1',
    )
    .replace(/\b([\p{L}-]+) of (?:the |an? |our |all )?([\p{L}-]+)/gu, '$2 $1');
}

function differs(left: Read, right: Read): boolean {
  const isOtherKind =
    !isCompatible(left.kind, right.kind) &&
    ![isSameBound, isSameManner, isSameOffer].some((isSame) => isSame(left, right));
  if (!isEqual(left.turns, right.turns) || isOtherKind || isOtherDuty(left, right)) return true;
  if (!isEqual(left.settings, right.settings) || hasOpposites(left.poles, right.poles)) return true;
  if (
    left.counted !== undefined &&
    right.counted !== undefined &&
    stem(left.counted.toLowerCase()) !== stem(right.counted.toLowerCase())
  )
    return true;
  if (left.without !== right.without) return true;
  if (goesOtherWay(left.objects, right.objects) || isReordered(left, right)) return true;
  return !isEqual(left.exact, right.exact) && !namesOnlyIn(left, right);
}

/** "Which version at least" is "what is the minimum version". */
function isSameBound(left: Read, right: Read): boolean {
  const isBound = ({ words }: Read) => words.includes(MAXIMUM) || words.includes(MINIMUM);
  return [left.kind, right.kind].toSorted().join() === 'choice,quantity' && isBound(left) && isBound(right);
}

/** "Where is it described, in the wiki or in the code" is "do we describe it in the wiki or in the code". */
function isSameOffer(left: Read, right: Read): boolean {
  const kinds = [left.kind, right.kind].toSorted().join();
  return (kinds === 'choice,place' || kinds === 'choice,time') && left.raw.includes('or') && right.raw.includes('or');
}

/** "How are files named" is "which name do files get": what the one does is what the other asks for. */
function isSameManner(left: Read, right: Read): boolean {
  if (left.verb === undefined && right.verb === undefined) return false;
  const asks = ({ verb }: Read, { things }: Read) =>
    verb !== undefined && things.some((thing) => isSameWord(thing, verb));
  return asks(left, right) || asks(right, left);
}

/** Whether it may be done is another question than whether it is done or must be. */
function isOtherDuty(left: Read, right: Read): boolean {
  if ((left.mayDo && right.mustDo && !right.mayDo) || (right.mayDo && left.mustDo && !left.mayDo)) return true;
  return left.kind === 'yesno' && right.kind === 'yesno' && left.mayDo !== right.mayDo;
}

/**
 * The same words in another order, from the first one on or two of them in each other's place: "may admins remove users", "may
 * users remove admins". The sides of an "or" may change places; the passive, and what we do, have another order anyway.
 */
function isReordered({ raw: left, things }: Read, { raw: right, things: otherThings }: Read): boolean {
  if (left.includes('or') || isTurnedRound(left) !== isTurnedRound(right) || isOurs(left) !== isOurs(right))
    return false;
  const [one = [], other = []] = [left, right].map((words) =>
    words.filter((word) => word !== 'handle' && !STOP_WORDS.has(word)).map(stem),
  );
  if (one.toSorted().join(' ') !== other.toSorted().join(' ')) return false;
  const moved = one.flatMap((word, place) => (word === other[place] ? [] : [place]));
  const [first = 0, second = 0] = moved;
  // "Which library do we use for dates" is "what date library do we use".
  const isCompound =
    moved.length === 2 &&
    second === 1 &&
    things.some((thing) => otherThings.includes(thing) && one.slice(0, 2).includes(thing));
  if (isCompound) return false;
  const end = (moved.at(-1) ?? 0) + 1;
  const isRotated = moved.length > 2 && isLastFirst(one.slice(first, end), other.slice(first, end));
  if (isRotated && tellsWhatIs(left) && tellsWhatIs(right)) return false;
  return moved.length > 0 && (first === 0 || (moved.length === 2 && second > first + 1));
}

/** "Which level is the default" is "what is the default level". */
const tellsWhatIs = (words: readonly string[]): boolean =>
  / (?:is|are) the /.test(words.join(' ')) && !words.includes('by');

const isLastFirst = (one: readonly string[], other: readonly string[]): boolean =>
  [other.at(-1), ...other.slice(0, -1)].join(' ') === one.join(' ') ||
  [one.at(-1), ...one.slice(0, -1)].join(' ') === other.join(' ');

const isTurnedRound = (words: readonly string[]): boolean =>
  words.some((word) => ['is', 'are', 'be', 'been', 'was', 'were'].includes(word));

const isOurs = (words: readonly string[]): boolean => words.some((word) => ['we', 'i', 'you'].includes(word));

/** One side may name the options of a choice that the other leaves open; a number is never left open. */
function namesOnlyIn(left: Read, right: Read): boolean {
  const [few, many] = left.exact.size < right.exact.size ? [left, right] : [right, left];
  const extra = [...many.exact].filter((name) => !few.exact.has(name));
  const isWithin = [...few.exact].every((name) => many.exact.has(name));
  return isWithin && many.kind === 'choice' && extra.every((name) => !/\d/.test(name)) && extra.length >= 2;
}

/**
 * Each word stands for one word of the other side. If each side has a word that the other lacks, one word has replaced
 * another. If only one side has such a word, it narrows the question. In neither case is it certainly the same
 * question.
 */
function likeness(left: Read, right: Read): number {
  const { shared: paired, onlyLeft, onlyRight } = pairedOff(left, right);
  const sameName = [...left.exact].some((name) => right.exact.has(name)) ? 1 : 0;
  const shared = paired + left.settings.size + sameName + (sharesVerb(left.words, right.words) ? 1 : 0);
  const extraLeft = withoutTopic(onlyLeft, right);
  const extraRight = withoutTopic(onlyRight, left);
  // One word in common is a subject, not a question.
  if ((extraLeft.length > 0 && extraRight.length > 0) || shared < 2) return 0;
  const extra = extraLeft.length + extraRight.length;
  return extra === 0 ? 1 : Math.min(shared / (shared + extra), NARROWED);
}

/** Of the words that many questions have, one that both have. */
function sharesVerb(left: readonly string[], right: readonly string[]): boolean {
  return left.some((word) => COMMON.has(word) && right.some((other) => isSameWord(other, word)));
}

/** The score of a question that says more than the other one: too low to be answered without asking. */
const NARROWED = 0.75;

/** Equal words first, then those that mean the same. */
function pairedOff(left: Read, right: Read) {
  const [leftWords, rightWords] = [left, right].map(({ words }) => words.filter((word) => !COMMON.has(word)));
  const rest = [...(rightWords ?? [])];
  const take = (word: string, isSame: (other: string) => boolean): boolean => {
    const place = rest.findIndex((other) => isSame(other));
    if (place >= 0) rest.splice(place, 1);
    return place >= 0 && word !== '';
  };
  const unequal = (leftWords ?? []).filter((word) => !take(word, (other) => other === word));
  const onlyLeft = unequal.filter((word) => !take(word, (other) => isSameWord(other, word)));
  const shared = (leftWords ?? []).length - onlyLeft.length;
  const isLight = (left.isAboutThing || right.isAboutThing) && (onlyLeft.length === 0 || rest.length === 0);
  const heavy = (words: readonly string[], { things }: Read, other: Read) =>
    words.filter(
      (word) => !(isLight && LIGHT.has(word)) && !isAskedFor(word, things, other) && !other.answer.has(word),
    );
  return { shared, onlyLeft: heavy(onlyLeft, left, right), onlyRight: heavy(rest, right, left) };
}

/** `Which algorithm do we hash with` is `what do we hash with`: the other side leaves open what kind of thing it asks for. */
function isAskedFor(word: string, things: readonly string[], other: Read): boolean {
  return things.includes(word) && other.kind === 'choice' && other.things.length === 0;
}

/** What the other side's topic says, its question need not repeat. */
function withoutTopic(words: readonly string[], { topic }: Read): readonly string[] {
  return words.filter((word) => !topic.some((other) => isSameWord(other, word)));
}

const POINTS_AT_ISSUE =
  /\b(?:this|these|here|our new|the new|above|below|the (?:story|task|feature|ticket|issue|spec|endpoint|page|screen|form|job|step|change))\b/i;

function isEqual(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every((word) => right.has(word));
}
