import { isAmount, isCompatible, type Kind, kindOf } from './question-kinds.js';
import {
  directionIn,
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
  BETWEEN,
  CLASSES,
  COMMON,
  isSameWord,
  joined,
  LIGHT,
  LIGHT_OF_AMOUNTS,
  LIGHT_OF_COUNTS,
  LIGHT_OF_EVENTS,
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
  const pairing = pairedOff(left, right);
  if (differs(left, right, pairing)) return 0;
  const score = likeness(left, right, pairing);
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
  /** What its topic and the sentences around it say: the question need not repeat it. */
  readonly around: readonly string[];
  readonly exact: ReadonlySet<string>;
  readonly settings: ReadonlySet<string>;
  readonly poles: ReadonlySet<string>;
  /** Small words that change what is asked. */
  readonly turns: ReadonlySet<string>;
  /** What prepositions belong to. */
  readonly objects: ReturnType<typeof objectsIn>;
  readonly kind: Kind;
  readonly direction: string | undefined;
  /** It asks for a thing, so that a verb like "get" says little; whether we "get" or "give" is another question. */
  readonly isAboutThing: boolean;
  /** Of a question how something is done, what is done. */
  readonly verb: string | undefined;
  /** Of a question which one it is, what it may be. */
  readonly things: readonly string[];
  /** It asks what it is, and not which of a kind. */
  readonly isOpen: boolean;
  /** "Which column is the key" is "what is the key". */
  readonly ofKind: string | undefined;
  /** What it asks the number of. */
  readonly counted: string | undefined;
  readonly without: string | undefined;
  readonly mayDo: boolean;
  readonly mustDo: boolean;
  readonly raw: readonly string[];
  /** What an answer to it says. */
  readonly answer: readonly string[];
}

function read({ topic, question, answer = '' }: AskedQuestion): Read {
  const { asking, around } = sentencesOf(withoutChatter(question));
  const text = spelled(asking);
  const kind = kindOf(text);
  const [duty = ''] = text.split(/ or (?=(?:is|are|do|does|should|can|may|must|will)\b)/);
  const mayDo = /\b(?:may|can|could|able|allow(?:s|ed)?|permit(?:s|ted)?|possible|visible|\w{4,}able)\b/.test(duty);
  // Whether it is done and whether it is needed is one question.
  const isSaid = (word: string) =>
    settingOf(word) === undefined &&
    !(kind === 'threshold' && /^(?:level|threshold|point|percentage)$/.test(word)) &&
    !(IS_NEEDED.has(kind) && word === 'required');
  const words = stemsIn(text, isSaid);
  return {
    // How many are allowed asks for the most, and so does after how many something ends.
    words:
      (mayDo || COUNTS_UP_TO.test(question)) && (isAmount(kind) || kind === 'frequency') && !words.includes(MINIMUM)
        ? [...new Set([...words, MAXIMUM])]
        : words,
    around: [...stemsIn(joined(topic.toLowerCase())), ...stemsIn(spelled(around))],
    exact: exactIn(withUnits(asking)),
    settings: new Set(rawWords(`${spelled(around)} ${text}`).flatMap((word) => settingOf(word) ?? [])),
    poles: new Set(rawWords(text).filter((word) => POLE_OF.has(word))),
    turns: new Set(TURNS.filter(([, pattern]) => pattern.test(text)).map(([turn]) => turn)),
    objects: objectsIn(rawWords(text)),
    kind,
    direction: directionIn(text),
    isAboutThing: THINGS.has(kind),
    verb: kind === 'manner' ? verbOf(text) : undefined,
    things: kind === 'choice' ? thingsOf(text) : [],
    isOpen: /\bwhat (?:(?:is|are)(?! the)|do|does|should|must|can|may|will)\b/.test(text),
    ofKind: /\b(?:which|what) (\w+) (?:is|are) the\b/.exec(text)?.[1],
    counted: /\bhow many (?:different |distinct |concurrent |parallel |simultaneous )?([\p{L}\p{N}_-]+)/iu
      .exec(question)?.[1]
      ?.replace(/^(?:attempts|tries|retries)$/i, 'times'),
    without: withoutWhat(text),
    mayDo,
    mustDo: /\b(?:must|required|mandatory|obliged)\b/.test(duty),
    raw: rawWords(inOrder(text)),
    answer: stemsIn(spelled(answer)),
  };
}

const THINGS: ReadonlySet<Kind> = new Set([
  'choice',
  'alternative',
  'existence',
  'threshold',
  'place',
  'frequency',
  'time',
  'person',
]);

const IS_NEEDED: ReadonlySet<Kind> = new Set(['yesno', 'alternative', 'person']);

