import { factsIn } from '../../memory/extract.js';
import { beginningOf, endOf } from '../../protocol/limits.js';
import { EMPTY_SUMMARY, type SessionSummary, SUMMARY_SECTIONS, summaryText } from '../../protocol/session-summary.js';
import { estimateTokens } from '../../protocol/tokens.js';
import { callsOf, type LoopState } from './loop-state.js';
import type { ModelMessage } from './provider.js';

/*
 * A conversation that fills its window is replaced by its brief, the four sections of a session's summary, and its last
 * exchanges. Pure. Calls and their results stay together, because providers refuse one without the other.
 */

const FULL = 0.7;
/** The share of the window that the last exchanges may keep. */
const RECENT = 0.25;

interface Compacted {
  readonly state: LoopState;
  readonly figures: { readonly originalTokens: number; readonly compactedTokens: number; readonly summary: string };
}

export function compactIfFull(
  state: LoopState,
  { window, system }: { readonly window: number; readonly system: string },
): Compacted | undefined {
  const originalTokens = sizeOf(state, system);
  const isOneExchange = recentStart(state.messages.slice(1), RECENT * window) === 0;
  if (originalTokens < FULL * window || isOneExchange) return undefined;
  return compacted(state, { window, system, shorten: (message) => message });
}

/**
 * For a conversation that the model refused because of its size: what the last exchanges hold is shortened too. With
 * the size that did not fit; undefined if there is not much to leave out.
 */
export function compactRefused(state: LoopState, system: string): (Compacted & { readonly size: number }) | undefined {
  const size = sizeOf(state, system);
  const shorten = (message: ModelMessage) => withShortResults(shortened(message, RECENT * size), RECENT * size);
  const smaller = compacted(state, { window: size, system, shorten });
  return smaller.figures.compactedTokens > FULL * size ? undefined : { ...smaller, size };
}

interface Reduction {
  readonly window: number;
  readonly system: string;
  /** Applied to the last exchanges. */
  readonly shorten: (message: ModelMessage) => ModelMessage;
}

function compacted(state: LoopState, { window, system, shorten }: Reduction): Compacted {
  const [brief, ...rest] = state.messages;
  const start = recentStart(rest, RECENT * window);
  const summary = start === 0 ? '' : summaryText(summarised(rest.slice(0, start)));
  const messages: ModelMessage[] = [
    ...(brief === undefined ? [] : [shortened(brief, RECENT * window)]),
    ...(start === 0 ? [] : [{ role: 'user' as const, content: `${HEADING}\n\n${summary}` }]),
    ...rest.slice(start).map(shorten),
  ];
  const compactedTokens = estimateTokens(system) + tokensIn(messages);
  return {
    state: { ...state, messages, readTokens: compactedTokens },
    figures: { originalTokens: sizeOf(state, system), compactedTokens, summary },
  };
}

function sizeOf({ messages, readTokens }: LoopState, system: string): number {
  return Math.max(estimateTokens(system) + tokensIn(messages), readTokens);
}

const HEADING =
  'Your window was full, so what came before is summed up here. What you wrote is kept; read files again if you need them.';

/** The beginning of the last exchanges that fit: always at a message after which no result is missing. */
function recentStart(messages: readonly ModelMessage[], budget: number): number {
  let start = messages.length;
  let tokens = 0;
  for (let index = messages.length - 1; index >= 0; index--) {
    tokens += tokensIn(messages.slice(index, index + 1));
    const isExchange = messages[index]?.role !== 'tool';
    if (tokens > budget && start < messages.length) break;
    if (isExchange) start = index;
  }
  return start;
}

const tokensByMessage = new WeakMap<ModelMessage, number>();

/** Messages never change, and a conversation is measured before every reply: each message is counted once. */
function tokensIn(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => {
    const { content } = message;
    const tokens =
      tokensByMessage.get(message) ?? estimateTokens(typeof content === 'string' ? content : JSON.stringify(content));
    tokensByMessage.set(message, tokens);
    return sum + tokens;
  }, 0);
}

