import { REPLY_KEYS } from '../protocol/reply.js';
import { type JsonBlock, jsonBlocksIn } from './json-in-text.js';

/*
 * Which JSON in a text claims to be the agent's reply. At the end of the text, but for a closing sentence, one key of a
 * reply is enough. Further up an object is often an example, so that it takes a key with which work is handed in or
 * somebody is asked. An object in the middle of a sentence is part of the sentence. Data that has no key of a reply is
 * text, unless it is all there is and does not even parse.
 */

export interface Claim extends JsonBlock {
  /** The keys with which it asks somebody something. */
  readonly asks: readonly string[];
  /** Why it cannot be the reply, although it has the keys of one. */
  readonly problem?: string;
}

/** What gets lost with these is a question; nobody names data like that. */
const ASKING = ['clarify', 'open_questions', 'openQuestions', 'needs_clarification', 'proposes'];
const TELLING = [...ASKING, 'artifacts', 'review'];

/** Of a text that neither begins nor ends with space. */
export function claimsIn(text: string): readonly Claim[] {
  const lastParagraph = startOfLastParagraph(text);
  return [...jsonBlocksIn(text)].flatMap((block) => {
    const place = placeOf(text, block, lastParagraph);
    if (place === 'sentence') return [];
    const claim = block.value === undefined ? spoiltClaim(block, place) : wholeClaim(block, block.value, place);
    return claim ?? [];
  });
}

type Place = 'alone' | 'end' | 'further up' | 'sentence';

const SPACE_AND_FENCE = /\s*(?:`{3,}|~{3,})?\s*/y;
const PUNCTUATION = /^[\s.,;:!?)'"*`~]*$/;

function placeOf(text: string, { start, end }: JsonBlock, lastParagraph: number): Place {
  SPACE_AND_FENCE.lastIndex = end;
  SPACE_AND_FENCE.test(text);
  const next = SPACE_AND_FENCE.lastIndex;
  if (start === 0 && end === text.length) return 'alone';
  const isClosed = next === text.length;
  const isClosing = isClosed || next >= lastParagraph;
  if (text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trim() === '') return isClosing ? 'end' : 'further up';
  const [besides = ''] = /^[^\n\r]*/.exec(text.slice(end)) ?? [];
  if (!PUNCTUATION.test(besides)) return 'sentence';
  return isClosed || (isClosing && next === lastParagraph) ? 'end' : 'further up';
}

function startOfLastParagraph(text: string): number {
  let start = 0;
  for (const { index, 0: gap } of text.matchAll(/\n\s*\n\s*/g)) start = index + gap.length;
  return start;
}

function wholeClaim(block: JsonBlock, value: object, place: Place): Claim | undefined {
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  const asks = keys.filter((key) => ASKING.includes(key));
  const slip = keys.find((key) => !asks.includes(key) && spelling(key) !== undefined);
  if (slip !== undefined) return { ...block, asks, problem: `its key ${slip} is spelt ${spelling(slip)}` };
  if (keys.some((key) => wanted(place).includes(key))) return { ...block, asks };
  const inner = Object.values(value).find((part) => isObject(part) && Object.keys(part).some(isAsking));
  if (inner === undefined) return undefined;
  const what = Array.isArray(value) ? 'it is a list' : 'its keys stand one level too deep';
  return {
    ...block,
    asks,
    problem: `${what}. One JSON object is wanted, with the keys of a reply: ${REPLY_KEYS.join(', ')}`,
  };
}

/** What does not parse has only its words: quoted ones in JSON, and those that ask in any form. */
function spoiltClaim(block: JsonBlock, place: Place): Claim | undefined {
  const { json, form } = block;
  const quoted = [...json.matchAll(/["'\u201c]([A-Za-z_]+)["'\u201d]\s*:/g)].map(([, key = '']) => key);
  const bare = [...json.matchAll(/[{,]\s*([A-Za-z_]+)\s*:/g)].map(([, key = '']) => key);
  const asks = [...quoted, ...bare].filter((key) => ASKING.includes(key));
  const isClaim =
    place === 'alone' || asks.length > 0 || (form !== 'code' && quoted.some((key) => wanted(place).includes(key)));
  return isClaim ? { ...block, asks } : undefined;
}

function wanted(place: Place): readonly string[] {
  return place === 'further up' ? TELLING : REPLY_KEYS;
}

/** How a key is spelt that somebody wrote in another way: `needsClarification`, `Open-Questions`. */
function spelling(key: string): string | undefined {
  const letters = (word: string) => word.replace(/[-_ ]/g, '').toLowerCase();
  return ASKING.includes(key) ? undefined : ASKING.find((known) => letters(known) === letters(key));
}

function isAsking(key: string): boolean {
  return ASKING.includes(key);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
