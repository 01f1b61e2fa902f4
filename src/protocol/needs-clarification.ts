import type { BlockerType } from './assumption.js';
import {
  type Consequence,
  consequenceIn,
  isIrreversibleFallback,
  isIrreversibleOption,
  isSaidIrreversible,
  statesIrreversible,
} from './consequence.js';
import { declaredFallback, isNoFallback, withoutFallback } from './declared-fallback.js';
import { AgentXError } from './errors.js';
import { EVIDENCE, EVIDENCE_KEYS, type Evidence } from './evidence.js';
import { isObject } from './is-object.js';
import { MAX_OPTIONS_PER_QUESTION, MAX_QUESTION_CHARACTERS } from './limits.js';
import { chosenInWords } from './option-in-words.js';
import { optionList } from './option-list.js';
import { requireText } from './parse.js';

/*
 * What a planning agent says when it cannot decide by itself (002). It gives a blocker of one of three kinds, evidence
 * that it tried, one question with lettered options, and the option it takes without an answer. As markdown or as
 * fields; every text is one line. Missing parts are found by `problemsOf`, not while reading, so that a refusal names
 * all of them at once. An irreversible request is the exception: it takes no option by itself and waits for a human.
 */

export interface PlanningRequest {
  /** The agent's own word, if it is none of the three. */
  readonly blocker_type: string;
  readonly evidence: Evidence;
  readonly question: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
  readonly fallback?: { readonly option: string; readonly reasoning: string; readonly risk?: string };
  readonly consequence?: Consequence;
  /** A statement about its consequence that is unclear or contradicts itself. */
  readonly unclear?: string;
}

export const BLOCKERS: Readonly<Record<Exclude<BlockerType, 'none'>, string>> = {
  mutually_exclusive_requirements: 'Mutually Exclusive Requirements',
  missing_external_data: 'Missing External Data',
  security_decision: 'Security Decision',
};

const HEADING =
  /^[^\S\n]*(?:[#>*]{1,9}[^\S\n]*)?\*{0,3}(?:PM|Project Manager)[ -]Status[ *]{0,4}[:=-][\s*`]*NEEDS(?:_CLARIFICATION\b|[ -]CLARIFICATION[ *`.]*$)/im;

/** The request in an agent's text, from its heading on. */
export function requestIn(text: string): string | undefined {
  const start = text.search(HEADING);
  return start < 0 ? undefined : text.slice(start);
}

/**
 * What the reply says beside the request about its consequence or its fallback holds if the request itself says
 * nothing.
 */
export function readNeedsClarification(input: unknown, otherFields: unknown = {}): PlanningRequest {
  const fields = typeof input === 'string' ? encodedIn(input) : input;
  const request = typeof fields === 'string' ? readMarkdown(fields) : readFields(isObject(fields) ? fields : {});
  const requestBeside = readFields({ ...(isObject(otherFields) ? otherFields : {}), options: request.options });
  const { fallback = requestBeside.fallback, consequence = requestBeside.consequence } = request;
  const isOverruled = request.consequence === 'reversible' && requestBeside.consequence === 'irreversible';
  const contradicts = isOverruled ? 'what is said beside it contradicts that it is reversible' : undefined;
  const unclear = request.unclear ?? requestBeside.unclear ?? contradicts;
  return {
    ...request,
    ...(fallback === undefined ? {} : { fallback }),
    ...(consequence === undefined ? {} : { consequence }),
    ...(unclear === undefined ? {} : { unclear }),
  };
}

/** An impossible statement about its consequence, as a clause: such a request is neither asked nor decided unasked. */
export function consequenceProblem({ consequence, unclear, fallback }: PlanningRequest): string | undefined {
  if (unclear !== undefined) return unclear;
  if (fallback === undefined || consequence !== 'irreversible') return undefined;
  return 'it is irreversible and has a fallback';
}

/** What keeps it from being a request at all, one sentence each. */
export function problemsOf(request: PlanningRequest): readonly string[] {
  const { question, options, fallback, consequence } = request;
  const problems: string[] = [consequenceProblem(request) ?? []].flat();
  if (question === '') problems.push('it asks no question');
  else problems.push(...tooLong('question', question));
  if (options.length < 2) problems.push('it needs at least two options');
  if (options.length > MAX_OPTIONS_PER_QUESTION) problems.push(`it has more than ${MAX_OPTIONS_PER_QUESTION} options`);
  for (const { id, label } of options) problems.push(...tooLong(`option ${id}`, label));
  const ids = options.map(({ id }) => id);
  const repeatedId = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeatedId !== undefined) problems.push(`it has two options ${repeatedId}`);
  if (fallback === undefined && consequence !== 'irreversible') problems.push('it declares no safe fallback');
  if (fallback !== undefined && !options.some(({ id }) => id === fallback.option)) {
    problems.push(`its fallback names none of the options (${ids.join(', ')})`);
  }
  if (fallback?.reasoning === '') problems.push('its fallback gives no reason');
  return problems;
}

/** Its blocker: one of the three, or undefined. */
export function blockerOf({ blocker_type }: Pick<PlanningRequest, 'blocker_type'>): BlockerType | undefined {
  const words = blocker_type
    .toLowerCase()
    .replace(/\([^)]*\)\W*$/, '')
    .replace(/[^a-z]+/g, '_');
  const [kind] = BLOCKER_PATTERNS.find(([, pattern]) => pattern.test(words)) ?? [];
  return kind;
}

