import { REPLY_KEYS, Reply } from '../protocol/reply.js';
import { ASKING, askedOtherwise } from './asked-otherwise.js';
import { type JsonBlock, jsonBlocksIn, QUOTES } from './json-in-text.js';

/*
 * Which JSON in a text claims to be the agent's reply. At the end of the text, except for a closing sentence, one key
 * of a reply is enough. Further up an object is often an example: there it takes a key that hands in work or asks, or
 * several keys of a reply and no others. An object in the middle of a sentence is part of the sentence. Data without a
 * key of a reply is text, unless it is the whole text and does not even parse.
 */

export interface Claim extends JsonBlock {
  /** Its keys that ask a question. */
  readonly asks: readonly string[];
  /** Its keys that hand in work. */
  readonly hands: readonly string[];
  /** Why it cannot be the reply, although it has the keys of one. */
  readonly problem?: string;
}

const TELLING = [...ASKING, 'artifacts', 'review'];
const HANDING = ['artifacts', 'review', 'resolve', 'assumptions', 'observations', 'issues'];
/** The keys of a reply by their letters alone; of two with the same letters, the one of the protocol. */
const SPELLINGS = new Map([...REPLY_KEYS].reverse().map((key) => [lettersOf(key), key]));
const MARKING = [...ASKING, ...HANDING];

/** The text must neither begin nor end with space. */
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

/** What may stand around the reply besides a fence: `<reply>`, `<|im_end|>`, and invisible characters. */
const WRAPPING = /<\/?[A-Za-z][\w:.-]*(?:\s[^<>]*)?>|<\|\w+\|>|[\u200b\u2060]/g;
/** How much of a line is examined; a line may be a mebibyte long. */
const NEARBY = 200;
const CLOSING = `(?:\\s|</[A-Za-z][\\w:.-]*>|<\\|\\w+\\|>|[\\u200b\\u2060])*`;
const SPACE_AND_FENCE = new RegExp(`${CLOSING}(?:\`{3,}|~{3,})?${CLOSING}`, 'y');
const NO_WORDS = /^[^\p{L}\p{N}]*$/u;
/** `Here is my reply: {...} Thanks.` */
const NEW_SENTENCE = /^\s*\p{Lu}/u;

function placeOf(text: string, { start, end }: JsonBlock, lastParagraph: number): Place {
  SPACE_AND_FENCE.lastIndex = end;
  SPACE_AND_FENCE.test(text);
  const next = SPACE_AND_FENCE.lastIndex;
  if (start === 0 && end === text.length) return 'alone';
  const isClosed = next === text.length;
  const isClosing = isClosed || next >= lastParagraph;
  const nearby = text.slice(Math.max(0, start - NEARBY), start);
  const before = nearby.slice(nearby.lastIndexOf('\n') + 1);
  if (before.replace(WRAPPING, '').trim() === '') return isClosing ? 'end' : 'further up';
  const [besides = ''] = /^[^\n\r]*/.exec(text.slice(end, end + NEARBY)) ?? [];
  const isAnnounced = before.trimEnd().endsWith(':') && NEW_SENTENCE.test(besides);
  if (!isAnnounced && !NO_WORDS.test(besides.replace(WRAPPING, ''))) return 'sentence';
  return isClosed || (isClosing && next === lastParagraph) ? 'end' : 'further up';
}

function startOfLastParagraph(text: string): number {
  let start = 0;
  for (const { index, 0: gap } of text.matchAll(/\n\s*\n\s*/g)) start = index + gap.length;
  return start;
}

function wholeClaim(block: JsonBlock, value: object, place: Place): Claim | undefined {
  const fields = Array.isArray(value) ? [] : Object.entries(value);
  const keys = fields.map(([key]) => key);
  const asks = keys.filter((key) => ASKING.includes(key));
  const hands = fields.flatMap(([key, part]) => (HANDING.includes(key) && !isEmpty(part) ? [key] : []));
  const claim = { ...block, asks, hands };
  const isReply =
    keys.some((key) => keysThatCount(place).includes(key)) ||
    isNothingElse(value, block.start === 0) ||
    hasOnlyKeysOfReply(keys, hands);
  const single = isReply ? keys.filter((key) => REPLY_KEYS.includes(key)) : asks;
  const twice = single.find((key) => isSaidTwice(block.json, key, value));
  if (twice !== undefined) return { ...claim, problem: `its key ${twice} is there twice` };
  const slip = misspelt(keys, place);
  if (slip !== undefined) return { ...claim, problem: `its key ${slip} is spelt ${spelling(slip)}` };
  const problem =
    (isReply ? misplacedBeside(value) : misplaced(value)) ?? misnamed(value, { place, isReply }) ?? stray(value, place);
  if (problem !== undefined) return { ...claim, problem: `${problem}. ${WANTED}` };
  return isReply ? claim : undefined;
}

export const WANTED = `One JSON object is wanted, with the keys of a reply: ${REPLY_KEYS.join(', ')}`;

