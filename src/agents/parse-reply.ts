import { AgentXError } from '../protocol/errors.js';
import { beginningOf } from '../protocol/limits.js';
import { parseWith, requireSound } from '../protocol/parse.js';
import { Reply } from '../protocol/reply.js';
import { textProblem } from '../protocol/sound-data.js';
import { agentError } from './agent-error.js';
import { askedOtherwise, printedWork } from './asked-otherwise.js';
import { firstLines } from './first-lines.js';
import { QUOTES } from './json-in-text.js';
import { asksInPieces, asksInWords, type Claim, claimsIn, WANTED } from './reply-claims.js';

export interface ParseReplyOptions {
  /** The subject of an error: `Agent 'architect'`. */
  readonly who?: string;
  /** Whether the output was cut here. */
  readonly isCut?: boolean;
  /** The end of what was cut off. */
  readonly rest?: string;
}

/**
 * Parses an agent's output as a reply. No output is `{}`. A JSON object that claims to be a reply is the reply, with
 * the prose around it as its text. Everything else is text. What claims to be a reply must be valid: taking a misspelt
 * one for text would hide the agent's question.
 */
export function parseReply(
  stdout: Uint8Array | string,
  { who = 'The agent', isCut = false, rest = '' }: ParseReplyOptions = {},
): Reply {
  const output = typeof stdout === 'string' ? stdout : decode(stdout, { who, isCut });
  const text = decodedOnce(withoutTerminalCodes(output.trim().replace(THINKING, '').trim()));
  if (NOTHING.test(text)) return {};
  if (UNENDED_THOUGHTS.test(text)) throw notAReply(who, 'its thoughts do not end, so no reply follows them', text);
  const problem = textProblem(text);
  if (problem !== undefined) throw notAReply(who, `it ${problem}`, text);
  const claims = claimsIn(text);
  const last = claims.at(-1);
  if (isCut && (last !== undefined || asksInWords(rest))) throw notAReply(who, 'it is cut off after 1 MiB', text);
  const [forgottenKey] = last === undefined ? [] : claims.flatMap((claim) => forgottenKeys(last, claim));
  if (forgottenKey !== undefined && !isCut) throw notAReply(who, severalReplies(forgottenKey), text);
  const words = last === undefined ? text : `${text.slice(0, last.start)}\n${text.slice(last.end)}`;
  const notation = askedOtherwise(words) ?? printedWork(words);
  if (notation !== undefined) throw notAReply(who, `${notation}. ${WANTED}`, text);
  if (asksInPieces(text)) throw notAReply(who, `it is a stream that holds the reply in pieces. ${WANTED}`, text);
  if (isCut) return { text: `${text}\n\n[cut here: the output went on beyond 1 MiB]` };
  if (last === undefined) return { text };
  return withProse(objectReply(last, who), text, last);
}

/** What a model thinks first is not its reply: in tags, of which some servers leave out the first, or in channels. */
const THOUGHTS = [
  String.raw`(?:<(think(?:ing)?|thoughts?|reasoning)(?:\s[^<>]{0,200})?>[\s\S]*?<\/\1>\s*)+`,
  String.raw`(?:\[THINK\][\s\S]*?\[\/THINK\]\s*)+`,
  String.raw`(?:\u25c1think\u25b7[\s\S]*?\u25c1\/think\u25b7\s*)+`,
  String.raw`(?:(?!<think)[\s\S])*?^[ \t]*<\/think(?:ing)?>[ \t]*$`,
  String.raw`(?:(?:<\|start\|>assistant)?<\|channel\|>(?:analysis<\|message\|>[\s\S]*?<\|end\|>|final<\|message\|>))+`,
];
const THINKING = new RegExp(String.raw`(?<![\s\S])(?:${THOUGHTS.join('|')})`, 'im');
/** The model was cut off before it began to reply. */
const UNENDED_THOUGHTS = /^(?:<think(?:ing)?(?:\s[^<>]{0,200})?>|\[THINK\]|\u25c1think\u25b7)/i;