const BLOCKER_PATTERNS: readonly (readonly [BlockerType, RegExp])[] = [
  ['mutually_exclusive_requirements', /^_?(?:a_)?mutually_exclusive(?:_requirements?)?_?$/],
  ['missing_external_data', /^_?(?:b_)?missing_external_data_?$/],
  ['security_decision', /^_?(?:c_)?(?:security(?:_(?:or_)?legal)?|legal(?:_(?:or_)?security)?)_decision_?$/],
];

export function writeNeedsClarification(request: PlanningRequest, minutes: number): string {
  const { evidence, question, options, fallback, consequence } = request;
  const proceeds = consequence === 'irreversible' ? '' : ` (auto-proceed with fallback after ${minutesText(minutes)})`;
  const blocker = blockerOf(request);
  const blockerText = blocker === undefined || blocker === 'none' ? line(request.blocker_type) : BLOCKERS[blocker];
  return [
    '## PM Status: NEEDS_CLARIFICATION',
    `**Blocker Type:** ${blockerText}`,
    ['**Evidence of Exhaustion:**', ...evidenceLines(evidence)].join('\n'),
    `**Question:** ${line(question)}`,
    ['**Options:**', ...options.map(({ id, label }) => `${id}) ${line(label)}`)].join('\n'),
    ...(fallback === undefined ? [] : [`**Safe Fallback:** ${fallbackText(fallback, minutes)}`]),
    ...(consequence === undefined ? [] : [`**Consequence:** ${consequence}`]),
    `**Status:** AWAITING_CLARIFICATION${proceeds}`,
  ].join('\n\n');
}

export function evidenceLines(evidence: Evidence): readonly string[] {
  return EVIDENCE_KEYS.flatMap((key) => {
    const text = evidence[key];
    return text === undefined ? [] : [`- ${EVIDENCE[key]}: ${line(text)}`];
  });
}

function fallbackText(fallback: NonNullable<PlanningRequest['fallback']>, minutes: number): string {
  const { option, reasoning, risk } = fallback;
  const riskText =
    risk === undefined ? 'with risk assessment' : isOneWord(risk) ? `with ${risk} risk` : `with risk: ${line(risk)}`;
  return (
    `If no response within ${minutesText(minutes)}, I will proceed with option (${option}) because ` +
    `${line(reasoning)}. This assumption will be logged ${riskText}.`
  );
}

function minutesText(minutes: number): string {
  return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}

/** Models write JSON into a text when a field may hold a text. */
function encodedIn(text: string): unknown {
  try {
    return text.trimStart().startsWith('{') ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}

const FIELD = /^(?:[-*] )?\*\* ?([A-Za-z][A-Za-z ]*?) ?(?:: ?\*\*|\*\* ?:) ?(.*)$/;
/** The fields of 002, also as headings or without any decoration. */
const PLAIN_FIELD =
  /^(?:#{1,6} )?\*{0,2}(Blocker Type|Evidence of Exhaustion|Question|Options|Safe Fallback|Status)\*{0,2} ?(?:: ?(.*)|)$/i;
/** Labels within a field, in bold like the names of fields: those of the evidence, and letters of options. */
const ENTRY = new RegExp(`^(?:(?:option )?[a-z]|${Object.values(EVIDENCE).join('|')})$`, 'i');
const BOLD_LABEL = /^((?:[-*] )?)\*\*([^*]+)\*\*/;
/** 002 has no line for the consequence, so agents write it in freer forms. */
const CONSEQUENCE_LINE =
  /^(?:\d+[.)]\s+)?(consequences?|(?:ir)?reversibility|(?:is )?(?:ir)?reversible)(?:\s*\([^)]*\))?\s*(?:(?:[:=|]|-+)\s*(.*)|((?:not |ir)?reversible)|)$/i;
