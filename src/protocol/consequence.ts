import * as z from 'zod/mini';
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
  [/^(?:consequences?|consequencetype|reversib[ai]lity|reversability)$/, undefined],
  [/^(?:(?:is)?reversible|canbe(?:undone|reversed|reverted|rolledback)|canundo|(?:is)?undoable)$/, 'reversible'],
  [
    /^(?:(?:is)?irreversible|cannotbe(?:undone|reversed|reverted|rolledback)|(?:is)?oneway(?:door|decision)?|(?:is)?permanent|(?:is)?destructive)$/,
    'irreversible',
  ],
];

/** Fields with people's words: these are no settings. */
const PROSE = new Set(['text', 'question', 'label', 'header', 'description', 'title', 'topic', 'answer', 'reasoning']);

const UNDONE = '(?:undone|reversed|reverted|rolled back|taken back)';
const NOT = "(?:not|never|no longer|hardly|barely|cannot|can't|couldn't|isn't|aren't|won't)";
const IRREVERSIBLE = new RegExp(
  String.raw`\b(?:irreversibl[ey]|irrevocabl[ey]|(?:non|un)[- ]?reversible|one[- ]way|no way back|${NOT}(?: \w+){0,2}? (?:reversible|${UNDONE}))\b`,
  'i',
);
/** Words about a decision as a whole, not about its surroundings. */
const FINAL = /\b(?:permanent(?:ly)?|destructive|unrecoverable|irrecoverable)\b/i;
const NOT_SO = new RegExp(String.raw`\b${NOT} (?:irreversible|irrevocable|permanent|destructive)\b`, 'gi');
const REVERSIBLE = new RegExp(`\\b(?:reversibl[ey]|two[- ]way|can be ${UNDONE})\\b`, 'i');
const SUBJECT =
  '(?:this|that|it|which|(?:this|the) (?:decision|choice|change|step|action|migration|operation|deletion))';
const STATED = new RegExp(
  String.raw`\b${SUBJECT} (?:is|will be|would be) (?:irreversible|irrevocable|not reversible)\b|\b${SUBJECT} (?:cannot|can't|can not|can never|could not) be ${UNDONE}\b`,
  'i',
);
/** The same of anything else, where it is a statement and no question. */
const STATED_OF_ANY = new RegExp(
  String.raw`\b(?:cannot|can't|can not|can never|could not) be ${UNDONE}\b|\b(?:cannot|can't|can not|can never) undo (?:this|that|it)\b|\bno way back\b`,
  'i',
);
const MARKED = new RegExp(String.raw`[([:-]\s*(?:irreversible|not reversible|cannot be ${UNDONE})\W*$`, 'i');

/** The refusal of a fallback for an irreversible decision. */
export const ONLY_REVERSIBLE =
  'A fallback is allowed only where the decision can be taken back; leave it out, and the question waits for a human.';

export function consequenceIn(fields: Fields): SaidConsequence {
  const statements = Object.entries(fields).filter(
    ([name, value]) => isSaid(name, value) && value !== null && value !== '',
  );
  const understood = statements.map(([name, value]) => ({ name, value, meant: meaningOf(name, value) }));
  const unclear = understood.find(({ meant }) => meant === undefined);
  if (unclear !== undefined) {
    const shortValue = shorten(JSON.stringify(unclear.value) ?? '', 80);
    return { problem: `its '${unclear.name}' is ${shortValue} (allowed: reversible, irreversible)` };
  }
  const [first, ...others] = understood;
  if (first?.meant === undefined) return {};
  const other = others.find(({ meant }) => meant !== first.meant);
  if (other !== undefined) return { problem: `its '${first.name}' and its '${other.name}' contradict each other` };
  return { consequence: first.meant };
}

/** `This cannot be undone. Shall it be dropped?`: said in the question itself. */
export function isStatedIrreversible(text: string): boolean {
  const sentences = plain(text).match(/[^.!?\n]+\??/g) ?? [];
  const isStated = (sentence: string) => !sentence.endsWith('?') && STATED_OF_ANY.test(sentence);
  return STATED.test(plain(text)) || sentences.some(isStated);
}

/** `None: irreversible` instead of a fallback. */
export function isSaidIrreversible(text: unknown): boolean {
  return typeof text === 'string' && inWords(text) === 'irreversible';
}

/** An option that says of itself, in a field or at its end, that it cannot be undone. */
export function isIrreversibleOption(option: Fields): boolean {
  const texts = [option.label, option.text, option.description].filter((text) => typeof text === 'string');
  return (
    consequenceIn(option).consequence === 'irreversible' ||
    texts.some((text) => MARKED.test(plain(text)) || isStatedIrreversible(text))
  );
}

export function withoutConsequence(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isConsequence(name)));
}

/** Whether a fallback says of itself that it cannot be undone: then it must not be applied unasked. */
export function isIrreversibleFallback(fallback: Fields): boolean {
  const { risk } = fallback;
  return consequenceIn(fallback).consequence === 'irreversible' || isSaidIrreversible(risk);
}

const isConsequence = (name: string): boolean => NAMES.some(([pattern]) => pattern.test(bare(name)));

/** Under one of its names, or under another name in so many words. */
function isSaid(name: string, value: unknown): boolean {
  if (isConsequence(name)) return true;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return !PROSE.has(bare(name)) && values.some((one) => typeof one === 'string' && bare(one) === 'irreversible');
}

const bare = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

function meaningOf(name: string, value: unknown): Consequence | undefined {
  if (!isConsequence(name)) return 'irreversible';
  const [, yes] = NAMES.find(([pattern]) => pattern.test(bare(name))) ?? [];
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
  const plainWords = plain(text).replace(NOT_SO, 'reversible');
  if (IRREVERSIBLE.test(plainWords) || (isFinalSaid && FINAL.test(plainWords))) return 'irreversible';
  return REVERSIBLE.test(plainWords) ? 'reversible' : undefined;
}

const plain = (text: string): string => text.replaceAll('_', ' ').replaceAll('\u2019', "'");
