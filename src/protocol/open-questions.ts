import * as z from 'zod/mini';
import {
  type Consequence,
  consequenceIn,
  isIrreversibleFallback,
  isIrreversibleOption,
  isSaidIrreversible,
  isStatedIrreversible,
  ONLY_REVERSIBLE,
  statesIrreversible,
  withoutConsequence,
} from './consequence.js';
import { declaredFallback, isNoFallback, withoutFallback } from './declared-fallback.js';
import { AgentXError } from './errors.js';
import { isObject } from './is-object.js';
import { MAX_OPTIONS_PER_QUESTION, MAX_QUESTION_CHARACTERS, MAX_QUESTIONS_PER_REPLY } from './limits.js';
import { chosenInWords } from './option-in-words.js';
import { optionList } from './option-list.js';
import { parseWith, requireText } from './parse.js';
import { QuestionFallback, type QuestionOption, QuestionPart } from './question.js';
import { saysNothing } from './says-nothing.js';
import { Timestamp } from './timestamp.js';

const MAX_ID_CHARACTERS = 64;

/** What a question needs and an agent may leave out. */
export interface QuestionDefaults {
  readonly makeId: () => string;
  readonly now: () => string;
}

/** The questions that an agent asks at once, and what holds for all of them. */
export interface AskedQuestions {
  readonly parts: readonly QuestionPart[];
  readonly blocking: boolean;
  readonly consequence: Consequence;
}

/** The questions of an agent's reply, under either spelling of the field; an empty list if there are none. */
export function parseOpenQuestions(reply: unknown, defaults: QuestionDefaults): readonly QuestionPart[] {
  return askedIn(reply, defaults).parts;
}

/** The same with what the reply says about them as a whole. */
export function askedIn(reply: unknown, defaults: QuestionDefaults): AskedQuestions {
  return parseAsked(questionsIn(reply), isObject(reply) ? reply : {}, defaults);
}

/** As they are given, without those that say that there is none: models fill in every field. */
export function questionsIn(reply: unknown): readonly unknown[] {
  const fields: Readonly<Record<string, unknown>> = isObject(reply) ? reply : {};
  const questions = [fields.open_questions, fields.openQuestions].flatMap((field) => field ?? []);
  return questions.filter((question) => {
    const text = isObject(question) ? (question.text ?? question.question) : question;
    return typeof text !== 'string' || text.trim() === '' || !saysNothing(text);
  });
}

/**
 * Questions, and the fields beside them (`blocking`, `consequence`, `fallback`): these hold for every question that
 * does not say otherwise. One irreversible question makes all of them wait, because they are answered together, and a
 * fallback for it is refused.
 */
export function parseAsked(
  questions: readonly unknown[],
  otherFields: unknown,
  defaults: QuestionDefaults,
): AskedQuestions {
  const commonFields = isObject(otherFields) ? withoutNulls(otherFields) : {};
  const parts = withCommonFallback(parseQuestionParts(questions, defaults), declaredFallback(commonFields));
  const common = consequenceOf(commonFields, 'What is said beside the questions');
  const { text: _, answer: __, ...aboutThem } = commonFields;
  const isStatedBeside = statesIrreversible(aboutThem);
  const settings = questions.map((question, index) => {
    const fields = isObject(question) ? withoutNulls(question) : {};
    const what = `Open question ${index + 1}`;
    const ownConsequence = consequenceOf(fields, what);
    if (ownConsequence === 'reversible' && common === 'irreversible') {
      throw new AgentXError('INVALID_INPUT', `${what} is reversible, and beside the questions they are irreversible.`);
    }
    const fallback = parts[index]?.fallback;
    const isSaid = fallback === undefined && isSaidIrreversible(declaredFallback(fields));
    const impliedConsequence = isSaid || isStatedBeside ? 'irreversible' : impliedBy(parts[index], fallback);
    const consequence = ownConsequence ?? common ?? impliedConsequence ?? 'reversible';
    if (consequence === 'irreversible' && fallback !== undefined) throw contradiction(`${what} is irreversible`);
    return { consequence, blocking: (fields.blocking ?? commonFields.blocking) !== false };
  });
  return {
    parts,
    blocking: settings.some(({ blocking }) => blocking),
    consequence: settings.some(({ consequence }) => consequence === 'irreversible') ? 'irreversible' : 'reversible',
  };
}

