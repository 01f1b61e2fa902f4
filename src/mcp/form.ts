import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import type { Question, QuestionOption, QuestionPart, QuestionResponse } from '../protocol/question.js';
import { unansweredParts } from '../protocol/question-answerers.js';
import { agentTitle } from '../render/conversation.js';
import { plainLine, plainText } from '../render/plain-text.js';

/*
 * A question as a form that an MCP client shows. Each part has a choice of our options, the recommended one first, and
 * a field for an answer in the person's own words. Clients know only flat forms of texts and choices.
 */

type Properties = ElicitRequestFormParams['requestedSchema']['properties'];

/** The first revision whose clients can show a choice of several. */
const SEVERAL_SINCE = '2025-11-25';

export function formOf(question: Question, revision: string): ElicitRequestFormParams {
  const parts = unansweredParts(question);
  const fields = parts.map((part) => fieldsOf(part, { names: namesOf(question, part), revision }));
  const requiredFields = fields.flatMap((field) => field.required);
  return {
    mode: 'form',
    message: messageOf(question, parts),
    requestedSchema: {
      type: 'object',
      properties: Object.assign({}, ...fields.map(({ properties }) => properties)),
      ...(requiredFields.length > 0 && { required: requiredFields }),
    },
  };
}

/**
 * The person's answers, as far as they fit the form. Parts that were answered elsewhere since the form was shown are left
 * out.
 */
export function answersIn(question: Question, content: unknown): readonly QuestionResponse[] {
  const values = z.safeParse(z.record(z.string(), z.unknown()), content).data ?? {};
  return unansweredParts(question).flatMap((part) => {
    const names = namesOf(question, part);
    const optionIds = chosenIn(part, values, names);
    const answer = [values[names.text], ...((part.options ?? []).length === 0 ? [values[names.choice]] : [])].find(
      (value): value is string => typeof value === 'string' && value.trim() !== '',
    );
    if (optionIds.length === 0 && answer === undefined) return [];
    return [
      { questionId: part.id, ...(optionIds.length > 0 && { optionIds }), ...(answer !== undefined && { answer }) },
    ];
  });
}

function chosenIn(part: QuestionPart, values: Readonly<Record<string, unknown>>, names: Names): readonly string[] {
  const chosenValues = [values[names.choice]].flat();
  const ids = optionsOf(part).flatMap(({ id, shown }) =>
    chosenValues.includes(shown) || values[names.option(id)] === true ? [id] : [],
  );
  return part.multiSelect === true ? ids : ids.slice(0, 1);
}

interface Names {
  readonly choice: string;
  readonly text: string;
  readonly option: (id: string) => string;
  /** The place of the part in its question, from 1; undefined if it is the only one. */
  readonly place: number | undefined;
}

/** A part keeps its names when others are answered: a form that comes back later must not answer another part. */
function namesOf({ questions }: Question, part: QuestionPart): Names {
  const place = questions.length === 1 ? undefined : questions.indexOf(part) + 1;
  const number = place === undefined ? '' : `_${place}`;
  return {
    choice: `answer${number}`,
    text: `own_words${number}`,
    option: (id) => `option${number}_${id}`,
    place,
  };
}

interface Form {
  readonly names: Names;
  readonly revision: string;
}

function fieldsOf(part: QuestionPart, { names, revision }: Form): { properties: Properties; required: string[] } {
  const { place } = names;
  const title = plainLine(part.header ?? (place === undefined ? 'Answer' : `Answer ${place}`));
  // The text of an only question stands in the message, right above.
  const questionText = place === undefined ? {} : { description: plainText(part.text) };
  const options = optionsOf(part);
  const text = { type: 'string' as const, title: options.length === 0 ? title : 'In your own words' };
  if (options.length === 0)
    return { properties: { [names.choice]: { ...text, ...questionText } }, required: [names.choice] };
  const takesText = part.allowText !== false;
  const mustChoose = part.mustChoose === true || !takesText;
  const isSeveral = part.multiSelect === true;
  return {
    properties: {
      ...(isSeveral && revision < SEVERAL_SINCE
        ? eachOf(options, names, questionText)
        : { [names.choice]: choiceOf(options, { title, asked: questionText, isSeveral }) }),
      ...(takesText && { [names.text]: { ...text, description: 'Instead of a choice, or beside it.' } }),
    },
    required: mustChoose && !isSeveral ? [names.choice] : [],
  };
}

interface Described {
  readonly description?: string;
}

function choiceOf(
  options: readonly ShownOption[],
  { title, asked, isSeveral }: { title: string; asked: Described; isSeveral: boolean },
): Properties[string] {
  const values = options.map(({ shown }) => shown);
  return isSeveral
    ? { type: 'array', title, ...asked, items: { type: 'string', enum: values } }
    : { type: 'string', title, ...asked, enum: values };
}

function eachOf(options: readonly ShownOption[], { option }: Names, label: Described): Properties {
  return Object.fromEntries(
    options.map(({ id, shown }) => [option(id), { type: 'boolean' as const, title: shown, ...label }]),
  );
}

interface ShownOption {
  readonly id: string;
  readonly shown: string;
}

/** The recommended one first. Two that look the same differ in their ids. */
function optionsOf({ options = [] }: QuestionPart): readonly ShownOption[] {
  const orderedOptions = options.toSorted(
    (left, right) => Number(right.recommended === true) - Number(left.recommended === true),
  );
  const texts = orderedOptions.map(shownOf);
  return orderedOptions.map(({ id }, index) => {
    const text = texts[index] ?? '';
    const isUnique = texts.filter((other) => other === text).length === 1;
    return { id, shown: isUnique ? text : `${plainLine(id)}) ${text}` };
  });
}

function shownOf({ label, recommended }: QuestionOption): string {
  return `${plainLine(label)}${recommended === true ? ' (recommended)' : ''}`;
}

function messageOf({ askedBy, issueNumber, consequence }: Question, parts: readonly QuestionPart[]): string {
  const about = issueNumber === 0 ? '' : ` about issue #${issueNumber}`;
  const grave = consequence === 'irreversible' ? ' This cannot be undone.' : '';
  const questionTexts = parts.map((part) =>
    [plainText(part.text), ...(part.options ?? []).flatMap(explained)].join('\n'),
  );
  return [`${agentTitle(askedBy.agent)} asks${about}.${grave}`, ...questionTexts].join('\n\n');
}

function explained({ label, description }: QuestionOption): readonly string[] {
  return description === undefined ? [] : [`- ${plainLine(label)}: ${plainLine(description)}`];
}
