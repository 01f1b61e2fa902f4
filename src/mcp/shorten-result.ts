import { beginningOf } from '../protocol/limits.js';
import type { ToolAnswer } from './call.js';

/*
 * Clients cut long results, some of them in the middle. So we cut them ourselves, at the end of the longest texts and
 * lists. Each of the two forms of a result stays below the size that every client takes whole.
 */

const MAX_CHARACTERS = 9_000;
const CUT = ' [...]';
/** Shorter texts and lists are left whole: an answer has up to 2000 characters. */
const WHOLE_TEXT = 300;
const WHOLE_LIST = 3;

export function fitted({ text, data }: ToolAnswer): { readonly text: string; readonly data: Record<string, unknown> } {
  return { text: cut(text, MAX_CHARACTERS), data: fittedData(data) };
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${beginningOf(text, max - CUT.length)}${CUT}`;
}

function fittedData(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  let fitting: Record<string, unknown> = { ...data };
  for (
    let max = MAX_CHARACTERS;
    JSON.stringify(fitting).length > MAX_CHARACTERS && max > 1;
    max = Math.floor(max / 2)
  ) {
    fitting = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, shrunk(value, max)]));
  }
  return fitting;
}

/** Texts of up to `max` characters, and lists of up to one entry for each hundred of them. */
function shrunk(value: unknown, max: number): unknown {
  if (typeof value === 'string') return cut(value, Math.max(WHOLE_TEXT, max));
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.slice(0, Math.max(WHOLE_LIST, Math.floor(max / 100))).map((item) => shrunk(item, max));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shrunk(one, max)]));
}
