import * as z from 'zod/mini';
import { suggestion } from '../protocol/did-you-mean.js';
import { configError, type Problem, type TomlDocument } from './toml-document.js';
import type { TomlPath } from './toml-lines.js';

/** How a message names a key: `'autonomy.level'`, or `'needs' of step 'implement'`. */
export type NameOf = (path: TomlPath) => string;

/** The document as its schema describes it, or a CONFIG_ERROR for the first error in it. */
export function checkToml<S extends z.core.$ZodType>(
  schema: S,
  document: TomlDocument,
  nameOf: NameOf = (path) => `'${dotted(path)}'`,
): z.output<S> {
  const result = z.safeParse(schema, withoutDates(document.value));
  if (result.success) return result.data;
  // Missing keys come last: a misspelt key explains the one that seems to be missing.
  const rank = ({ path }: Problem): number =>
    valueAt(document.value, path) === undefined ? Number.MAX_SAFE_INTEGER : (document.lineOf(path) ?? 0);
  const problems = result.error.issues
    .flatMap((issue) => problemsOf(issue, { schema, document, nameOf }))
    .sort((left, right) => rank(left) - rank(right));
  const [first = { path: [], problem: 'is not valid.' }] = problems;
  const keys = new Set(problems.map(({ path }) => dotted(path)));
  throw configError(document, first, keys.size - 1);
}

/** No key takes a date, and a schema would take one for an empty table. */
function withoutDates(value: unknown): unknown {
  if (value instanceof Date) return null;
  if (Array.isArray(value)) return value.map(withoutDates);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutDates(part)]));
}

/** `agents.architect.command[0]` */
export function dotted(path: TomlPath): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key)}`))
    .join('');
}

interface Context {
  readonly schema: z.core.$ZodType;
  readonly document: TomlDocument;
  readonly nameOf: NameOf;
}

function problemsOf(issue: z.core.$ZodIssue, { schema, document, nameOf }: Context): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    const allowed = keysAt(schema, issue.path);
    return issue.keys.map((key) => {
      const path = [...issue.path, key];
      return { path, problem: `unknown key ${nameOf(path)}.${suggestion(key, allowed)}` };
    });
  }
  const path = issue.path;
  const name = path.length === 0 ? 'the file' : nameOf(path);
  const value = valueAt(document.value, path);
  if (value === undefined) return [{ path, problem: `${name} is missing: it ${requirementOf(issue)}.` }];
  const requirement = requirementOf(issue);
  const actual = requirement.startsWith('must be ') ? shownValue(value) : '';
  return [{ path, problem: `${name} ${requirement}${actual}.` }];
}

const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ['string', 'text in quotes'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list in brackets'],
  ['object', 'a table'],
  ['record', 'a table'],
]);

// zod/mini ships without messages ("Invalid input" for everything); a schema's own message takes precedence.
function requirementOf(issue: z.core.$ZodIssue): string {
  if (issue.message !== 'Invalid input') return issue.message;
  if (issue.code === 'invalid_type') return `must be ${TYPE_WORDS.get(issue.expected) ?? issue.expected}`;
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.map((value) => `"${String(value)}"`).join(' or ')}`;
  if (issue.code === 'invalid_key') return 'must be a lower-case name such as product-manager';
  return 'is not allowed';
}

const SHOWN_CHARACTERS = 60;

/** Never a long value, and never an address: it may hold a password. */
function shownValue(value: unknown): string {
  if (typeof value === 'object' && value !== null) return '';
  const text =
    typeof value === 'bigint' || typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > SHOWN_CHARACTERS || text.includes('://') ? '' : `, not ${text}`;
}

function valueAt(value: unknown, path: TomlPath): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = Reflect.get(current, key);
  }
  return current;
}

/**
 * The keys that a schema allows at a place, looking through defaults, lists and records. Kinds are compared by name,
 * not by class: naming zod's classes would load all of zod, half a megabyte, into every command.
 */
function keysAt(schema: z.core.$ZodType, path: TomlPath): readonly string[] {
  if (!isListed(schema)) return [];
  const { def } = schema._zod;
  const [key, ...rest] = path;
  switch (def.type) {
    case 'object': {
      const inner = key === undefined ? undefined : def.shape[String(key)];
      return inner === undefined ? Object.keys(def.shape) : keysAt(inner, rest);
    }
    case 'array':
      return keysAt(def.element, rest);
    case 'record':
      return keysAt(def.valueType, rest);
    case 'pipe':
      return keysAt(def.out, path);
    case 'default':
    case 'prefault':
    case 'optional':
    case 'nullable':
      return keysAt(def.innerType, path);
    default:
      return [];
  }
}

/** Every schema belongs to the union that zod lists; the compiler cannot know. */
function isListed(schema: z.core.$ZodType): schema is z.core.$ZodTypes {
  return 'type' in schema._zod.def;
}
