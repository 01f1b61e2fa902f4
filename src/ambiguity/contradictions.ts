import type { Ambiguity } from './ambiguity.js';
import { sentencesOf } from './anchors.js';
import { areOpposed, isRequiredAndDefaulted } from './antonyms.js';

/*
 * Statements that cannot both hold, within one text or between several: the same thing with two values, demanded and
 * forbidden, required and optional, always and not.
 */

interface Statement {
  readonly sentence: string;
  readonly words: ReadonlySet<string>;
  readonly values: readonly Measured[];
  readonly polarity: Polarity | undefined;
}

/** Every two are compared. */
const MAX_STATEMENTS = 400;

export interface Strictness {
  /** For a long or technical text, in which many sentences share words without being about the same thing. */
  readonly isStrict: boolean;
}

export function contradictionsIn(
  texts: readonly string[],
  { isStrict }: Strictness = { isStrict: false },
): readonly Ambiguity[] {
  const statements = texts
    .flatMap((text) => sentencesOf(text))
    .slice(0, MAX_STATEMENTS)
    .map((sentence) => ({
      sentence,
      words: wordsIn(sentence),
      values: valuesIn(sentence),
      polarity: polarityOf(sentence),
    }));
  const ambiguities: Ambiguity[] = [];
  for (const [index, left] of statements.entries()) {
    for (const right of statements.slice(index + 1)) {
      if (differInValue(left, right, isStrict) || differInRule(left, right, isStrict) || areOpposites(left, right)) {
        ambiguities.push({ kind: 'contradiction', quote: `${left.sentence} / ${right.sentence}` });
      }
    }
    if (ambiguities.length >= MAX_FOUND) break;
  }
  return ambiguities;
}

const MAX_FOUND = 20;

function areOpposites(left: Statement, right: Statement): boolean {
  const { sentence: one } = left;
  const { sentence: other } = right;
  if (isRequiredAndDefaulted(one, other)) return true;
  return areOpposed(one, other) && sharedWords(left, right).length > 0 && !isAboutAnother(one, other);
}

const STOP = new Set(
  'a an and are as at be been but by can could do does for from has have if in into is it its may must not of on or shall should so such than that the their them then there these they this to was were when which while who will with within would after before once only also per more most least up'.split(
    ' ',
  ),
);

function wordsIn(sentence: string): ReadonlySet<string> {
  const words = sentence.toLowerCase().match(/[a-z][a-z-]+/g) ?? [];
  return new Set(words.filter((word) => !STOP.has(word)).map(stem));
}

function stem(word: string): string {
  return word.replace(/(?:ies)$/, 'y').replace(/(?:ations?|ing|ed|es|s)$/, '');
}

interface Measured {
  readonly value: number;
  readonly unit: string;
}

const VALUE = /(\d+(?:[.,]\d+)*)\s*(%|[a-z]+)?/gi;
const UNIT_ALIASES: readonly (readonly [RegExp, string, number])[] = [
  [/^(?:ms|milliseconds?)$/, 'time', 0.001],
  [/^(?:s|sec|secs|seconds?)$/, 'time', 1],
  [/^(?:min|mins|minutes?)$/, 'time', 60],
  [/^(?:h|hours?)$/, 'time', 3600],
  [/^(?:d|days?)$/, 'time', 86_400],
  [/^(?:weeks?)$/, 'time', 604_800],
  [/^(?:kb|kib)$/, 'size', 1],
  [/^(?:mb|mib)$/, 'size', 1024],
  [/^(?:gb|gib)$/, 'size', 1_048_576],
];

