import { beginningOf, countCharacters } from './limits.js';

/** The text, or its first `max` units and three dots. */
export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${beginningOf(text, max)}...`;
}

/** The text, or as much of its beginning as fits into so many characters together with three dots. */
export function fitInto(text: string, characters: number): string {
  if (countCharacters(text) <= characters) return text;
  return `${[...text].slice(0, Math.max(0, characters - 3)).join('')}...`;
}
