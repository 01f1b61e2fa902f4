import { beginningOf } from './limits.js';

/** The text, or its beginning and three dots. */
export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${beginningOf(text, max)}...`;
}