/** One key may be by chance, except in what an agent says first; several that fit make a reply. */
function isNothingElse(value: unknown, isFirst = false): boolean {
  if (!isObject(value) || Array.isArray(value)) return false;
  const keys = Object.keys(value);
  const isMarked = isFirst || keys.length > 1 || keys.some((key) => MARKING.includes(key));
  return isMarked && keys.every((key) => REPLY_KEYS.includes(key)) && Reply.safeParse(value).success;
}

/** What hands something in beside other keys of a reply is none by chance, whether it fits or not. */
function hasOnlyKeysOfReply(keys: readonly string[], hands: readonly string[]): boolean {
  return keys.length > 1 && hands.length > 0 && keys.every((key) => REPLY_KEYS.includes(key));
}

/** A parser keeps only the last of two equal keys. */
function isSaidTwice(json: string, key: string, value: object): boolean {
  const mentions = json.match(new RegExp(`"${key}"\\s*:`, 'g'))?.length ?? 0;
  return mentions > 1 && mentions > (JSON.stringify(value).match(new RegExp(`"${key}":`, 'g'))?.length ?? 0);
}

/** Finds a reply in data that has no key of a reply at its top level. */
function misplaced(value: object): string | undefined {
  const inner = partsOf(value);
  if (inner.some((part) => hasAskingKey(part) || isNothingElse(part))) {
    return Array.isArray(value) ? 'it is a list' : 'its keys stand too deep in it';
  }
  if ([value, ...inner].some(isEntry)) return 'it is one or more entries of clarify, by themselves';
  return stringsIn(value).some(isSaid) ? 'it holds the reply in a string' : undefined;
}

/** What providers send around a text is not nested deeper. */
const MAX_ENVELOPES = 6;

function stringsIn(value: unknown, depth = MAX_ENVELOPES): readonly string[] {
  if (typeof value === 'string') return [value];
  return isObject(value) && depth > 0 ? Object.values(value).flatMap((part) => stringsIn(part, depth - 1)) : [];
}

/** Finds a question in the fields of a reply that AgentX does not know, and in those that hold text; and files. */
function misplacedBeside(value: object): string | undefined {
  const fields = Object.entries(value);
  const unknown = fields.filter(([key]) => !REPLY_KEYS.includes(key));
  const [key] =
    unknown.find(
      ([, part]) =>
        [part, ...partsOf(part)].some(asksInside) ||
        stringsIn(part).some(asksInWords) ||
        askedOtherwise(JSON.stringify(part)) !== undefined,
    ) ?? [];
  if (key !== undefined) return `its field ${key} asks something, and is none of a reply`;
  const [files] = unknown.find(([, part]) => areFiles(part)) ?? [];
  if (files !== undefined) return `its field ${files} is none of a reply: files are artifacts`;
  const [name] = fields.find(([name, part]) => ['text', 'answer'].includes(name) && asksInWords(part)) ?? [];
  return name === undefined ? undefined : `its ${name} asks something: what asks stands beside it`;
}

/** A text with a reply of its own in it, in whatever notation. */
export function asksInWords(part: unknown): boolean {
  if (typeof part !== 'string') return false;
  const text = part.trim();
  return claimsIn(text).some(({ asks }) => asks.length > 0) || askedOtherwise(text) !== undefined;
}

function asksInside(part: unknown): boolean {
  return isEntry(part) || isProposal(part) || hasAskingKey(part);
}

/** Work under a name of the model's own: left out, it would be lost. */
function areFiles(value: unknown): boolean {
  const files: readonly unknown[] = Array.isArray(value) ? value : [value];
  return files.length > 0 && files.every(isFile);
}

function isFile(value: unknown): boolean {
  if (!isObject(value)) return false;
  const fields = new Map(Object.entries(value));
  return ['path', 'content'].every((key) => typeof fields.get(key) === 'string');
}

/** The parts of a value, their parts, and so on. */
function partsOf(value: unknown, depth = MAX_ENVELOPES): readonly unknown[] {
  const inner = isObject(value) && depth > 0 ? Object.values(value) : [];
  return [...inner, ...inner.flatMap((part) => partsOf(part, depth - 1))];
}

/** Programs that print a model's stream as it comes print its reply in pieces, each in an object of its own. */
export function asksInPieces(text: string): boolean {
  const values = [...jsonBlocksIn(text)].flatMap(({ value }) => value ?? []);
  if (values.length < 2) return false;
  const pieces = new Map<string, string>();
  for (const part of values.flatMap((value) => [value, ...partsOf(value)])) {
    if (!isObject(part)) continue;
    for (const [key, piece] of Object.entries(part))
      if (typeof piece === 'string') pieces.set(key, `${pieces.get(key) ?? ''}${piece}`);
  }
  return [...pieces.values()].some((text) => claimsIn(text.trim()).some(({ asks }) => asks.length > 0));
}

const NAMED_AS_ASKING = /question|clarif|follow.?up|human|(?<![a-z])ask/i;
const ONE_QUESTION = ['question', 'questions', 'open_question', 'header', 'options', 'multiSelect', 'text', 'status'];