/** Decoration around a line. */
const ORNAMENTS = /^[\s>|#*_`-]+|[*_`|]+/g;
const EVIDENCE_LINE = /^(?:[-*] ?|\d{1,2}[.)] )?([A-Za-z][A-Za-z ]*?) ?: ?(.*)$/;
const OPTION_LINE = /^(?:[-*] )?(?:option )?\(?([a-z]|\d{1,2})(?:\) ?|[.:] )(.*)$/i;
/** Below an option; elsewhere they are fields. */
const ARGUMENT = /^(?:pros?|cons?|(?:dis)?advantages?|benefits?|drawbacks?|trade ?offs?|risks?|impact|effort|costs?)$/i;

const QUOTE_MARK = /^\s*>\s?/;

/** A line that begins nothing continues the line above: agents wrap their text. */
function readMarkdown(text: string): PlanningRequest {
  const fields = new Map<string, string[]>();
  let current: string[] | undefined;
  for (const raw of text.split(/\r?\n/).map((one) => line(one.replace(QUOTE_MARK, '')))) {
    const [, name, rest, alone] =
      CONSEQUENCE_LINE.exec(line(raw.replace(ORNAMENTS, ' '))) ?? FIELD.exec(raw) ?? PLAIN_FIELD.exec(raw) ?? [];
    const isArgument = name !== undefined && current === fields.get('options') && ARGUMENT.test(name);
    if (name !== undefined && !isArgument && !ENTRY.test(name)) {
      // A second question does not replace the first: a request that asks twice is refused.
      current = fields.get(name.toLowerCase()) ?? [];
      // The word alone on a line is enough.
      current.push(rest ?? alone ?? (/^(?:is )?irreversible$/i.test(name) ? 'yes' : ''));
      fields.set(name.toLowerCase(), current);
    } else if (!HEADING.test(raw)) current?.push(raw.replace(BOLD_LABEL, '$1$2'));
  }
  const of = (name: string) => fields.get(name) ?? [];
  const texts = Object.fromEntries([...fields].map(([name, lines]) => [name, line(lines.join(' '))]));
  const fallbackField = texts['safe fallback'] ?? texts.fallback ?? '';
  const options = readOptions(of('options'));
  const fallback = fallbackIn(fallbackField, options);
  const { 'evidence of exhaustion': _, ...statements } = texts;
  return {
    blocker_type: texts['blocker type'] ?? '',
    evidence: readEvidence(of('evidence of exhaustion')),
    question: texts.question ?? '',
    options,
    ...(fallback === undefined ? {} : { fallback }),
    ...consequenceOf(statements, { fallback, options, stated: statements, declared: fallbackField }),
  };
}

function readEvidence(lines: readonly string[]): Evidence {
  const evidence = new Map<keyof Evidence, string>();
  let last: keyof Evidence | undefined;
  for (const raw of lines) {
    const [, label, rest = ''] = EVIDENCE_LINE.exec(raw) ?? [];
    const key = EVIDENCE_KEYS.find((candidate) => EVIDENCE[candidate].toLowerCase() === label?.toLowerCase());
    last = key ?? last;
    if (last === undefined) continue;
    const more = key === undefined ? raw.replace(/^[-*] /, '') : rest;
    evidence.set(last, line(`${key === undefined ? (evidence.get(last) ?? '') : ''} ${more}`));
  }
  return Object.fromEntries(evidence);
}

function readOptions(lines: readonly string[]): PlanningRequest['options'] {
  const options: { id: string; label: string }[] = [];
  for (const raw of lines) {
    const [, id, label = ''] = OPTION_LINE.exec(raw) ?? [];
    const last = options.at(-1);
    if (id !== undefined) options.push({ id: id.toLowerCase(), label: line(label) });
    else if (last !== undefined) last.label = line(`${last.label} ${raw}`);
  }
  return options;
}

