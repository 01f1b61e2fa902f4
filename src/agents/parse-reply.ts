import { AgentXError } from '../protocol/errors.js';
import { parseWith } from '../protocol/parse.js';
import { Reply } from '../protocol/reply.js';
import { agentError } from './agent-error.js';
import { firstLines } from './first-lines.js';

const MAX_DEPTH = 64;
const FENCE = /^```json[ \t]*\r?\n([\s\S]*?)\r?\n?```$/;

export interface ParseReplyOptions {
  /** Who is to blame in an error: `Agent 'architect'`. */
  readonly who?: string;
  /** Whether the output went on after what is given here. */
  readonly isCut?: boolean;
}

/**
 * What an agent wrote, as a reply: nothing is `{}`, a JSON object (also in one ```json fence) is the reply itself, and
 * everything else is its text. Text that has the form of an object must be a reply: taking a misspelt one for text
 * would hide what the agent asked.
 */
export function parseReply(
  stdout: Uint8Array | string,
  { who = 'The agent', isCut = false }: ParseReplyOptions = {},
): Reply {
  const text = (typeof stdout === 'string' ? stdout : decode(stdout, { who, isCut })).trim();
  if (isCut) return cutReply(text, who);
  if (text === '') return {};
  const json = jsonIn(text);
  return json === undefined ? { text } : objectReply(json, who);
}

function cutReply(text: string, who: string): Reply {
  if (/^(\{|```json)/.test(text)) throw notAReply(who, 'it is cut off after 1 MiB', text);
  return { text: `${text}\n\n[cut here: the output went on beyond 1 MiB]` };
}

/** The text between the fences, unless a second fence shows that there is more than one (JSON has no such line). */
function jsonIn(text: string): string | undefined {
  const fenced = FENCE.exec(text)?.[1];
  const json = fenced === undefined || /^\s*```/m.test(fenced) ? text : fenced.trim();
  return json.startsWith('{') && json.endsWith('}') ? json : undefined;
}

function objectReply(json: string, who: string): Reply {
  try {
    const value: unknown = JSON.parse(json);
    refuseStrangeParts(value);
    return parseWith(Reply, value, 'the reply');
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof AgentXError) throw notAReply(who, error.message, json, error);
    throw error;
  }
}

/** Unknown fields are kept, so what stands in them may neither touch prototypes nor overflow whoever walks through. */
export function refuseStrangeParts(value: unknown): void {
  const waiting = [{ value, path: '', depth: 0 }];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const { value: parent, path, depth } = part;
    if (typeof parent !== 'object' || parent === null) continue;
    if (depth > MAX_DEPTH) throw invalid(`it is nested more than ${MAX_DEPTH} levels deep`);
    for (const [key, child] of Object.entries(parent)) {
      const childPath = Array.isArray(parent) ? `${path}[${key}]` : `${path === '' ? '' : `${path}.`}${key}`;
      if (key === '__proto__') throw invalid(`${childPath} is not an allowed key`);
      waiting.push({ value: child, path: childPath, depth: depth + 1 });
    }
  }
}

function decode(bytes: Uint8Array, { who, isCut }: Required<ParseReplyOptions>): string {
  try {
    // With `stream`, a character that was cut in two at the end is left out instead of refused.
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
  return agentError(message, text.slice(0, 4000), { problem: why }, { cause });
}
