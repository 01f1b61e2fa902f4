import { stemOf } from '../search/words.js';
import { inDigits } from './number-words.js';
import {
  FRAMES,
  isLight,
  KINDS,
  NEGATORS,
  OPTIONAL,
  PHRASES,
  RELATIONS,
  SAME_WORD,
  TRANSPARENT,
  UNITS,
} from './said-words.js';

/*
 * What a text says, in a form in which most rewordings of it are equal: the words that carry it, which of them it denies
 * or moves away from, in which order the others stand, and whether it asks, plans, or tells of something done.
 */

/** A word that carries something, at its place. */
export interface Term {
  readonly word: string;
  /** Whether it is a thing, and no light verb or relation. */
  readonly isThing: boolean;
  readonly isVerb: boolean;
  readonly isPassive: boolean;
  /** Whether "by" stands before it. */
  readonly isActor: boolean;
}

interface Denial {
  /** "not X", "instead of X", "from X" */
  readonly kind: 'not' | 'instead' | 'from';
  readonly words: readonly string[];
}

export interface Said {
  readonly words: ReadonlySet<string>;
  /** Those that stand in a reason only. */
  readonly reasons: ReadonlySet<string>;
  /** Kinds of things that are named beside others, and so are things of their own: "orders and users". */
  readonly listed: ReadonlySet<string>;
  /** What it says no of. */
  readonly denials: readonly Denial[];
  /** "Nothing without X", "whatever has no X is rejected". */
  readonly deniesTwice: boolean;
  /** With the light verbs, which are all one word. */
  readonly terms: readonly Term[];
  readonly isAsked: boolean;
  /** Whether something goes "to" something. */
  readonly hasGoal: boolean;
  /** "Can" and "may". */
  readonly permits: boolean;
  /** "Must" and "has to". */
  readonly demands: boolean;
  /** Verbs of what is still to be done, and of those what is only wished for. */
  readonly planned: ReadonlySet<string>;
  readonly wished: ReadonlySet<string>;
  /** Verbs of what was done. */
  readonly past: ReadonlySet<string>;
}

const LIGHT_VERB = '~';

interface Token {
  /** As it is spelled, in lower case. */
  readonly lower: string;
  /** Empty for a word that carries nothing. */
  readonly word: string;
  readonly isMark: boolean;
}

export function readSaid(text: string): Said {
  const plainText = plain(text);
  const tokens = tokensOf(plainText);
  const reasons = reasonsIn(tokens);
  const words = new Set(tokens.flatMap(({ word }) => (word === '' ? [] : [word])));
  const outside = new Set(tokens.flatMap(({ word }, place) => (reasons.has(place) ? [] : [word])));
  const outsideReasons = tokens.filter((_, place) => !reasons.has(place));
  const isDone = tokens.some(({ lower }) => DONE.has(lower));
  const wished = verbsAfter(outsideReasons, WISHES);
  return {
    words,
    reasons: new Set([...words].filter((word) => !outside.has(word))),
    listed: new Set(tokens.flatMap(({ word }, place) => (KINDS.has(word) && isListed(tokens, place) ? [word] : []))),
    denials: denialsIn(tokens),
    deniesTwice: tokens.some(({ lower }, place) => NEGATORS.get(lower) === 'not' && isDenied(tokens, place)),
    terms: termsOf(tokens),
    permits: tokens.some(
      ({ lower }, place) => /^(?:can|may)$/.test(lower) && !NEGATORS.has(tokens[place + 1]?.lower ?? ''),
    ),
    demands: tokens.some(({ lower }) => /^(?:must|shall|should|required?)$/.test(lower)),
    hasGoal: tokens.some(({ lower }) => lower === 'to' || lower === 'into' || lower === '->'),
    isAsked: text.includes('?') || outsideReasons.some(({ lower }) => HEDGES.has(lower)),
    planned: isDone ? new Set() : new Set([...wished, ...verbsAfter(outsideReasons, DUTIES), ...orderIn(tokens)]),
    wished: isDone ? new Set() : wished,
    past: pastIn(tokens),
  };
}