const LOGGED = /\bThis (?:assumption )?will be logged\b/gi;

const A_LETTER = String.raw`\**(?:option )?\**(?:[([]? ?([a-z]|\d{1,2}) ?[)\]]|(?<=option \**)([a-z]|\d{1,2})\b)`;
/** What is not done comes before some verbs: `rather than proceed with (b)`. */
const NOT_DONE = String.raw`(?<!(?:\b(?:not|never|than)|n['\u2019]t)\s(?:(?:want|wish|like|going)\s)?(?:to\s)?)`;
const PROCEEDS = new RegExp(String.raw`\b${NOT_DONE}proceed with ${A_LETTER}`, 'i');
const TAKES = new RegExp(String.raw`\b${NOT_DONE}(?:use|take|choose|pick|select|go with) ${A_LETTER}`, 'i');

function readFallback(text: string): PlanningRequest['fallback'] {
  const [statement = '', reason = ''] = text.split(/\b(?:because|since)\s(.*)$/i);
  const [, option, other] = PROCEEDS.exec(statement) ?? TAKES.exec(statement) ?? [];
  const letter = option ?? other;
  if (letter === undefined && isNoFallback(text)) return undefined;
  const end = [...reason.matchAll(LOGGED)].at(-1)?.index ?? reason.length;
  const reasoning = withoutStop(reason.slice(0, end));
  const risk = readRisk(reason.slice(end));
  return { option: letter?.toLowerCase() ?? '', reasoning, ...(risk === undefined ? {} : { risk }) };
}

function readRisk(sentence: string): string | undefined {
  const [, risk] = /logged with risk:\s*(.*)$/is.exec(sentence) ?? [];
  if (risk !== undefined) return withoutStop(risk);
  const [, word] = /\b(?:with|as) (?:an? )?([a-z]+)(?:-confidence| risk(?! assessment))/i.exec(sentence) ?? [];
  return word;
}

function readFields(request: Readonly<Record<string, unknown>>): PlanningRequest {
  const fields = spelledOurs(request);
  const { answer: _, ...stated } = withoutFallback(request);
  const evidenceField = fields.evidence ?? fields.evidence_of_exhaustion;
  const evidence = isObject(evidenceField) ? spelledOurs(evidenceField) : {};
  const options = (optionList(fields.options) ?? []).map(optionOf);
  const fallbackField = declaredFallback(fields);
  const fallback = isObject(fallbackField)
    ? fallbackOf(fallbackField, options)
    : fallbackIn(nameOf(fallbackField), options);
  return {
    blocker_type: textOf(fields.blocker_type),
    evidence: Object.fromEntries(
      EVIDENCE_KEYS.map((key) => [key, textsOf(evidence[key])]).filter(([, text]) => text !== ''),
    ),
    question: textOf(fields.question) || textOf(fields.text),
    options: options.map(({ id, label }) => ({ id, label })),
    ...(fallback === undefined ? {} : { fallback }),
    ...consequenceOf(
      { ...evidence, ...request },
      {
        fallback: fallback && { ...(isObject(fallbackField) ? fallbackField : {}), ...fallback },
        options: options.map(({ id, said: option }) => ({ ...option, id })),
        stated,
        declared: textOf(fallbackField),
      },
    ),
  };
}

/** `blockerType` and `Blocker Type` as `blocker_type`. */
function spelledOurs(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const ourName = (name: string) =>
    name
      .replace(/(?<=[a-z])[A-Z]/g, '_$&')
      .toLowerCase()
      .replace(/[^a-z]+/g, '_');
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [ourName(name), value]));
}

interface SaidOfIt {
  readonly fallback: (Readonly<Record<string, unknown>> & { readonly option: string }) | undefined;
  readonly options: readonly (Readonly<Record<string, unknown>> & { readonly id: string })[];
  /** What it says of itself, field by field. */
  readonly stated: Readonly<Record<string, unknown>>;
  /** The fallback in words, or why there is none. */
  readonly declared: string;
}

/**
 * From what it says of itself, in a field or in a sentence. An irreversible fallback makes the request irreversible,
 * which has no fallback; without a fallback any irreversible option does.
 */