/**
 * Reads questions leniently: a string; `{text}`; or the widespread `{question, header, options: [{label}],
 * multiSelect}`. What cannot be a question at all is refused, because dropping a question silently would mean work done
 * on a guess.
 */
export function parseQuestionParts(
  questions: readonly unknown[],
  { makeId, now }: QuestionDefaults,
): readonly QuestionPart[] {
  requireAtMost('A reply', 'questions', questions.length, MAX_QUESTIONS_PER_REPLY);
  const ids = assignIds(questions, makeId);
  return questions.map((entry, index) => {
    const what = `Open question ${index + 1}`;
    const { question, ...rest } = isObject(entry) ? withoutConsequence(withoutNulls(entry)) : { text: entry };
    const text = rest.text ?? question;
    if (typeof text !== 'string') {
      throw new AgentXError('INVALID_INPUT', `${what} has no text. Allowed: a string, or an object with 'text'.`, {
        index,
      });
    }
    const options = rest.options === undefined ? [] : parseOptions(rest.options, what);
    const fallback = parseFallback(declaredFallback(rest), options, what);
    return parseWith(
      QuestionPart,
      {
        ...withoutFallback(rest),
        id: ids[index],
        text: requireText(text, 'question', MAX_QUESTION_CHARACTERS),
        createdAt: z.safeParse(Timestamp, rest.createdAt).success ? rest.createdAt : now(),
        ...(rest.options === undefined ? {} : { options }),
        ...(fallback === undefined ? {} : { fallback }),
      },
      what,
    );
  });
}

/** From its own words, or from an option if no other one is declared as the fallback. */
function impliedBy(part: QuestionPart | undefined, fallback: QuestionFallback | undefined): Consequence | undefined {
  const { options = [], ...fields } = part ?? {};
  const isStated = Object.values(fields).some((text) => typeof text === 'string' && isStatedIrreversible(text));
  const isImplied = isStated || (fallback === undefined && options.some(isIrreversibleOption));
  return isImplied ? 'irreversible' : undefined;
}

function consequenceOf(fields: Record<string, unknown>, what: string): Consequence | undefined {
  const { consequence, problem } = consequenceIn(fields);
  if (problem === undefined) return consequence;
  throw new AgentXError('INVALID_INPUT', `${what} cannot be understood: ${problem}.`);
}

/**
 * A text holds for every part without a fallback of its own. Parts letter their options alike, so an option means the
 * first part that has it; the others have no fallback, and a person has to decide.
 */
function withCommonFallback(parts: readonly QuestionPart[], commonFallback: unknown): readonly QuestionPart[] {
  if (commonFallback === undefined) return parts;
  const { option, optionId = option }: Record<string, unknown> = isObject(commonFallback)
    ? commonFallback
    : { option: commonFallback };
  const partWithOption = parts.find(({ options = [] }) => optionNamed(optionId, options) !== undefined);
  return parts.map((part) => {
    if (part.fallback !== undefined || (partWithOption !== undefined && part !== partWithOption)) return part;
    const fallback = parseFallback(commonFallback, part.options ?? [], 'What is said beside the questions');
    return fallback === undefined ? part : { ...part, fallback: parseWith(QuestionFallback, fallback, 'The fallback') };
  });
}

function contradiction(problem: string): AgentXError {
  return new AgentXError('INVALID_INPUT', `${problem}, and it has a fallback. ${ONLY_REVERSIBLE}`);
}

function parseOptions(options: unknown, what: string): readonly QuestionOption[] {
  const items = optionList(options);
  if (items === undefined) {
    throw new AgentXError('INVALID_INPUT', `${what} has options that are no list. Allowed: a list of options.`, {});
  }
  requireAtMost(what, 'options', items.length, MAX_OPTIONS_PER_QUESTION);
  const ids = assignIds(items, letter);
  return items.map((option, index) => {
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
      label: requireText(withoutId(label, ids[index]), 'option label', MAX_QUESTION_CHARACTERS),
    };
  });
}