const NAME = /^(?:`|.*[_/\\@#]|.*\w\.\w|.*\p{Ll}\p{Lu}|.*\p{L}-?\d|\p{Lu}$)/u;
const PAST = /(?:ed|built|wrote|written|sent|made|split)$/;
const PARTICIPLE = /(?:ed|en|wn|ne|pt|nt|lt|de|ld|ng|nd|ht|ut|et|ad|un|id)$/;
const BE = new Set(['is', 'are', 'was', 'were', 'be', 'been', 'being', 'get', 'gets', 'got']);

/** Contractions, phrases of several words and numbers in one spelling. */
function plain(text: string): string {
  let plainText = text
    .normalize('NFKC')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/\u2192/g, '->');
  for (const frame of FRAMES) plainText = plainText.replace(frame, ' ');
  plainText = inDigits(
    plainText
      .replace(/\bwon't\b/gi, 'will not')
      .replace(/\bcan(?:'t|not)\b/gi, 'can not')
      .replace(/n't\b/gi, ' not')
      .replace(/'(?:s|re|ve|ll|d|m)?\b/gi, ' ')
      .replace(
        COMPOUND_NUMBER,
        (_, tens: string, ones: string) => `${Number(stemOf(tens.toLowerCase())) + Number(stemOf(ones.toLowerCase()))}`,
      ),
  );
  for (const [pattern, replacement] of PHRASES) plainText = plainText.replace(pattern, replacement);
  return plainText;
}

const COMPOUND_NUMBER =
  /\b(twenty|thirty|forty|fifty|sixty|ninety)[- ](one|two|three|four|five|six|seven|eight|nine)\b/gi;

const TOKEN =
  /`[^`]+`|\d+(?:[.,:]\d+)*(?:\s?-?\s?(?:%|[a-z]+\b))?|[\p{L}#@][\p{L}\p{N}\p{M}_@]*(?:[./\\:-]+[\p{L}\p{N}_]+)*(?:\+\+)?|->|[<>]|[.,;:!?()-]/gu;

function tokensOf(text: string): readonly Token[] {
  return [...text.matchAll(new RegExp(TOKEN, 'giu'))].flatMap(([spelled], place) => {
    const lower = spelled.toLowerCase();
    if (/^[^\p{L}\p{N}`]/u.test(spelled) && !/^[#@]/.test(spelled)) return [{ lower, word: '', isMark: true }];
    if (/^\d/.test(spelled)) return numberIn(lower);
    if (isName(spelled, place))
      return [{ lower, word: SAME_WORD.get(lower) ?? lower.replaceAll('`', ''), isMark: false }];
    return lower.split(/[./\\:-]+/).map((part) => ({ lower: part, word: wordOf(part), isMark: false }));
  });
}

/** "A" at the beginning is mostly an article. */
function isName(spelled: string, place: number): boolean {
  return NAME.test(spelled) && !(place === 0 && spelled === 'A') && spelled !== 'I';
}

function wordOf(lower: string): string {
  if (TRANSPARENT.has(lower) || NEGATORS.has(lower) || isLight(lower)) return '';
  const stem = stemOf(lower).replace(ADVERB, '').replace(/y$/, 'i');
  return SAME_WORD.get(lower) ?? SAME_WORD.get(stem) ?? stem;
}

const ADVERB = /(?<=.{4})li$/;

/** A number with its unit is one word: "30s", "30 seconds" and "30000 ms" are the same. */
function numberIn(lower: string): readonly Token[] {
  const [, digits = '', spelledUnit = ''] = /^([\d.,:]+)\s?-?\s?(.*)$/.exec(lower) ?? [];
  const unit = UNITS.get(spelledUnit);
  const number = digits.replace(/,(?=\d{3}\b)/g, '').replace(/[.,:]+$/, '');
  const token = (word: string): Token => ({ lower, word, isMark: false });
  if (/^\d{1,2}:\d\d$/.test(number)) {
    const [hours = 0, minutes = 0] = number.split(':').map(Number);
    const clock = `${hourOf(hours, spelledUnit)}:${String(minutes).padStart(2, '0')}`;
    if (spelledUnit === '' || spelledUnit === 'am' || spelledUnit === 'pm') return [token(clock)];
    return [token(clock), ...tokensOf(` ${spelledUnit}`)];
  }
  if (spelledUnit === 'am' || spelledUnit === 'pm') return [token(`${hourOf(Number(number), spelledUnit)}:00`)];
  if (unit !== undefined) return [token(`${Number(number) * unit.factor}${unit.name}`)];
  return spelledUnit === '' ? [token(number)] : [token(number), ...tokensOf(` ${spelledUnit}`)];
}

/** 12 am is midnight, and 12 pm is noon. */
function hourOf(hours: number, half: string): number {
  return half === 'am' || half === 'pm' ? (hours % 12) + (half === 'pm' ? 12 : 0) : hours;
}

const PREPOSITIONS = new Set(
  'of for in on at to from by with per via into onto through as and or but because since that which so than after before during until under'.split(
    ' ',
  ),
);
const ARTICLES = new Set('a an the our your their its this that these those each every any all no one'.split(' '));

/** "And users"; but in "the orders service and the cache" it is the orders' service that is listed. */
function isListed(tokens: readonly Token[], place: number): boolean {
  const isArticle = ({ lower }: Token) => ARTICLES.has(lower);
  const before = tokens.slice(0, place).findLast((token) => !isArticle(token));
  return isJoining(before) || (isJoining(tokens[place + 1]) && (tokens[place - 1]?.word ?? '') === '');
}

const isJoining = (token: Token | undefined): boolean => token !== undefined && /^(?:and|or|,)$/.test(token.lower);

function denialsIn(tokens: readonly Token[]): readonly Denial[] {
  return tokens.flatMap(({ lower }, place) => {
    const kind = NEGATORS.get(lower);
    if (kind === undefined || isDenied(tokens, place)) return [];
    const scope = scopeOf(tokens, place);
    // "Double quotes instead of single quotes" is against what is single.
    const own = scope.filter((word) => tokens.filter((one) => one.word === word).length === 1);
    return { kind, words: own.length > 0 ? own : scope };
  });
}

/** The words that a negation is about: those that follow, or if there are none, those before it in its clause. */
function scopeOf(tokens: readonly Token[], place: number): readonly string[] {
  const scope: string[] = [];
  const mayFollow = AFTER_ITS_NOUN.has(tokens[place]?.lower ?? '');
  for (let next = place + 1; next < tokens.length && scope.length < LONGEST_SCOPE; next++) {
    const { lower, word, isMark } = tokens[next] ?? NO_TOKEN;
    if (isMark || (word === '' && scope.length > 0)) break;
    if (PREPOSITIONS.has(lower) && (next > place + 1 || (mayFollow && lower !== 'to'))) break;
    if (word !== '') scope.push(word);
  }
  if (scope.length > 0) return scope;
  for (let before = place - 1; before >= 0 && scope.length < LONGEST_SCOPE; before--) {
    const { word, isMark, lower } = tokens[before] ?? NO_TOKEN;
    if (isMark || CLAUSES.has(lower)) break;
    if (word !== '') scope.push(word);
  }
  return scope;
}

/** "Cannot run without X" is no "can run without X": of two denials in one clause, the first says what is denied. */
function isDenied(tokens: readonly Token[], place: number): boolean {
  for (let before = place - 1; before >= 0; before--) {
    const { lower, isMark } = tokens[before] ?? NO_TOKEN;
    if (isMark || CONJUNCTIONS.has(lower)) return false;
    if (NEGATORS.get(lower) === 'not') return true;
  }
  return false;
}

const CONJUNCTIONS = new Set('and or but because since so that which'.split(' '));
const CLAUSES = new Set('because since that which when if'.split(' '));
const LONGEST_SCOPE = 2;
/** "The variable is missing on CI" */
const AFTER_ITS_NOUN = new Set('missing unset undefined forbidden prohibited disallowed rejected'.split(' '));

const NO_TOKEN: Token = { lower: '', word: '', isMark: true };

function termsOf(tokens: readonly Token[]): readonly Term[] {
  return tokens.flatMap(({ lower, word, isMark }, place) => {
    const term = RELATIONS.has(lower) ? lower : word === '' && isLightVerb(lower) ? LIGHT_VERB : word;
    if (isMark || term === '') return [];
    const before = tokens[place - 1]?.lower ?? '';
    return {
      word: term,
      isThing: term === word,
      isVerb: RELATIONS.has(lower) || !(ARTICLES.has(before) || PREPOSITIONS.has(before)),
      isPassive: PARTICIPLE.test(lower) && beBefore(tokens, place) !== undefined,
      isActor: isActor(tokens, place),
    };
  });
}

/** "By the worker", and not "by raising it". */
function isActor(tokens: readonly Token[], place: number): boolean {
  const before = tokens.slice(Math.max(0, place - 3), place);
  const by = before.findLastIndex(({ lower }) => lower === 'by');
  return (
    by >= 0 &&
    !before
      .slice(by)
      .concat(tokens[place] ?? NO_TOKEN)
      .some(({ lower }) => lower.endsWith('ing'))
  );
}

function isLightVerb(lower: string): boolean {
  return !TRANSPARENT.has(lower) && !NEGATORS.has(lower);
}

/** The form of "be" that makes a participle of the word, if any. */
function beBefore(tokens: readonly Token[], place: number): string | undefined {
  for (let before = place - 1; before >= 0; before--) {
    const { lower } = tokens[before] ?? NO_TOKEN;
    if (BE.has(lower)) return lower;
    if (lower !== 'not' && lower !== 'now' && lower !== 'never' && !lower.endsWith('ly')) return undefined;
  }
  return undefined;
}

/** The places of the words that stand in a reason: it goes on to the end of its sentence, or to a comma if it comes first. */
function reasonsIn(tokens: readonly Token[]): ReadonlySet<number> {
  const places = new Set<number>();
  let hasBegun = false;
  for (const [place, { lower, word }] of tokens.entries()) {
    if (lower === 'therefore') for (const before of sentenceBefore(tokens, place)) places.add(before);
    if (word !== '' && !places.has(place)) hasBegun = true;
    if (!startsReason(tokens, place, hasBegun) || (!hasBegun && !hasComma(tokens, place))) continue;
    for (let next = place; next < tokens.length; next++) {
      const mark = tokens[next]?.lower ?? '';
      if (/^[.;!?]$/.test(mark) || (!hasBegun && mark === ',') || CONDITIONS.has(mark)) break;
      places.add(next);
    }
  }
  return places;
}

/** Where a sentence that begins with its reason comes to the point. */
function hasComma(tokens: readonly Token[], place: number): boolean {
  const marks = tokens.slice(place).filter(({ lower }) => /^[.,;!?]$/.test(lower));
  return marks[0]?.lower === ',';
}

/** What "therefore" follows from: what stands before it, or the sentence before that. */
function sentenceBefore(tokens: readonly Token[], place: number): readonly number[] {
  const isEnd = (one: Token | undefined) => one !== undefined && /^[.;!?]$/.test(one.lower);
  const last = isEnd(tokens[place - 1]) ? place - 2 : place - 1;
  const places: number[] = [];
  for (let before = last; before >= 0 && !isEnd(tokens[before]); before--) places.push(before);
  return places;
}

function startsReason(tokens: readonly Token[], place: number, hasBegun: boolean): boolean {
  const lower = tokens[place]?.lower ?? '';
  const before = tokens[place - 1]?.lower ?? '';
  const next = tokens[place + 1]?.lower ?? '';
  if (lower === 'because') return true;
  if (lower === 'since') return !/^\d/.test(next);
  if (lower === 'as')
    return place === 0 || before === ',' || /^(?:we|it|they|there|nobody|you|this|otherwise)$/.test(next);
  // What is added at the end: a remark in brackets, or a clause that begins with "we" or "it".
  if (hasBegun && /^[,;:(-]$/.test(before)) return /^(?:needs?|otherwise|reason)$/.test(lower) || isWant(tokens, place);
  return false;
}

/** "we need", "it does not want" */
function isWant(tokens: readonly Token[], place: number): boolean {
  if (!/^(?:we|it|they|you|nobody)$/.test(tokens[place]?.lower ?? '')) return false;
  return tokens.slice(place + 1, place + 4).some(({ lower }) => /^(?:needs?|wants?|requires?)$/.test(lower));
}

const CONDITIONS = new Set('when if unless while until once only except'.split(' '));
const HEDGES = new Set(
  'maybe perhaps might possibly probably unclear whether unsure unknown could would wonder'.split(' '),
);
const WISHES = new Set('should todo'.split(' '));
const DUTIES = new Set('will shall must'.split(' '));
const DONE = new Set('done already successfully'.split(' '));

/** The verbs that follow one of the words, if they carry something: "should be moved", but not "should use". */
function verbsAfter(tokens: readonly Token[], markers: ReadonlySet<string>): ReadonlySet<string> {
  const verbs = tokens.flatMap(({ lower }, place) => (markers.has(lower) ? verbAfter(tokens, place) : []));
  return new Set(verbs);
}

function verbAfter(tokens: readonly Token[], place: number): readonly string[] {
  for (const { lower, word, isMark } of tokens.slice(place + 1)) {
    if (isMark && lower !== ':') return [];
    if (word !== '') return OPTIONAL.has(word) ? [] : [word];
    if (!TRANSPARENT.has(lower) && !NEGATORS.has(lower)) return [];
  }
  return [];
}

/** A text that begins with a verb in its plain form tells what to do. */
function orderIn(tokens: readonly Token[]): readonly string[] {
  const first = tokens.find(({ isMark }) => !isMark);
  return first === undefined || first.word === '' || /(?:ed|ing|s)$/.test(first.lower) || OPTIONAL.has(first.word)
    ? []
    : [first.word];
}

/** "Was moved", "moved" and "moving it helped" tell of something done, "is moved" and "will be moved" do not. */
function pastIn(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(
    tokens.flatMap(({ lower, word }, place) => {
      const be = beBefore(tokens, place);
      const isToCome = /^(?:to|will|shall|must|should)$/.test(tokens[place - 1]?.lower ?? '');
      const isPast = PAST.test(lower) && !isToCome && (be === undefined || PASSED.has(be));
      const isReported = lower.endsWith('ing') && (place === 0 || tokens[place - 1]?.lower === 'by');
      return word !== '' && (isPast || isReported) ? [word] : [];
    }),
  );
}

const PASSED = new Set('was were been got'.split(' '));
