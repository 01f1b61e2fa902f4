import * as z from 'zod/mini';
import { isFallback } from './declared-fallback.js';
import { isObject } from './is-object.js';
import { shorten } from './shorten.js';

/*
 * Whether a decision can be undone, as agents say it: `consequence: "irreversible"`, `irreversible: true`, `reversible:
 * "no"`, `reversibility: "cannot be undone"`. Other words under these names are reported as a problem, because a
 * question that was meant to wait for a human must never time out.
 */

export const Consequence = z.enum(['reversible', 'irreversible']);
export type Consequence = z.infer<typeof Consequence>;

type Fields = Readonly<Record<string, unknown>>;

export interface SaidConsequence {
  /** Absent if nothing was said. */
  readonly consequence?: Consequence;
  /** What was said and cannot be understood, as a clause. */
  readonly problem?: string;
}

/** The names of the field, without case and punctuation, and what a plain yes means under each. */
const NAMES: readonly (readonly [RegExp, Consequence | undefined])[] = [
  [/^(?:consequences?|consequencetype|revers[ai]bility)$/, undefined],
  [
    /^(?:(?:is)?(?:revers[ai]ble|revert[ai]ble|revocable|undoable)|canbe(?:undone|reversed|reverted|rolledback)|can(?:undo|revert|reverse|rollback)|(?:undo|rollback)possible)$/,
    'reversible',
  ],
  [
    /^(?:(?:is)?(?:(?:irreversible|irrevocable|destructive)(?:action|change|choice|decision|operation|step)?|(?:non|not|un)reversible|oneway(?:door|decision)?|permanent|irrevers[ai]bility|irrevocability)|cannotbe(?:undone|reversed|reverted|rolledback)|(?:cannot|no)(?:undo|revert|reverse|rollback)|pointofnoreturn)$/,
    'irreversible',
  ],
];

/** Fields with people's words: these are no settings. */
const PROSE = new Set(['text', 'question', 'label', 'header', 'description', 'title', 'topic', 'answer', 'reasoning']);

/** Fields with arguments for a choice, which may be that the others cannot be undone. */
const REASONS = new Set(['reasoning', 'reason', 'rationale', 'why', 'pros']);

/** Fields that say of something else whether it can be undone. */
const OTHERS = new Set(['options', 'evidence', 'source', 'review', 'needsclarification']);

const UNDONE = '(?:undone|reversed|reverted|rolled[- ]back|taken back)';
const CANNOT = "(?:cannot|can't|can not|can never|could not)(?: (?:easily|simply|just))?";
const GRAVE = '(?:irreversible|irrevocable|non-?reversible|not reversible)';
const NOT = "(?:not|never|no longer|hardly|barely|cannot|can't|couldn't|isn't|aren't|won't)";
const IRREVERSIBLE = new RegExp(
  String.raw`\b(?:irreversibl[ey]|irrevocabl[ey]|(?:non|un|ir)[- ]?reversible|one[- ]way|no way back|${NOT}(?: \w+){0,2}? (?:reversible|${UNDONE}))\b`,
  'i',
);
/** Words about a decision as a whole, not about its surroundings. */
const FINAL = /\b(?:permanent(?:ly)?|destructive|unrecoverable|irrecoverable)\b/i;
const NOT_SO = new RegExp(String.raw`\b${NOT} (?:irreversible|irrevocable|permanent|destructive)\b`, 'gi');
const REVERSIBLE = new RegExp(`\\b(?:reversibl[ey]|two[- ]way|can be ${UNDONE})\\b`, 'i');
/** Words that leave it open how far. */
const QUALIFIED =
  /\b(?:part(?:ial)?(?:ly)?|semi|somewhat|mostly|largely|only|unless|until|hard|difficult|costly|expensive)\b|\breversible\W+(?:no|not|false)\b/i;
const SUBJECT =
  '(?:this|that|it|which|(?:this|the) (?:decision|choice|change|step|action|migration|operation|deletion))';
const STATED = new RegExp(
  String.raw`\b${SUBJECT} (?:is|will be|would be) (?:${GRAVE}|an? (?:${GRAVE}|one[- ]way) \w+)\b|\b${SUBJECT} ${CANNOT} be ${UNDONE}\b`,
  'i',
);
/** The same of anything else, where it is a statement and no question. */
const STATED_OF_ANY = new RegExp(
  String.raw`^\W*irreversible\b|\bthis(?: \w+)? (?:is|will be) (?:final|permanent)\b|\b(?:is|are|will be|would be) ${GRAVE}\b|\b${CANNOT} be ${UNDONE}\b|\b(?:${CANNOT}|(?:not|won't be|isn't) possible to|impossible to) undo (?:this|that|it)\b|\bno (?:way|going) back\b|\bthere is no undo\b|^\W*no undo\b|\bundo is (?:not possible|impossible)\b|\bno way to undo\b|\b(?:not|never|won't) be able to undo\b|^\W*(?:not|non)[- ]?reversible\b|\breversible\s*[:=]\s*(?:no|false)\b|\bconsequence\s*[:=]\s*irreversible\b|\b(?:gone|lost) (?:forever|for good)\b|\bloss is permanent\b|\bno rollback is possible\b`,
  'i',
);
/** `Irreversible: drop it`, `Drop it (irreversible)`. */
const MARKED = new RegExp(
  String.raw`^\W*irreversible\s*(?:[:\])*]|-+\s)|[([]\s*(?:irreversible|(?:not|non)[- ]?reversible|cannot be ${UNDONE})\s*[)\]]|\birreversibly\b`,
  'i',
);
const MARKED_AT_ITS_END = new RegExp(
  String.raw`[([:,-]\s*(?:irreversible|not reversible|cannot be ${UNDONE})\W*$`,
  'i',
);