const spelled = (text: string): string => joined(withUnits(text.toLowerCase()));

/** What asks, and what is said around it. A question that says too little by itself is one with what stands around it. */
function sentencesOf(question: string): { readonly asking: string; readonly around: string } {
  const sentences = question
    .replace(AT_WORK, '$1. ')
    .split(/(?<=[.!?]|:(?=\s+(?:is|are|do|does|should|can|may|must|which|what|how|who|where|when)\b))\s+/i);
  const asking = sentences.filter((sentence) => sentence.includes('?')).join(' ');
  if (stemsIn(spelled(asking)).filter((word) => !COMMON.has(word)).length < 2) return { asking: question, around: '' };
  return { asking, around: sentences.filter((sentence) => !sentence.includes('?')).join(' ') };
}

const AT_WORK =
  /^((?:i|i'm|i am|we are|we're|while|before i|when i|now that i)\b[^,?]*), (?=(?:is|are|do|does|should|can|may|must|which|what|how|who|where|when)\b)/i;

const COUNTS_UP_TO = /\bafter how many (?!\w+s ago)|\bhow many\b(?!.*\b(?:need|required|must)).*\b(?:before|until)\b/i;

/** "How are files named", "how do we name files". */
function verbOf(text: string): string | undefined {
  const done = /\bhow (?:do|does|should|shall|can|must|will) (?:we|you|they|i) (\w+)/.exec(text)?.[1];
  const theirs =
    /\bhow (?:do|does|should|can|must|will) (?:the |an? |our )?(?:\w+ ){1,2}?(\w+)(?= (?:with|to|in|on|at|from|for|by|against)\b|\?|$)/.exec(
      text,
    )?.[1];
  const verb =
    done ?? theirs ?? /\bhow (?:is|are|was|were|should|must|will) [^?]*\b(\w+(?:ed|en|wn|lt|pt))\b/.exec(text)?.[1];
  return verb === undefined ? undefined : stem(verb);
}