/** Questions to a human under a name of the model's own, or by themselves. */
function misnamed(value: object, { place, isReply }: { place: Place; isReply: boolean }): string | undefined {
  if (place === 'further up') return undefined;
  if (Array.isArray(value))
    return asksPeople(value) ? 'it is a list of questions: questions to a human are open_questions' : undefined;
  const fields = Object.entries(value).filter(([key]) => !ASKING.includes(key));
  const asking = fields.filter(([key, part]) => NAMED_AS_ASKING.test(key) && !isEmpty(part));
  const question = isReply || fields.length === 1 ? asking.find(([, part]) => asksPeople(part)) : undefined;
  const [name] = question ?? (fields.every(([key]) => ONE_QUESTION.includes(key)) ? asking[0] : undefined) ?? [];
  if (name === undefined) return undefined;
  return `its key ${name} is none of a reply: questions to a human are open_questions`;
}

function isEmpty(value: unknown): boolean {
  return value === '' || (isObject(value) && Object.keys(value).length === 0);
}

function asksPeople(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every(isQuestion) : isQuestion(value);
}

/** A review one level too high: taken for text or left out, its verdict would be lost. */
function stray(value: object, place: Place): string | undefined {
  const verdict: unknown = new Map(Object.entries(value)).get('verdict');
  const isReview = verdict === 'approved' || verdict === 'rejected';
  return isReview && place !== 'further up' ? 'its verdict belongs into review' : undefined;
}

/** With an answer beside it, it is data. */
function isQuestion(value: unknown): boolean {
  if (typeof value === 'string') return value.trimEnd().endsWith('?');
  if (!isObject(value) || Array.isArray(value)) return false;
  const fields = new Map(Object.entries(value));
  if (fields.has('answer')) return false;
  return (
    isSaidText(fields.get('question')) ||
    isQuestion(fields.get('question')) ||
    isQuestion(fields.get('text')) ||
    isQuestion(fields.get('message')) ||
    asksPeople(fields.get('questions'))
  );
}

/** What stands under that name asks, with a question mark or without. */
function isSaidText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** A string that asks, or that is a reply and nothing else. */
function isSaid(part: string): boolean {
  const text = part.trim();
  return claimsIn(text).some(
    ({ asks, start, end, value }) => asks.length > 0 || (start === 0 && end === text.length && isNothingElse(value)),
  );
}

/** A schema describes such a key, and a list of labels names it. */
function hasAskingKey(value: unknown): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, part]) => ASKING.includes(key) && (Array.isArray(part) || isSpoken(part)));
}

const SPOKEN = new Set(['question', 'questions', 'summary']);

function isSpoken(part: unknown): boolean {
  if (typeof part === 'string') return /[?\n]/.test(part);
  return isObject(part) && Object.entries(part).some(([key, text]) => SPOKEN.has(key) && typeof text === 'string');
}

function isProposal(value: unknown): boolean {
  return isObject(value) && isNothingElse({ proposes: [value] });
}

function isEntry(value: unknown): boolean {
  return isObject(value) && ['to', 'question'].every((key) => key in value) && !('answer' in value);
}

const QUOTED_KEY = new RegExp(`[${QUOTES}]([A-Za-z_]+)\\\\?[${QUOTES}]\\s*[:\\uff1a]`, 'g');

/** Broken JSON has only its words: quoted ones in JSON, and asking keys in any form. */
function spoiltClaim(block: JsonBlock, place: Place): Claim | undefined {
  const { json, form } = block;
  const quotedKeys = [...json.matchAll(QUOTED_KEY)].map(([, key = '']) => key);
  const bareKeys = [...json.matchAll(/[{,]\s*([A-Za-z_]+)\s*:/g)].map(([, key = '']) => key);
  const asks = [...quotedKeys, ...bareKeys].filter((key) => ASKING.includes(key));
  const hands = quotedKeys.filter((key) => HANDING.includes(key));
  const isClaim =
    place === 'alone' ||
    asks.length > 0 ||
    (form !== 'code' && quotedKeys.some((key) => keysThatCount(place).includes(key)));
  return isClaim ? { ...block, asks, hands } : undefined;
}

function keysThatCount(place: Place): readonly string[] {
  return place === 'further up' ? TELLING : REPLY_KEYS;
}

/** A key that asks or, in an object with only keys of a reply, any of them. */
function misspelt(keys: readonly string[], place: Place): string | undefined {
  const allowedKeys = place !== 'further up' && keys.every((key) => spelling(key) !== undefined) ? REPLY_KEYS : ASKING;
  return keys.find((key) => !REPLY_KEYS.includes(key) && allowedKeys.includes(spelling(key) ?? ''));
}

/** The correct spelling of a misspelt key: `needsClarification`, `Open-Questions`. */
function spelling(key: string): string | undefined {
  return SPELLINGS.get(lettersOf(key));
}

function lettersOf(key: string): string {
  return key.replace(/[-_ ]/g, '').toLowerCase();
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
