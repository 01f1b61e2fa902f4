import * as z from 'zod/mini';
import { AgentXError } from './errors.js';
import { MAX_OPTIONS_PER_QUESTION, MAX_QUESTION_CHARACTERS, MAX_QUESTIONS_PER_REPLY } from './limits.js';
import { parseWith, requireText } from './parse.js';
import { type QuestionOption, QuestionPart } from './question.js';
import { Timestamp } from './timestamp.js';

const MAX_ID_CHARACTERS = 64;

/** What a question needs and an agent may leave out. */
export interface QuestionDefaults {
  readonly makeId: () => string;
  readonly now: () => string;
}

/** The questions of an agent's reply, under either spelling of the field; none is an empty list. */
export function parseOpenQuestions(reply: unknown, defaults: QuestionDefaults): readonly QuestionPart[] {
  if (!isObject(reply)) return [];
  const questions = [reply.open_questions, reply.openQuestions].flatMap((field) => field ?? []);
  return parseQuestionParts(questions, defaults);
}

/**
 * Reads questions leniently: a string; `{text}`; or the widespread `{question, header, options: [{label}],
 * multiSelect}`. What cannot be a question at all is refused, since a question silently dropped would be work done on
 * a guess.
 */
export function parseQuestionParts(
  questions: readonly unknown[],
  { makeId, now }: QuestionDefaults,
): readonly QuestionPart[] {
  requireAtMost('A reply', 'questions', questions.length, MAX_QUESTIONS_PER_REPLY);
  const ids = assignIds(questions, makeId);
  return questions.map((given, index) => {
    const what = `Open question ${index + 1}`;
    const { question, ...rest } = isObject(given) ? withoutNulls(given) : { text: given };
    const text = rest.text ?? question;
    if (typeof text !== 'string') {
      throw new AgentXError('INVALID_INPUT', `${what} has no text. Allowed: a string, or an object with 'text'.`, {
        index,
      });
    }
    const options = rest.options === undefined ? [] : parseOptions(rest.options, what);
    return parseWith(
      QuestionPart,
      {
        ...rest,
        id: ids[index],
        text: requireText(text, 'question', MAX_QUESTION_CHARACTERS),
        createdAt: z.safeParse(Timestamp, rest.createdAt).success ? rest.createdAt : now(),
        ...(rest.options === undefined ? {} : { options }),
        ...(rest.fallback === undefined ? {} : { fallback: parseFallback(rest.fallback, options) }),
      },
      what,
    );
  });
}

function parseOptions(options: unknown, what: string): readonly QuestionOption[] {
  if (!Array.isArray(options)) {
    throw new AgentXError('INVALID_INPUT', `${what} has options that are no list. Allowed: a list of options.`, {});
  }
  requireAtMost(what, 'options', options.length, MAX_OPTIONS_PER_QUESTION);
  const given: readonly unknown[] = options;
  const ids = assignIds(given, letter);
  return given.map((option, index) => {
    const fields = isObject(option) ? withoutNulls(option) : { label: option };
    const label = fields.label ?? fields.text;
    if (typeof label !== 'string') {
      throw new AgentXError('INVALID_INPUT', `${what} has an option without a label. Allowed: text.`, { index });
    }
    return {
      ...fields,
      ...argumentsIn(fields, 'pros'),
      ...argumentsIn(fields, 'cons'),
      id: ids[index] ?? letter(index),
      label: requireText(label, 'option label', MAX_QUESTION_CHARACTERS),
    };
  });
}

/** An option by its id or label, a text of its own, or an object that names one of them and says why. */
function parseFallback(given: unknown, options: readonly QuestionOption[]): unknown {
  const { option, ...fields } = isObject(given) ? withoutNulls(given) : { option: given };
  const named: unknown = fields.optionId ?? option;
  if (named === undefined) return fields;
  const meant = options.find(({ id, label }) => id === named || label === named);
  if (meant !== undefined) return { ...fields, optionId: meant.id };
  return isObject(given) ? { ...fields, optionId: named } : { text: named };
}

/** One argument may stand alone; what is no text is no argument. */
function argumentsIn(fields: Record<string, unknown>, key: 'pros' | 'cons'): { readonly [key: string]: string[] } {
  if (fields[key] === undefined) return {};
  const given: readonly unknown[] = [fields[key]].flat();
  return { [key]: given.filter((one) => typeof one === 'string') };
}

/** Ids that were given are kept, the first of two equal ones included; the others are made around them. */
function assignIds(given: readonly unknown[], make: (index: number) => string): readonly string[] {
  const kept = given.map((item) => usableId(isObject(item) ? item.id : undefined));
  const taken = new Set(kept);
  return kept.map((id, index) => {
    if (id !== undefined && kept.indexOf(id) === index) return id;
    const base = make(index);
    let made = base;
    for (let suffix = 2; taken.has(made); suffix++) made = `${base}-${suffix}`;
    taken.add(made);
    return made;
  });
}

function usableId(given: unknown): string | undefined {
  const id = typeof given === 'number' ? String(given) : given;
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID_CHARACTERS ? id : undefined;
}

function letter(index: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + index);
}

function requireAtMost(what: string, things: string, count: number, max: number): void {
  if (count <= max) return;
  throw new AgentXError('INVALID_INPUT', `${what} has ${count} ${things}. Allowed: up to ${max}.`, { count, max });
}

/** Models write null for what they leave out. */
function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