/** "Which name do files get", "what are files called". */
function thingsOf(text: string): readonly string[] {
  const [, first = '', ...others] =
    /\b(?:which|what)(?: is the| are the)? (\w+)(?: (\w+))?(?: (\w+))?/.exec(text) ?? [];
  const called = /\bwhat (?:is|are) [^?]*\b(called|named)\b/.exec(text)?.[1] ?? '';
  const end = [first, ...others].findIndex((word) => word === undefined || STOP_WORDS.has(word));
  const named = end < 0 ? [first, ...others] : [first, ...others].slice(0, Math.max(end, 0));
  const asked = [...named, called];
  return asked.filter((word) => word !== '' && !STOP_WORDS.has(word)).map(stem);
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

function differs(left: Read, right: Read, pairing: Pairing): boolean {
  const isOtherKind =
    !isCompatible(left.kind, right.kind) &&
    !isAboutAnswer(left, right, pairing) &&
    ![isSameBound, isSameManner].some((isSame) => isSame(left, right));
  if (!isEqual(left.turns, right.turns) || isOtherKind || isOtherDuty(left, right)) return true;
  if (!isEqual(left.settings, right.settings) || hasOpposites(left.poles, right.poles)) return true;
  if (
    left.counted !== undefined &&
    right.counted !== undefined &&
    stem(left.counted.toLowerCase()) !== stem(right.counted.toLowerCase())
  )
    return true;
  if (left.without !== right.without || asksWhichOne(left, right)) return true;
  if (left.direction !== undefined && right.direction !== undefined && left.direction !== right.direction) return true;
  if (goesOtherWay(left, right) || isReordered(left, right)) return true;
  if (tellsAlone(left, right) && tellsAlone(right, left)) return true;
  return !hasNames(left, right, pairing.offeredLeft) || !hasNames(right, left, pairing.offeredRight);
}

/** "Audit logs: how long?" is not "access logs: how long?": each has a word around it that the other has nowhere. */
function tellsAlone(one: Read, other: Read): boolean {
  const words = [...other.around, ...other.words, ...other.answer];
  return one.around.some((word) => !COMMON.has(word) && !words.some((otherWord) => isSameWord(otherWord, word)));
}

/** "Which customer pays per message?" does not ask whether a customer pays per message or per device. */
function asksWhichOne({ kind, things }: Read, other: Read): boolean {
  const isOpen = things.some((thing) => CLASSES.has(thing));
  return (
    !isOpen && kind === 'choice' && other.kind === 'alternative' && things.some((thing) => other.words.includes(thing))
  );
}

/** Names and numbers that the other side lacks are of no matter where they are what is offered for an answer. */
function hasNames(one: Read, other: Read, offered: readonly string[]): boolean {
  const known = new Set([...offered, ...other.answer, ...other.around, ...other.words]);
  return [...one.exact].every(
    (name) =>
      other.exact.has(name) ||
      known.has(stem(name)) ||
      name.split(/[^\p{L}\p{N}]+/u).every((part) => known.has(stem(part))),
  );
}

/**
 * One side asks what it is, and the other one whether it is this or that: the same question, if this or that is what was
 * answered, or the same kind of amount.
 */
function isAboutAnswer(left: Read, right: Read, { offeredLeft, offeredRight, onlyLeft, onlyRight }: Pairing): boolean {
  // Who said what it is has said that there is one.
  if (left.kind === 'existence' && onlyLeft.length === 0 && onlyRight.length === 0) return right.kind !== 'yesno';
  if (isSameOffer(left, right)) return true;
  if (onlyLeft.length === 0 && onlyRight.length === 0 && (isSameWay(left, right) || isSameWay(right, left)))
    return true;
  // What was answered is of the kind that the earlier question asks for.
  const isAnswer = offeredLeft.some((word) => right.answer.some((other) => isSameWord(other, word)));
  return (
    (isAnswer && right.kind !== 'reason' && !isAmount(right.kind)) ||
    (offeredLeft.length > 0 && mayBeAnswered(right.kind, offeredLeft)) ||
    (offeredRight.length > 0 && mayBeAnswered(left.kind, offeredRight))
  );
}

/** "Which version at least" is "what is the minimum version". */
function isSameBound(left: Read, right: Read): boolean {
  const isBound = ({ words }: Read) => words.includes(MAXIMUM) || words.includes(MINIMUM);
  return [left.kind, right.kind].toSorted().join() === 'choice,quantity' && isBound(left) && isBound(right);
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
  if (left.kind === 'person' && right.kind === 'person') return false;
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

const isOurs = (words: readonly string[]): boolean => words.some((word) => ['we', 'i', 'you', 'us'].includes(word));

/**
 * Each word stands for one word of the other side. If each side has a word that the other lacks, one word has replaced
 * another. If only one side has such a word, it narrows the question. In neither case is it certainly the same
 * question.
 */
function likeness(left: Read, right: Read, { shared: paired, onlyLeft, onlyRight }: Pairing): number {
  const sameName = [...left.exact].some((name) => right.exact.has(name)) ? 1 : 0;
  const shared = paired + left.settings.size + sameName + sharedCommon(left.words, right.words);
  // One word in common is a subject, not a question.
  if ((onlyLeft.length > 0 && onlyRight.length > 0) || shared < 2) return 0;
  if (right.kind !== 'yesno' && onlyRight.length === 1 && isLeftOut(onlyRight[0] ?? '', left, right) && shared >= MANY)
    return LEFT_OUT;
  const extra = onlyLeft.length + onlyRight.length;
  return extra === 0 ? 1 : Math.min(shared / (shared + extra), NARROWED);
}

/** Of the words that many questions have, those that both have. */
function sharedCommon(left: readonly string[], right: readonly string[]): number {
  return left.filter((word) => COMMON.has(word) && right.some((other) => isSameWord(other, word))).length;
}

/** With so many words in common, the one that is left out is understood. */
const MANY = 3;
/** Enough on the same issue, and not on another one. */
const LEFT_OUT = 0.9;

/**
 * An agent that asks again says less. What is left out must not be a word that tells one thing from others of its kind, as those in
 * front of a noun do, and nothing may stand in its place.
 */
function isLeftOut(stemOfWord: string, left: Read, right: Read): boolean {
  const place = right.raw.findIndex((other) => stem(other) === stemOfWord);
  const [before = '', word = '', after = 'of'] = [right.raw[place - 1], right.raw[place], right.raw[place + 1]];
  const isInFront = !STOP_WORDS.has(after) && !['we', 'i', 'you', 'they'].includes(before);
  const isAdjective =
    isInFront || /(?:ed|al|ive|ic|ary|ous|less|ful|able|en|ly)$/.test(word) || POLE_OF.has(word) || word === 'default';
  const [stems, others] = [left, right].map(({ raw }) => raw.filter((other) => !STOP_WORDS.has(other)).map(stem));
  const instead = others?.filter((other) => !stems?.includes(other)) ?? [];
  const isNew = (other: string, place: number) =>
    stems?.indexOf(other) === place
      ? !others?.includes(other) &&
        !(left.kind === right.kind && HOW_MUCH.has(other)) &&
        !instead.some((one) => one !== stemOfWord && isSameWord(one, other))
      : (stems?.filter((one) => one === other).length ?? 0) > (others?.filter((one) => one === other).length ?? 0);
  const isTwofold = right.raw.filter((other) => /^(?:which|what|how|who|where|when)$/.test(other)).length > 1;
  return !isAdjective && !isTwofold && stems?.some(isNew) === false;
}

const HOW_MUCH: ReadonlySet<string> = new Set('many much number maximum'.split(' ').map(stem));

/** The score of a question that says more than the other one: too low to be answered without asking. */
const NARROWED = 0.75;

interface Pairing {
  readonly shared: number;
  /** What one side alone says and what makes a difference. */
  readonly onlyLeft: readonly string[];
  readonly onlyRight: readonly string[];
  /** What one side offers for an answer and the other one leaves open. */
  readonly offeredLeft: readonly string[];
  readonly offeredRight: readonly string[];
}

/** Equal words first, then those that mean the same. */
function pairedOff(left: Read, right: Read): Pairing {
  const [leftWords = [], rightWords = []] = [left, right].map(({ words }) => words.filter((word) => !COMMON.has(word)));
  const rest = [...rightWords];
  const take = (word: string, isSame: (other: string) => boolean): boolean => {
    const place = rest.findIndex((other) => isSame(other));
    if (place >= 0) rest.splice(place, 1);
    return place >= 0 && word !== '';
  };
  const unequal = leftWords.filter((word) => !take(word, (other) => other === word));
  const onlyLeft = unequal.filter((word) => !take(word, (other) => isSameWord(other, word)));
  const { answer } = right;
  const offeredRight = offeredBy(right, left, rest, answer, false);
  const offeredLeft = offeredBy(left, right, onlyLeft, answer, offeredRight.length > 0);
  const heavy = (
    words: readonly string[],
    one: Read,
    other: Read,
    offered: readonly string[],
    others: readonly string[],
  ) =>
    words.filter(
      (word) =>
        !offered.includes(word) &&
        !repeats(word, one, words) &&
        !other.answer.includes(word) &&
        !isAskedFor(word, one, other, others, offered) &&
        !other.around.some((around) => isSameWord(around, word)),
    );
  const heavyLeft = heavy(onlyLeft, left, right, offeredLeft, offeredRight);
  const heavyRight = heavy(rest, right, left, offeredRight, offeredLeft);
  const light = lightIn(left, right, [...offeredLeft, ...offeredRight]);
  const isOneSided = heavyLeft.length === 0 || heavyRight.length === 0;
  const withoutLight = (words: readonly string[]) =>
    isOneSided ? words.filter((word) => !light.has(word) && !BETWEEN.has(word)) : words;
  return {
    shared: leftWords.length - onlyLeft.length,
    onlyLeft: withoutLight(heavyLeft),
    onlyRight: withoutLight(heavyRight),
    offeredLeft,
    offeredRight,
  };
}

/** "Which database holds it?", "is it in Redis?", "what holds it?": what kind of thing it is need not be said. */
function isAskedFor(word: string, one: Read, other: Read, others: readonly string[], own: readonly string[]): boolean {
  if (CLASSES.has(word) && others.length + own.length > 0) return true;
  if (!one.things.includes(word)) return false;
  // What was answered is what the other side offers, so it is of that kind.
  if (one.answer.length > 0 && others.length > 0) return true;
  return other.kind === 'choice' && (other.isOpen || (one.ofKind !== undefined && stem(one.ofKind) === word));
}

/** What one of the two may say beyond the other, since it says nothing of what is asked for. */
function lightIn(left: Read, right: Read, offered: readonly string[]): ReadonlySet<string> {
  const isDuration = left.kind === 'duration' && right.kind === 'duration';
  if (offered.some(isAmountOf)) return LIGHT_WITH_AMOUNTS;
  if (left.isAboutThing || right.isAboutThing) return LIGHT;
  if (isDuration) return LIGHT_OF_AMOUNTS;
  if (left.kind === 'yesno' && right.kind === 'yesno') return LIGHT_OF_EVENTS;
  return isAmount(left.kind) || isAmount(right.kind) ? LIGHT_OF_COUNTS : NONE;
}

const NONE: ReadonlySet<string> = new Set();
const LIGHT_WITH_AMOUNTS: ReadonlySet<string> = new Set([...LIGHT, ...LIGHT_OF_AMOUNTS]);

/** "After how many attempts do we stop trying" says the same thing twice; what is retried has failed. */
const repeats = (word: string, { words }: Read, only: readonly string[]): boolean =>
  words.some(
    (other) =>
      other !== word && !only.includes(other) && (isSameWord(other, word) || (other === RETRY && word === FAIL)),
  );
const [RETRY, FAIL] = [stem('retry'), stem('fail')];

/**
 * What one side offers and the other does not name: "in Redis or in memory?" offers both, and "is it kept in Redis?" the one that
 * was answered. Something of it must be what was answered, unless amounts are offered with an "or".
 */
function offeredBy(
  one: Read,
  other: Read,
  only: readonly string[],
  answer: readonly string[],
  isReplacing: boolean,
): readonly string[] {
  const wasAnswered = (word: string) => answer.some((other) => isSameWord(other, word));
  const isAnswer = (word: string) => wasAnswered(word) || (isAmountOf(word) && isAsked(other.kind));
  const sides = besideOr(one.raw, (word) => only.includes(stem(word)) || /^\d/.test(word)).map(stem);
  // What was decided is one of those that the earlier question offered.
  if (sides.length > 0) {
    if (isReplacing) return isSameOffer(one, other) && sides.some(isAnswer) ? sides : [];
    return one.answer.length > 0 || isSameOffer(one, other) || sides.some(isAnswer) ? sides : [];
  }
  return one.kind === 'yesno' && other.kind !== 'yesno' ? only.filter(wasAnswered) : [];
}

const isAmountOf = (word: string): boolean => /^\d/.test(word) || TIMES.has(word);
const HOW_OFTEN: ReadonlySet<string> = new Set('nightly daily weekly hourly monthly yearly'.split(' ').map(stem));
const TIMES: ReadonlySet<string> = new Set(
  'nightly daily weekly hourly monthly yearly immediately realtime day night week month hour year'.split(' ').map(stem),
);
const isAsked = (kind: Kind): boolean => isAmount(kind) || kind === 'frequency' || kind === 'time';

const IN_FRONT = new Set(['in', 'on', 'at', 'by', 'per', 'for', 'with', 'to', 'from', 'of']);
const AUXILIARY = /^(?:is|are|do|does|should|can|may|must|will)$/;

/** The words next to an "or", on both sides, as far as the other question lacks them. */
function besideOr(words: readonly string[], isLacking: (word: string) => boolean): readonly string[] {
  return words.flatMap((word, place) => {
    if (word !== 'or') return [];
    const run = (side: readonly string[]): readonly string[] => {
      const isEnd = (other: string, at: number) =>
        !isLacking(other) &&
        ((!STOP_WORDS.has(other) && !COMMON.has(stem(other))) ||
          (IN_FRONT.has(other) && side.slice(0, at).some(isLacking)));
      const end = side.findIndex(isEnd);
      return (end < 0 ? side : side.slice(0, end)).filter(isLacking);
    };
    const after = words.slice(place + 1);
    const isClause = AUXILIARY.test(after[0] ?? '');
    const [before, behind] = [run(words.slice(0, place).toReversed()), isClause ? after.filter(isLacking) : run(after)];
    // What follows both is no part of the second: "push or pull queues".
    const second = isClause || before.length === 0 ? behind : behind.slice(0, before.length);
    return [...before.slice(0, Math.max(second.length, 1) + 1), ...second];
  });
}

/** "Where is it described, in the wiki or in the code" is "do we describe it in the wiki or in the code". */
function isSameOffer(left: Read, right: Read): boolean {
  const others = allBesideOr(right.raw);
  return allBesideOr(left.raw).some((word) => others.includes(word));
}

const allBesideOr = (words: readonly string[]) => besideOr(words, (word) => !STOP_WORDS.has(word)).map(stem);

/** Whether this or that is an answer to a question of this kind. */
function mayBeAnswered(kind: Kind, offered: readonly string[]): boolean {
  if (isAmount(kind) && offered.some((word) => HOW_OFTEN.has(word))) return false;
  if (offered.some(isAmountOf)) return isAsked(kind) || kind === 'choice' || kind === 'open';
  return kind === 'choice' || kind === 'alternative' || kind === 'place' || kind === 'manner' || kind === 'yesno';
}

/** "How is it shown?" is "what do we show for it?". */
function isSameWay(manner: Read, other: Read): boolean {
  const { verb } = manner;
  return (
    verb !== undefined && other.kind === 'choice' && other.isOpen && other.words.some((word) => isSameWord(word, verb))
  );
}

const POINTS_AT_ISSUE =
  /\b(?:this|these|here|our new|the new|above|below|the (?:story|task|feature|ticket|issue|spec|endpoint|page|screen|form|job|step|change))\b/i;

function isEqual(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every((word) => right.has(word));
}
