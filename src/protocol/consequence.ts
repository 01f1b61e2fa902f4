import * as z from 'zod/mini';
import { shorten } from './shorten.js';

/*
 * Whether a decision can be taken back, as agents say it: `consequence: "irreversible"`, `irreversible: true`,
 * `reversible: "no"`, `reversibility: "cannot be undone"`. What is said in these words is understood; what stands under
 * these names in other words is a problem for whoever reads it, since a question that was meant to wait for a human must
 * never time out.
 */

export const Consequence = z.enum(['reversible', 'irreversible']);
export type Consequence = z.infer<typeof Consequence>;

type Fields = Readonly<Record<string, unknown>>;

export interface SaidConsequence {
  /** Nothing where nothing was said. */
  readonly consequence?: Consequence;
  /** What is said and cannot be understood, a clause. */
  readonly problem?: string;
}

/** The names it goes by, without case and punctuation, and what a plain yes means under each. */
const NAMES: ReadonlyMap<string, Consequence | undefined> = new Map([
  ['consequence', undefined],
  ['consequences', undefined],
  ['reversibility', undefined],
  ['reversible', 'reversible'],
  ['isreversible', 'reversible'],
  ['canbeundone', 'reversible'],
  ['canbereversed', 'reversible'],
  ['irreversible', 'irreversible'],
  ['isirreversible', 'irreversible'],
  ['cannotbeundone', 'irreversible'],
  ['cannotbereversed', 'irreversible'],
]);

const UNDONE = '(?:undone|reversed|reverted|rolled back|taken back)';
const IRREVERSIBLE = new RegExp(
  `\\b(?:irreversibl[ey]|irrevocabl[ey]|(?:non|not|un)[- ]?reversible|one[- ]way|(?:cannot|can ?not|can't) be ${UNDONE})\\b`,
  'i',
);
const REVERSIBLE = new RegExp(`\\b(?:reversibl[ey]|not irreversible|two[- ]way|can be ${UNDONE})\\b`, 'i');

/** What to tell whoever declares a fallback for what cannot be taken back. */
export const ONLY_REVERSIBLE =
  'A fallback is allowed only where the decision can be taken back; leave it out, and the question waits for a human.';

export function consequenceIn(fields: Fields): SaidConsequence {
  const said = Object.entries(fields).filter(([name, value]) => isConsequence(name) && value !== null);
  const understood = said.map(([name, value]) => ({ name, value, meant: meaningOf(name, value) }));
  const unclear = understood.find(({ meant }) => meant === undefined);
  if (unclear !== undefined) {
    const shown = shorten(JSON.stringify(unclear.value) ?? '', 80);
    return { problem: `its '${unclear.name}' is ${shown} (allowed: reversible, irreversible)` };
  }
  const [first, ...others] = understood;
  if (first?.meant === undefined) return {};
  const other = others.find(({ meant }) => meant !== first.meant);
  if (other !== undefined) return { problem: `its '${first.name}' and its '${other.name}' contradict each other` };
  return { consequence: first.meant };
}

export function withoutConsequence(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isConsequence(name)));
}

/** Whether a fallback says of itself that it could not be taken back: then it is none that may be taken unasked. */
export function isIrreversibleFallback(fallback: Fields): boolean {
  const { risk } = fallback;
  return (
    consequenceIn(fallback).consequence === 'irreversible' ||
    (typeof risk === 'string' && inWords(risk) === 'irreversible')
  );
}

const isConsequence = (name: string): boolean => NAMES.has(bare(name));

const bare = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

function meaningOf(name: string, value: unknown): Consequence | undefined {
  const yes = NAMES.get(bare(name));
  if (yes !== undefined && isYes(value)) return yes;
  if (yes !== undefined && isNo(value)) return yes === 'reversible' ? 'irreversible' : 'reversible';
  return typeof value === 'string' ? inWords(value) : undefined;
}

const isYes = (value: unknown): boolean =>
  value === true || (typeof value === 'string' && /^\W*(?:yes|true)\b/i.test(value));

const isNo = (value: unknown): boolean =>
  value === false || (typeof value === 'string' && /^\W*(?:no|false)\b/i.test(value));

/** `not irreversible` has the other word in it. */
function inWords(text: string): Consequence | undefined {
  const spaced = text.replaceAll('_', ' ');
  if (IRREVERSIBLE.test(spaced.replace(/\bnot irreversible\b/gi, ''))) return 'irreversible';
  return REVERSIBLE.test(spaced) ? 'reversible' : undefined;
}
