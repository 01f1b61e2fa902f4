import * as z from 'zod/mini';
import { AgentXError } from './errors.js';
import { countCharacters } from './limits.js';
import { findUnsound, pathText, type SoundOptions, textProblem } from './sound-data.js';

const SHOWN_ISSUES = 5;

/** Parses or throws one INVALID_INPUT that names each wrong path and what is allowed there. */
export function parseWith<S extends z.core.$ZodType>(
  schema: S,
  value: unknown,
  what: string,
  options?: SoundOptions,
): z.output<S> {
  requireSound(value, what, options);
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  throw new AgentXError('INVALID_INPUT', `${what} is not valid: ${describeIssues(result.error)}.`, {
    what,
    issues: result.error.issues.map((issue) => ({ path: pathOf(issue), problem: describeIssue(issue) })),
  });
}

/** INVALID_INPUT for data that we can store nowhere, whatever its schema says. */
export function requireSound(value: unknown, what: string, options?: SoundOptions): void {
  const defect = findUnsound(value, options);
  if (defect === undefined) return;
  const { problem } = defect;
  const path = pathText(defect.path, 'the value');
  throw new AgentXError('INVALID_INPUT', `${what} is not valid: ${path} ${problem}.`, {
    what,
    issues: [{ path, problem }],
  });
}

/** One line for all issues of a failed parse, e.g. `clarifications[0].status must be one of pending, answered`. */
function describeIssues(error: z.core.$ZodError): string {
  const descriptions = error.issues.slice(0, SHOWN_ISSUES).map((issue) => `${pathOf(issue)} ${describeIssue(issue)}`);
  const hidden = error.issues.length - descriptions.length;
  return hidden > 0 ? `${descriptions.join('; ')}; and ${hidden} more` : descriptions.join('; ');
}

/** Also characters that take no place, such as a zero width space. */
const BLANK = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

/** A text from outside: neither blank nor longer than `max` characters. */
export function requireText(value: string, what: string, max: number): string {
  if (typeof value !== 'string' || BLANK.test(value)) {
    throw new AgentXError('INVALID_INPUT', `The ${what} is empty. It needs 1 to ${max} characters.`, { what, max });
  }
  const length = countCharacters(value);
  if (length > max) {
    throw new AgentXError('INVALID_INPUT', `The ${what} has ${length} characters. Allowed: up to ${max}.`, {
      what,
      length,
      max,
    });
  }
  const problem = textProblem(value);
  if (problem !== undefined) throw new AgentXError('INVALID_INPUT', `The ${what} ${problem}.`, { what });
  return value;
}

// zod/mini ships without messages ("Invalid input" for everything), which keeps start-up short; these are ours.
function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.message !== 'Invalid input') return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${article(issue.expected)}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return `must be ${FORMATS.get(issue.format) ?? `text that matches ${issue.pattern ?? issue.format}`}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unit(issue.origin)}`;
    case 'unrecognized_keys':
      return `has unknown fields ${issue.keys.join(', ')}`;
    case 'invalid_union':
      return 'matches none of the allowed forms';
    case 'invalid_key':
      return 'is not an allowed key';
    default:
      return 'is not allowed';
  }
}

const FORMATS: ReadonlyMap<string, string> = new Map([['datetime', 'an ISO 8601 time such as 2026-02-26T10:00:00Z']]);

function article(expected: string): string {
  if (expected === 'int') return 'a whole number';
  return /^[aeio]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters long';
  if (origin === 'array') return ' entries long';
  return '';
}

function pathOf(issue: z.core.$ZodIssue): string {
  let path = '';
  for (const key of issue.path) {
    if (typeof key === 'number') path += `[${key}]`;
    else path += path === '' ? String(key) : `.${String(key)}`;
  }
  return path === '' ? 'the value' : path;
}