/** Programs colour JSON on its way; without a reply in it, text stays as it came. */
function withoutTerminalCodes(text: string): string {
  const plainText = text.replace(TERMINAL_CODE, '').trim();
  return plainText !== text && claimsIn(plainText).length > 0 ? plainText : text;
}

const ESCAPE = String.fromCharCode(27);
const BELL = String.fromCharCode(7);
/** Colours, movements of the cursor, titles of the window. */
const TERMINAL_CODE = new RegExp(
  `${ESCAPE}(?:\\[[\\d;:?]*[A-Za-z]|\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\))`,
  'g',
);

/** Some models write their reply as a JSON string that holds the JSON: at the end, alone on its line. */
function decodedOnce(text: string): string {
  return text.replace(LAST_STRING, (string) => replyInString(string) ?? string);
}

const LAST_STRING = /^[ \t]*"(?:[^"\\\n]|\\.)*"(?=\s*(?:`{3,}|~{3,})?\s*(?![\s\S]))/m;

/** A string may hold a string again. */
function replyInString(string: string): string | undefined {
  try {
    const inner: unknown = JSON.parse(string);
    if (typeof inner !== 'string') return undefined;
    const text = inner.trim();
    return replyInString(text) ?? (claimsIn(text).length > 0 ? text : undefined);
  } catch {
    return undefined;
  }
}

/** No output, or the JSON of nothing, bare or in a fence. */
const NOTHING = /^(?:(`{3,})(?:json)?\s*(?:\{\s*\}|null)\s*\1|\{\s*\}|null)?$/i;

/** What an earlier object asks or hands in, and the last one does not. */
function forgottenKeys(last: Claim, earlierClaim: Claim): readonly string[] {
  return [
    ...earlierClaim.asks.filter((key) => !repeats(last, earlierClaim, key)),
    ...earlierClaim.hands.filter((key) => !replaces(last, earlierClaim, key)),
  ];
}

/** Whether the last object has what an earlier one hands in under a key, perhaps in a later version. */
function replaces(last: Claim, earlierClaim: Claim, key: string): boolean {
  if (key !== 'artifacts' || earlierClaim.value === undefined) return last.hands.includes(key);
  const paths = new Set(pathsIn(last));
  return pathsIn(earlierClaim).every((path) => paths.has(path));
}

function pathsIn({ value }: Claim): readonly string[] {
  const { artifacts } = Object(value);
  return [artifacts].flat().map((artifact) => String(Object(artifact).path));
}

/** Whether the last object asks everything that an earlier one asks under a key. */
function repeats(last: Claim, earlierClaim: Claim, key: string): boolean {
  const entries = new Set(entriesOf(last, key));
  return last.asks.includes(key) && entriesOf(earlierClaim, key).every((entry) => entries.has(entry));
}

/** Broken JSON has none. */
function entriesOf({ value }: Claim, key: string): readonly string[] {
  if (value === undefined) return [];
  const field: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  return (Array.isArray(field) ? field : [field]).map((entry) => JSON.stringify(entry));
}

function severalReplies(key: string): string {
  return `it holds several JSON objects, and what an earlier one says in ${key} is not in the last one. One object is wanted`;
}

/** Keeps the prose around the object, whether the object has a text of its own or not. */
function withProse(reply: Reply, text: string, { start, end }: Claim): Reply {
  const above = text.slice(0, start);
  // A whole block of code may end there.
  const before = hasHalfFence(above) ? above.replace(/(?:`{3,}|~{3,})[ \t]*\w*\s*$/, '') : above;
  const after = text.slice(end).replace(/^\s*(?:`{3,}|~{3,})/, '');
  const textAbove = before.replace(UNSEEN, '').replace(OPENING_MARKS, '');
  const textBelow = after.replace(UNSEEN, '').replace(CLOSING_MARKS, '');
  const prose = joined(unwrapped(textAbove, textBelow));
  const allText = joined([hasHalfFence(prose) ? prose.replace(OUTER_FENCE, '') : prose, reply.text ?? '']);
  return allText === '' ? reply : { ...reply, text: allText };
}

/** The marks of Markdown around an object: a list, a quotation, bold, code. */
const OPENING_MARKS = /(?<![^\n])[ \t]*(?:[->]|\*{1,2}|`{1,2})[ \t]*$/;
const CLOSING_MARKS = /^(?:\*{1,2}|`{1,2}(?!`))/;
const UNSEEN = /[\u200b\u2060]|<\|\w+\|>|<\/s>$/g;

