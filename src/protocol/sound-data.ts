import { MAX_JSON_DEPTH } from './limits.js';

/*
 * What no data of ours may contain, whatever its source. It must not have more levels than recursive code can take, or
 * a key that changes what a copy inherits. It must not have text that no database takes: NUL, and halves of characters.
 */

export type DataPath = readonly (string | number)[];

export interface Unsound {
  readonly path: DataPath;
  /** The error: `has a NUL character`. */
  readonly problem: string;
}

export interface SoundOptions {
  /** Output of programs may contain anything; it is only shown. */
  readonly anyText?: boolean;
  /** For schemas that name every allowed key. */
  readonly anyKey?: boolean;
}

const UNSOUND_TEXT = /[\0\p{Cs}]/u;

/** The first error in JSON, or in data that looks like it. */
export function findUnsound(
  value: unknown,
  { anyText = false, anyKey = false }: SoundOptions = {},
): Unsound | undefined {
  const problemOf = (text: unknown) => (anyText || typeof text !== 'string' ? undefined : textProblem(text));
  const problem = problemOf(value);
  if (problem !== undefined) return { path: [], problem };
  const queue: { readonly here: Container; readonly path: Path }[] = [];
  if (isContainer(value)) queue.push({ here: value, path: { depth: 0 } });
  for (let part = queue.pop(); part !== undefined; part = queue.pop()) {
    const { here: container, path } = part;
    if (path.depth >= MAX_JSON_DEPTH) {
      return { path: spelledOut(path).slice(0, 3), problem: `is nested more than ${MAX_JSON_DEPTH} levels deep` };
    }
    const isList = Array.isArray(container);
    for (const key of Object.keys(container)) {
      const inner = container[key];
      const innerPath = () => ({ depth: path.depth + 1, parent: path, key: isList ? Number(key) : key });
      if (key === '__proto__' && !anyKey) return { path: spelledOut(innerPath()), problem: 'is not an allowed key' };
      const [problemOfKey, problemOfText] = [problemOf(key), problemOf(inner)];
      if (problemOfKey !== undefined) return { path: spelledOut(path), problem: `${problemOfKey} in a key` };
      if (problemOfText !== undefined) return { path: spelledOut(innerPath()), problem: problemOfText };
      if (isContainer(inner)) queue.push({ here: inner, path: innerPath() });
    }
  }
  return undefined;
}

/** `has a NUL character`, or undefined if the text is fine. */
export function textProblem(text: string): string | undefined {
  const [character] = UNSOUND_TEXT.exec(text) ?? [];
  if (character === undefined) return undefined;
  if (character === '\0') return 'has a NUL character';
  return `has half of a character (U+${character.charCodeAt(0).toString(16).toUpperCase()})`;
}

/** For what is taken out of the text of another program: one character must not keep the rest from being stored. */
export function withoutUnsound(text: string): string {
  return text.replaceAll(/[\0\p{Cs}]/gu, ' ');
}

/** `open_questions[0].text`, or `nameOfWhole` for the root. */
export function pathText(path: DataPath, nameOfWhole: string): string {
  const parts = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`));
  return parts.join('').replace(/^\./, '') || nameOfWhole;
}

interface Path {
  readonly depth: number;
  readonly parent?: Path;
  readonly key?: string | number;
}

function spelledOut({ parent, key }: Path): DataPath {
  return parent === undefined || key === undefined ? [] : [...spelledOut(parent), key];
}

type Container = Readonly<Record<string, unknown>>;

function isContainer(value: unknown): value is Container {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
}