/** `a) Test mode` of option a: the letter stands in front of every option anyway. */
function withoutId(label: string, id = ''): string {
  const [mark = '', letters] = /^\(?(\w{1,2})[).:]\s+(?=\S)/.exec(label) ?? [];
  return letters?.toLowerCase() === id.toLowerCase() ? label.slice(mark.length) : label;
}

/**
 * An option by its id, its label or in words, a text of its own, or an object that names one of them and says why.
 * Undefined if it says that there is none.
 */
function parseFallback(fallback: unknown, options: readonly QuestionOption[], what: string): unknown {
  if (fallback === undefined) return undefined;
  const { option, ...fields } = isObject(fallback) ? withoutNulls(fallback) : { option: fallback };
  const optionField: unknown = fields.optionId ?? option;
  // As `usableId` reads the id of an option.
  const optionName = typeof optionField === 'number' ? String(optionField) : optionField;
  const namedOption = optionNamed(optionName, options);
  if (namedOption === undefined && typeof optionName === 'string' && isNoFallback(optionName)) return undefined;
  // A reason may say that the other choice cannot be undone.
  const [text] = String(optionName).split(/\bbecause\b/i);
  const isIrreversible = isIrreversibleFallback(fields) || isIrreversibleOption(namedOption ?? { text });
  if (isIrreversible) throw contradiction(`${what} has an irreversible choice`);
  const rest = withoutConsequence(fields);
  if (optionName === undefined) return rest;
  if (namedOption !== undefined) return { ...rest, optionId: namedOption.id };
  return isObject(fallback) ? { ...rest, optionId: optionName } : { text: optionName };
}

function optionNamed(name: unknown, options: readonly QuestionOption[]): QuestionOption | undefined {
  const exact = options.find(({ id, label }) => id === name || label === name);
  if (exact !== undefined || typeof name !== 'string') return exact;
  const [id] = chosenInWords({ options }, name)?.optionIds ?? [];
  return options.find((option) => option.id === id);
}

/** A single argument may stand without a list; only texts are arguments. */
function argumentsIn(fields: Record<string, unknown>, key: 'pros' | 'cons'): { readonly [key: string]: string[] } {
  if (fields[key] === undefined) return {};
  const texts: readonly unknown[] = [fields[key]].flat();
  return { [key]: texts.filter((one) => typeof one === 'string') };
}

/** Given ids are kept, also the first of two equal ones; the others are made around them. */
function assignIds(items: readonly unknown[], make: (index: number) => string): readonly string[] {
  const givenIds = items.map((item) => usableId(isObject(item) ? item.id : undefined));
  const usedIds = new Set(givenIds);
  return givenIds.map((id, index) => {
    if (id !== undefined && givenIds.indexOf(id) === index) return id;
    const base = make(index);
    let newId = base;
    for (let suffix = 2; usedIds.has(newId); suffix++) newId = `${base}-${suffix}`;
    usedIds.add(newId);
    return newId;
  });
}

function usableId(value: unknown): string | undefined {
  const id = typeof value === 'number' ? String(value) : value;
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID_CHARACTERS ? id : undefined;
}

function letter(index: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + index);
}

function requireAtMost(what: string, things: string, count: number, max: number): void {
  if (count <= max) return;
  throw new AgentXError('INVALID_INPUT', `${what} has ${count} ${things}. Allowed: up to ${max}.`, { count, max });
}

/** Models write null for what they leave out, and put a yes or no into quotes. */
function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(fields).filter(([, value]) => value !== null);
  return Object.fromEntries(entries.map(([name, value]) => [name, SWITCHES.has(name) ? unquoted(value) : value]));
}

const SWITCHES = new Set(['multiSelect', 'allowText', 'recommended', 'blocking']);

function unquoted(value: unknown): unknown {
  const isSwitch = typeof value === 'string' && /^(?:true|false)$/i.test(value);
  return isSwitch ? value.toLowerCase() === 'true' : value;
}