function consequenceOf(
  fields: Readonly<Record<string, unknown>>,
  { fallback, options, stated, declared }: SaidOfIt,
): Pick<PlanningRequest, 'consequence' | 'unclear'> {
  const { consequence, problem } = consequenceIn(fields);
  if (problem !== undefined) return { unclear: problem };
  const grave = options.filter(isIrreversibleOption);
  const isGrave = fallback === undefined ? grave.length > 0 : grave.some(({ id }) => id === fallback.option);
  if (isGrave || isIrreversibleFallback({ ...fallback })) return { consequence: 'irreversible' };
  if (consequence !== undefined) return { consequence };
  const isStated = statesIrreversible(stated) || (fallback === undefined && isSaidIrreversible(declared));
  return isStated ? { consequence: 'irreversible' } : {};
}

/** In the written form, or one of the options. */
function fallbackIn(text: string, options: readonly NamedOption[]): PlanningRequest['fallback'] {
  const writtenFallback = readFallback(text);
  if (writtenFallback === undefined || writtenFallback.option !== '') return writtenFallback;
  const [statement = ''] = text.split(/,?\s*\b(?:because|since)\b/i);
  const [, name = statement] = /\bproceed with\s(.*)$/i.exec(statement) ?? [];
  return { ...writtenFallback, option: optionNamed(name, options) };
}

interface NamedOption {
  readonly id: string;
  readonly label: string;
  /** The agent's own id for it. */
  readonly agentId?: string;
}

interface ReadOption extends NamedOption {
  readonly agentId: string;
  /** Everything that the agent said about it. */
  readonly said: Readonly<Record<string, unknown>>;
}

/** `a) Test mode`, `Test mode` or `{id, label}`; letters follow from the order, as in the written form. */
function optionOf(option: unknown, index: number): ReadOption {
  const id = String.fromCharCode('a'.charCodeAt(0) + index);
  if (isObject(option))
    return { id, label: textOf(option.label) || textOf(option.text), agentId: nameOf(option.id), said: option };
  const text = textOf(option);
  const [, agentId = '', label = text] = OPTION_LINE.exec(text) ?? [];
  return { id, label, agentId: agentId.toLowerCase(), said: { label } };
}

function fallbackOf(
  request: Readonly<Record<string, unknown>>,
  options: readonly ReadOption[],
): NonNullable<PlanningRequest['fallback']> {
  const fields = spelledOurs(request);
  const risk = withoutStop(textOf(fields.risk));
  return {
    option: optionNamed(nameOf(fields.option) || nameOf(fields.option_id), options),
    reasoning: withoutStop(textOf(fields.reasoning) || textOf(fields.reason) || textOf(fields.rationale)),
    ...(risk === '' ? {} : { risk }),
  };
}

/** The id of the option that is meant, by the agent's id, a letter, its label or in words; otherwise the name itself. */
function optionNamed(text: string, options: readonly NamedOption[]): string {
  const name = text.replace(/^option\s+/i, '').replace(/^\(([^)]*)\)$/, '$1');
  if (name === '') return '';
  const byNameOrLabel = options.find(
    ({ agentId, label }) => agentId === name.toLowerCase() || agentId === name || label === name,
  );
  const option = byNameOrLabel ?? options.find(({ id }) => id === name.toLowerCase());
  return option?.id ?? chosenInWords({ options }, name)?.optionIds[0] ?? name;
}

function tooLong(what: string, text: string): readonly string[] {
  try {
    requireText(text, what, MAX_QUESTION_CHARACTERS);
    return [];
  } catch (error) {
    if (error instanceof AgentXError) return [error.message.replace(/\.$/, '')];
    throw error;
  }
}

const isOneWord = (text: string): boolean => /^[a-z]+$/i.test(text) && text.toLowerCase() !== 'risk';

const withoutStop = (text: string): string => line(text).replace(/(?<![. ])[. ]+$/, '');

const line = (text: string): string => text.replace(/\s+/g, ' ').trim();

const textOf = (value: unknown): string => (typeof value === 'string' ? line(value) : '');

/** Agents list what they searched. */
const textsOf = (value: unknown): string => {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values
    .map(textOf)
    .filter((text) => text !== '')
    .join('; ');
};

/** Agents number their options as well. */
const nameOf = (value: unknown): string => (typeof value === 'number' ? String(value) : textOf(value));