/** A brief that alone fills the window loses its middle: the task stands first, the rules last. */
function shortened(message: ModelMessage, budget: number): ModelMessage {
  if (message.role !== 'user' || typeof message.content !== 'string') return message;
  const { content } = message;
  if (estimateTokens(content) <= budget) return message;
  const half = Math.floor(budget * 2);
  const content2 = `${beginningOf(content, half)}\n\n[... cut ...]\n\n${endOf(content, half)}`;
  return { role: 'user', content: content2 };
}

function withShortResults(message: ModelMessage, budget: number): ModelMessage {
  if (message.role !== 'tool') return message;
  const room = Math.floor((budget * 4) / message.content.length);
  const content = message.content.map((part) => {
    if (part.type !== 'tool-result' || part.output.type !== 'text' || part.output.value.length <= room) return part;
    const { value } = part.output;
    const short = `${beginningOf(value, room)}\n[cut: ${value.length} characters in all]`;
    return { ...part, output: { type: 'text' as const, value: short } };
  });
  return { ...message, content };
}

type Sections = { readonly [K in keyof SessionSummary]: string[] };

function summarised(messages: readonly ModelMessage[]): SessionSummary {
  const sections: Sections = { decisions: [], codeChanges: [], errors: [], keyFacts: [] };
  const names = new Map<string, string>();
  for (const message of messages) {
    for (const call of callsOf(message)) {
      names.set(call.id, call.tool);
      noteCall(sections, call);
    }
    if (message.role === 'assistant' || message.role === 'user') noteText(sections, textIn(message), message.role);
    if (message.role === 'tool') noteResults(sections, message, names);
  }
  const limitedSections = SUMMARY_SECTIONS.map(
    ([key]) => [key, [...new Set(sections[key])].slice(-MAX_FACTS)] as const,
  );
  return { ...EMPTY_SUMMARY, ...Object.fromEntries(limitedSections) };
}

const MAX_FACTS = 25;
const MAX_FACT = 400;

function noteText(sections: Sections, text: string, by: 'user' | 'assistant'): void {
  const facts = factsIn(text, by);
  for (const [key] of SUMMARY_SECTIONS) sections[key].push(...facts[key].map(short));
}

function noteCall(sections: Sections, { tool, input }: { readonly tool: string; readonly input: unknown }): void {
  const field = (key: string) => fieldOf(input, key);
  if (tool === 'write_artifact') sections.codeChanges.push(`Wrote ${field('path')}`);
  if (tool === 'read_file') sections.keyFacts.push(`Read ${field('path')}`);
  if (tool === 'record_assumption') sections.decisions.push(short(`Assumed: ${field('decision')}`));
  if (tool === 'request_clarification') sections.keyFacts.push(short(`Asked ${field('to')}: ${field('question')}`));
}

function noteResults(sections: Sections, message: ModelMessage, names: ReadonlyMap<string, string>): void {
  if (message.role !== 'tool') return;
  for (const part of message.content) {
    if (part.type !== 'tool-result' || part.output.type !== 'text') continue;
    const { value } = part.output;
    const tool = names.get(part.toolCallId) ?? part.toolName;
    if (/^(?:Refused|Not done)/.test(value)) sections.errors.push(short(`${tool}: ${value}`));
    else if (tool === 'request_clarification' || tool === 'ask_human')
      sections.decisions.push(short(`Answer: ${value}`));
    else if (tool === 'run_command' && !value.startsWith('Exit code 0.')) sections.errors.push(short(value));
  }
}

function textIn({ content }: ModelMessage): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

function fieldOf(input: unknown, key: string): string {
  if (typeof input !== 'object' || input === null || !(key in input)) return '';
  return String(Object.entries(input).find(([name]) => name === key)?.[1] ?? '');
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_FACT ? line : `${beginningOf(line, MAX_FACT - 3)}...`;
}