/** In front of a unit, where it is no article. */
const NUMBER_WORDS = [
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
const WRITTEN_OUT = new RegExp(`\\b(${NUMBER_WORDS.join('|')})(?= (?:seconds?|minutes?|hours?|days?|weeks?)\\b)`, 'gi');

function valuesIn(text: string): readonly Measured[] {
  const sentence = text.replace(WRITTEN_OUT, (word) => String(NUMBER_WORDS.indexOf(word.toLowerCase()) + 1));
  return [...sentence.matchAll(VALUE)].map(([, digits = '0', unit = '']) => {
    const value = Number(digits.replaceAll(',', ''));
    const word = unit.toLowerCase();
    const alias = UNIT_ALIASES.find(([pattern]) => pattern.test(word));
    if (alias !== undefined) return { value: value * alias[2], unit: alias[1] };
    return { value, unit: STOP.has(word) ? '' : stem(word) };
  });
}

/** Words that two statements about the same thing share, beyond the unit of their values. */
const SHARED_FOR_VALUES = 2;

/** One value each, of the same unit, about the same thing. */
function differInValue(left: Statement, right: Statement, isStrict: boolean): boolean {
  const [leftValue, ...moreMine] = left.values;
  const [rightValue, ...moreTheirs] = right.values;
  if (leftValue === undefined || rightValue === undefined || moreMine.length > 1 || moreTheirs.length > 1) return false;
  if (leftValue.unit !== rightValue.unit || leftValue.value === rightValue.value || (isStrict && leftValue.unit === ''))
    return false;
  if (isAboutAnother(left.sentence, right.sentence)) return false;
  const commonWords = sharedWords(left, right).filter((word) => word !== leftValue.unit && !TIME_WORDS.has(word));
  const neededCount = Math.min(SHARED_FOR_VALUES, Math.max(1, Math.min(left.words.size, right.words.size) - 1));
  return commonWords.length >= (isStrict ? neededCount + 1 : neededCount);
}

const TIME_WORDS = new Set([
  'second',
  'minut',
  'hour',
  'day',
  'week',
  'month',
  'year',
  'mb',
  'gb',
  'kb',
  'item',
  'percent',
]);

/** A word that makes it another case: the next step, a warning before the limit, a second try. */
function isAboutAnother(left: string, right: string): boolean {
  const another =
    /\b(?:next|another|second|third|further|otherwise|else|beyond|larger|longer|more than|job \d+|instead of|until version|for each)\b/i;
  return another.test(left) || another.test(right);
}

const SHARED_FOR_RULES = 0.5;

/** In a strict comparison. */
const SHARED_AT_LEAST = 0.7;
const MANY_WORDS = 12;

function differInRule(left: Statement, right: Statement, isStrict: boolean): boolean {
  const { polarity: one } = left;
  const { polarity: other } = right;
  if (one === undefined || other === undefined) return false;
  // A sentence that says many things has no one rule.
  if (isStrict && Math.max(left.words.size, right.words.size) > MANY_WORDS) return false;
  return OPPOSITES.some(
    ([first, second, share]) =>
      ((one === first && other === second) || (one === second && other === first)) &&
      overlapOf(left, right) >= (isStrict ? Math.max(share, SHARED_AT_LEAST) : share),
  );
}

type Polarity = 'demanded' | 'forbidden' | 'required' | 'optional' | 'all required' | 'universal' | 'excepted';

const OPPOSITES: readonly (readonly [Polarity, Polarity, number])[] = [
  ['demanded', 'forbidden', SHARED_FOR_RULES],
  ['required', 'optional', 0.7],
  ['universal', 'forbidden', 0.34],
  ['universal', 'excepted', 0.2],
  // What is required of everything is required of what is optional.
  ['all required', 'optional', 0],
];

function polarityOf(sentence: string): Polarity | undefined {
  if (
    /\b(?:must|may|shall|should|can|will) (?:not|never)\b|\b(?:cannot|never|forbidden|not allowed|prohibited)\b/i.test(
      sentence,
    )
  ) {
    return 'forbidden';
  }
  if (/\boptional\b|\bmay be (?:empty|left out|omitted)\b/i.test(sentence)) return 'optional';
  if (/^(?:every|all)\b[^.]*\b(?:required|mandatory)\b/i.test(sentence)) return 'all required';
  if (/\b(?:required|mandatory)\b/i.test(sentence)) return 'required';
  if (/\binstead of\b|\bas plain text\b|\bonce a (?:day|week|month)\b/i.test(sentence)) return 'excepted';
  if (
    /\b(?:always|immediately|every|all|everybody|everyone)\b/i.test(sentence) &&
    !/\beverybody else\b/i.test(sentence)
  ) {
    return 'universal';
  }
  return /\b(?:must|shall|should|able to|allowed to|can|may)\b/i.test(sentence) ? 'demanded' : undefined;
}

const RULE_WORDS = new Set([
  'requir',
  'optional',
  'alway',
  'every',
  'all',
  'able',
  'allow',
  'never',
  'mandatory',
  'includ',
]);

function overlapOf(left: Statement, right: Statement): number {
  const plainWords = ({ words }: Statement) => [...words].filter((word) => !RULE_WORDS.has(word));
  const smaller = Math.min(plainWords(left).length, plainWords(right).length);
  const sharedCount = sharedWords(left, right).filter((word) => !RULE_WORDS.has(word)).length;
  return smaller === 0 ? 0 : sharedCount / smaller;
}

function sharedWords(left: Statement, right: Statement): readonly string[] {
  return [...left.words].filter((word) => right.words.has(word));
}
