import type { QuestionResponse } from '../../src/protocol/question.js';
import { plainLine } from '../../src/render/plain-text.js';
import type { Draft, PartDraft } from './state.js';

/*
 * A person may write to one question in two places at once. What each place saved is a version with a name; a save
 * names the versions that it was made from. So a text from elsewhere either was made from the text here, and may
 * replace it, or it is a different text, and is shown beside it.
 */

/** What the same person wrote to a question elsewhere. */
export interface OtherDraft {
  readonly version: string;
  readonly draft: Draft;
  readonly replaces: readonly string[];
}

export const EMPTY: PartDraft = { text: '', optionIds: [] };

export function draftOf(responses: readonly QuestionResponse[]): Draft {
  return Object.fromEntries(
    responses.map(({ questionId, answer = '', optionIds = [] }) => [questionId, { text: answer, optionIds }]),
  );
}

export function responsesOf(draft: Draft): readonly QuestionResponse[] {
  return Object.entries(draft).flatMap(([questionId, { text, optionIds }]) => {
    if (text.trim() === '' && optionIds.length === 0) return [];
    return [
      { questionId, ...(text.trim() === '' ? {} : { answer: text }), ...(optionIds.length === 0 ? {} : { optionIds }) },
    ];
  });
}

export function isEmpty(draft: Draft): boolean {
  return responsesOf(draft).length === 0;
}

/** On one line, for places that do not have the question. */
export function textOf(draft: Draft): string {
  return responsesOf(draft)
    .map(({ answer, optionIds = [] }) => plainLine(answer ?? optionIds.join(', ')))
    .join('; ');
}

/** Whether the first draft contains everything in the second. */
export function holds(draft: Draft, other: Draft): boolean {
  return responsesOf(other).every(({ questionId, answer = '', optionIds = [] }) => {
    const { text, optionIds: chosenIds } = draft[questionId] ?? EMPTY;
    return text.includes(answer.trim()) && optionIds.every((id) => chosenIds.includes(id));
  });
}

/** Both texts one below the other, with the options chosen here. */
export function together(draft: Draft, other: Draft): Draft {
  const parts = new Set([...Object.keys(draft), ...Object.keys(other)]);
  return Object.fromEntries(
    [...parts].map((id) => {
      const [part, otherPart] = [draft[id] ?? EMPTY, other[id] ?? EMPTY];
      const texts = [part.text.trim(), otherPart.text.trim()].filter((text) => text !== '');
      const text = new Set(texts).size < 2 ? (texts[0] ?? '') : texts.join('\n\n');
      return [id, { text, optionIds: part.optionIds.length > 0 ? part.optionIds : otherPart.optionIds }];
    }),
  );
}