/** Removes the element that the object was put into. */
function unwrapped(before: string, after: string): readonly string[] {
  const [opening, name] = /<([A-Za-z][\w:.-]*)(?:\s[^<>]*)?>\s*$/.exec(before) ?? [];
  const [closing, closingName] = /^\s*<\/([A-Za-z][\w:.-]*)>/.exec(after) ?? [];
  if (opening === undefined || closing === undefined || name !== closingName) return [before, after];
  return [before.slice(0, -opening.length), after.slice(closing.length)];
}

const FENCE_LINE = /^[ \t]*(?:`{3,}|~{3,}).*$/gm;
const OUTER_FENCE = /^\s*(?:`{3,}|~{3,}).*|\s(?:`{3,}|~{3,})\s*$/;

/** The other half stood around the object. */
function hasHalfFence(prose: string): boolean {
  return (prose.match(FENCE_LINE)?.length ?? 0) % 2 === 1;
}

function joined(parts: readonly string[]): string {
  const texts = parts.map((part) => part.trim()).filter((part) => part !== '');
  return texts.join('\n\n');
}

function objectReply({ json, problem }: Claim, who: string): Reply {
  try {
    if (problem !== undefined) throw invalid(problem);
    requireSound(JSON.parse(json), 'the reply');
    return spread(parseWith(Reply, JSON.parse(json, leftOut), 'the reply'));
  } catch (error) {
    if (error instanceof SyntaxError) throw notAReply(who, `${error.message}${slipIn(json)}`, json, error);
    if (error instanceof AgentXError) throw notAReply(who, error.message, json, error);
    throw error;
  }
}

/** `blocking` beside `clarify` is meant for every entry that does not say it itself. */
function spread(reply: Reply): Reply {
  const { clarify, blocking } = { blocking: undefined, ...reply };
  if (clarify === undefined || typeof blocking !== 'boolean') return reply;
  return { ...reply, clarify: clarify.map((entry) => ({ blocking, ...entry })) };
}

/** Models that must name every field of a form write null for an empty one. */
function leftOut(this: unknown, _key: string, value: unknown): unknown {
  return value === null && !Array.isArray(this) ? undefined : value;
}

/** Names the most common mistakes of models, for which a parser only gives a position. */
function slipIn(json: string): string {
  if (/,\s*[}\]]/.test(json)) return ' (JSON allows no comma before a closing bracket)';
  if (new RegExp(`^\\{\\s*(?!")[${QUOTES}]`).test(json)) return ' (JSON has straight double quotes)';
  if (/^\s*(?:\/\/|\/\*)|,\s*\/[/*]/m.test(json)) return ' (JSON has no comments)';
  return /"[^"\n\\]*\n/.test(json.replace(/"(?:[^"\\\n]|\\.)*"/g, ''))
    ? ' (a line break in a string is written \\n)'
    : '';
}

function decode(bytes: Uint8Array, { who, isCut }: Required<Pick<ParseReplyOptions, 'who' | 'isCut'>>): string {
  try {
    // With `stream`, a character cut in two at the end is left out instead of refused.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
  } catch (error) {
    throw notAReply(who, 'it is not valid UTF-8', new TextDecoder().decode(bytes), error);
  }
}

function invalid(message: string): AgentXError {
  return new AgentXError('INVALID_INPUT', message);
}

function notAReply(who: string, problem: string, text: string, cause?: unknown): AgentXError {
  const why = firstLines(problem).replaceAll('\n', ' ').replace(/\.$/, '');
  const message = `${who} gave a reply that is not what it claims to be: ${why}. It begins:`;
  return agentError(message, beginningOf(text, 4000), { problem: why }, { cause });
}
