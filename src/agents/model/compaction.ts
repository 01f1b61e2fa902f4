import { factsIn } from '../../memory/extract.js';
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
  const estimated = estimateTokens(system) + tokensIn(state.messages);
  const originalTokens = Math.max(estimated, state.readTokens);
  if (originalTokens < FULL * window) return undefined;
  const [brief, ...rest] = state.messages;
  const start = recentStart(rest, RECENT * window);
  if (brief === undefined || start === 0) return undefined;
  const summary = summaryText(summarised(rest.slice(0, start)));
  const messages: ModelMessage[] = [
    shortened(brief, RECENT * window),
    { role: 'user', content: `${HEADING}\n\n${summary}` },
    ...rest.slice(start),
  ];
  const compactedTokens = estimateTokens(system) + tokensIn(messages);
  return {
    state: { ...state, messages, readTokens: compactedTokens },
    figures: { originalTokens, compactedTokens, summary },
  };
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

function tokensIn(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, { content }) => {
    return sum + estimateTokens(typeof content === 'string' ? content : JSON.stringify(content));
  }, 0);
}

/** A brief that alone fills the window loses its middle: the task stands first, the rules last. */
function shortened(message: ModelMessage, budget: number): ModelMessage {
  if (message.role !== 'user' || typeof message.content !== 'string') return message;
  const { content } = message;
  if (estimateTokens(content) <= budget) return message;
  const half = Math.floor(budget * 2);
  const content2 = `${content.slice(0, half)}\n\n[... cut ...]\n\n${content.slice(-half)}`;
  return { role: 'user', content: content2 };
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
    if (message.role === 'assistant' || message.role === 'user') noteText(sections, textIn(message));
    if (message.role === 'tool') noteResults(sections, message, names);
  }
  const limited = SUMMARY_SECTIONS.map(([key]) => [key, [...new Set(sections[key])].slice(-MAX_FACTS)] as const);
  return { ...EMPTY_SUMMARY, ...Object.fromEntries(limited) };
}

const MAX_FACTS = 25;
const MAX_FACT = 400;

function noteText(sections: Sections, text: string): void {
  const facts = factsIn(text);
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
  return line.length <= MAX_FACT ? line : `${line.slice(0, MAX_FACT - 3)}...`;
}
