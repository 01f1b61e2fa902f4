/*
 * How agents declare the choice that applies without an answer: under which names, and in which words they say that
 * there is none.
 */

type Fields = Readonly<Record<string, unknown>>;

const NAMES = new Set(['fallback', 'safefallback', 'fallbackoption', 'safefallbackoption', 'fallbackoptionid']);

export const isFallback = (name: string): boolean => NAMES.has(name.toLowerCase().replace(/[^a-z]/g, ''));

/** The declared fallback, in whatever form; undefined if it is empty. */
export function declaredFallback(fields: Fields): unknown {
  const declaration = Object.entries(fields).find(([name, value]) => isFallback(name) && !isEmpty(value));
  return declaration?.[1];
}

export function withoutFallback(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isFallback(name)));
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (typeof value === 'string' && value.trim() === '');

/** `none`, `n/a`, `No fallback: wait for a human`. */
export function isNoFallback(text: string): boolean {
  return /^\W*(?:none|null|nothing|n\/?a|no (?:safe )?fallback|wait(?:s|ing)?)\b/i.test(text) || !/\w/.test(text);
}