/** The refusal of a fallback for an irreversible decision. */
export const ONLY_REVERSIBLE =
  'A fallback is allowed only where the decision can be taken back; leave it out, and the question waits for a human.';

export function consequenceIn(fields: Fields): SaidConsequence {
  const statements = Object.entries(fields)
    .flatMap(withDetails)
    .filter(([name, value]) => isSaid(name, value) && value !== null && value !== '');
  const readings = statements.map(([name, value]) => ({ name, value, meant: meaningOf(name, value) }));
  const unclear = readings.find(({ meant }) => meant === undefined);
  if (unclear !== undefined) {
    const shortValue = shorten(JSON.stringify(unclear.value) ?? '', 80);
    return { problem: `its '${unclear.name}' is ${shortValue} (allowed: reversible, irreversible)` };
  }
  const [first, ...others] = readings;
  if (first?.meant === undefined) return {};
  const other = others.find(({ meant }) => meant !== first.meant);
  if (other !== undefined) return { problem: `its '${first.name}' and its '${other.name}' contradict each other` };
  return { consequence: first.meant };
}

type Entry = readonly [string, unknown];

/** With what stands deeper, as in `metadata: {irreversible: true}`. */
function withDetails(entry: Entry): readonly Entry[] {
  const [name, value] = entry;
  const isItsOwn = !isConsequence(name) && !isFallback(name) && !OTHERS.has(lettersOf(name));
  return isItsOwn && isObject(value) ? [entry, ...Object.entries(value).flatMap(withDetails)] : [entry];
}

/** `This cannot be undone. Shall it be dropped?`: said in the question itself. */
export function isStatedIrreversible(text: string): boolean {
  const words = plainText(text);
  const sentences = words.match(/[^.!?\n]+\??/g) ?? [];
  const isStated = (sentence: string) =>
    !sentence.endsWith('?') && (STATED_OF_ANY.test(sentence) || MARKED_AT_ITS_END.test(sentence));
  return STATED.test(words) || MARKED.test(words) || sentences.some(isStated);
}

/** `None: irreversible` instead of a fallback. */
export function isSaidIrreversible(text: unknown): boolean {
  return typeof text === 'string' && inWords(text) === 'irreversible';
}

/** Whether one of its texts states it, apart from the reasons for a choice. */
export function statesIrreversible(fields: Fields): boolean {
  return Object.entries(fields).some(
    ([name, text]) => typeof text === 'string' && !REASONS.has(lettersOf(name)) && isStatedIrreversible(text),
  );
}

/** An option that says of itself, in a field or in a text, that it cannot be undone; or leaves that open. */
export function isIrreversibleOption(option: Fields): boolean {
  const entries = Object.entries(option).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const));
  return (
    consequenceIn(option).consequence === 'irreversible' ||
    Object.entries(option).flatMap(withDetails).some(isUnclear) ||
    entries.some(([name, one]) => statesIrreversible({ [name]: one }))
  );
}

/** The consequences of an option may be told in any words. */
function isUnclear([name, value]: Entry): boolean {
  const isTold = typeof value === 'string' && (value === '' || /^consequence/i.test(name));
  return isConsequence(name) && value !== null && !isTold && meaningOf(name, value) === undefined;
}

export function withoutConsequence(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isConsequence(name)));
}

/** Whether a fallback says of itself that it cannot be undone: then it must not be applied unasked. */
export function isIrreversibleFallback(fallback: Fields): boolean {
  return isIrreversibleOption(fallback) || isSaidIrreversible(fallback.risk);
}

const isConsequence = (name: string): boolean => NAMES.some(([pattern]) => pattern.test(lettersOf(name)));

const GRAVE_WORD = /^(?:irreversible|onewaydoor|onewaydecision)$/;

/** Under one of its names, or under another name in so many words. */
function isSaid(name: string, value: unknown): boolean {
  if (isConsequence(name)) return true;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return (
    !PROSE.has(lettersOf(name)) && values.some((one) => typeof one === 'string' && GRAVE_WORD.test(lettersOf(one)))
  );
}

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

function meaningOf(name: string, value: unknown): Consequence | undefined {
  if (!isConsequence(name)) return 'irreversible';
  const [, yes] = NAMES.find(([pattern]) => pattern.test(lettersOf(name))) ?? [];
  if (yes !== undefined && isYes(value)) return yes;
  if (yes !== undefined && isNo(value)) return yes === 'reversible' ? 'irreversible' : 'reversible';
  return typeof value === 'string' ? inWords(value, { isFinalSaid: true }) : undefined;
}

const isYes = (value: unknown): boolean =>
  value === true || value === 1 || (typeof value === 'string' && /^\W*(?:y|yes|true)\b/i.test(value));

const isNo = (value: unknown): boolean =>
  value === false || value === 0 || (typeof value === 'string' && /^\W*(?:n|no|not|never|false)\b/i.test(value));

/** `not irreversible` contains the other word. */
function inWords(text: string, { isFinalSaid = false } = {}): Consequence | undefined {
  const plainWords = plainText(text).replace(NOT_SO, 'reversible');
  if (IRREVERSIBLE.test(plainWords) || (isFinalSaid && FINAL.test(plainWords))) return 'irreversible';
  return REVERSIBLE.test(plainWords) && !QUALIFIED.test(plainWords) ? 'reversible' : undefined;
}

const plainText = (text: string): string => text.replaceAll('_', ' ').replaceAll('\u2019', "'");
