import type { KeptTranscript } from '../../ports/runner.js';
import { NO_USAGE, type Usage } from '../../protocol/usage.js';
import type { ModelMessage } from './provider.js';

const FORMAT = 'model/1';

/** What the loop has done so far and hands over with its next reply. */
export interface ReplyParts {
  readonly artifacts: readonly { readonly path: string; readonly content: string }[];
  readonly assumptions: readonly object[];
}

export const NO_PARTS: ReplyParts = { artifacts: [], assumptions: [] };

/**
 * Everything that another process needs to go on. The last message is the model's with its calls while some of them
 * have no result; `results` holds those that have one, by the call's id.
 */
export interface LoopState {
  readonly messages: readonly ModelMessage[];
  readonly results: Readonly<Record<string, string>>;
  /** The call of a program that was started and has no result. */
  readonly begun?: string | undefined;
  readonly parts: ReplyParts;
  /** To be said once the open calls have their results. */
  readonly next?: string | undefined;
  /** The turn that a reply ended, with `parts` in it: asked for again, it is the same reply. */
  readonly stoppedIn?: string | undefined;
  /** Replies of the model in the whole conversation; they name the calls. */
  readonly replies: number;
  /** Whether anything was asked or assumed. */
  readonly hasAsked: boolean;
  /** What was sent back, each at most once. */
  readonly sentBack: readonly string[];
  /** What of later briefs the model was told. */
  readonly told: readonly string[];
  readonly usage: Usage;
  /** The size of the conversation when the model last read it, in its own tokens. */
  readonly readTokens: number;
}

export const FRESH: LoopState = {
  messages: [],
  results: {},
  parts: NO_PARTS,
  replies: 0,
  hasAsked: false,
  sentBack: [],
  told: [],
  usage: NO_USAGE,
  readTokens: 0,
};

export function keptState(state: LoopState): KeptTranscript {
  const { usage, ...rest } = state;
  return { format: FORMAT, state: rest, usage };
}

/** Undefined for a transcript of another format, or one that this version cannot read. */
export function stateIn(transcript: KeptTranscript | undefined): LoopState | undefined {
  if (transcript?.format !== FORMAT) return undefined;
  const { state, usage = NO_USAGE } = transcript;
  return isState(state) ? { ...state, usage } : undefined;
}

function isState(state: unknown): state is Omit<LoopState, 'usage'> {
  if (typeof state !== 'object' || state === null) return false;
  const candidate = { ...FRESH, ...state };
  return (
    Array.isArray(candidate.messages) &&
    candidate.messages.every(isMessage) &&
    isRecord(candidate.results) &&
    isRecord(candidate.parts) &&
    Array.isArray(candidate.parts.artifacts) &&
    Array.isArray(candidate.parts.assumptions) &&
    Array.isArray(candidate.sentBack) &&
    Array.isArray(candidate.told) &&
    typeof candidate.replies === 'number'
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const ROLES = ['user', 'assistant', 'tool'];

function isMessage(message: unknown): boolean {
  if (!isRecord(message) || !ROLES.includes(String(message.role))) return false;
  return typeof message.content === 'string' || Array.isArray(message.content);
}

export interface OpenCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** Its name in replies: providers use the same ids again and again. */
  readonly call: string;
}

/** The calls of the model's last message that have no result yet. */
export function openCalls({ messages, results, replies }: LoopState): readonly OpenCall[] {
  return callsOf(messages.at(-1))
    .filter(({ id }) => results[id] === undefined)
    .map((call) => ({ ...call, call: `${replies}.${call.id}` }));
}

export function callsOf(message: ModelMessage | undefined): readonly Omit<OpenCall, 'call'>[] {
  if (message?.role !== 'assistant' || typeof message.content === 'string') return [];
  return message.content.flatMap((part) =>
    part.type === 'tool-call' ? [{ id: part.toolCallId, tool: part.toolName, input: part.input }] : [],
  );
}

/** Once every call has its result, they join the conversation. */
export function withResults(state: LoopState): LoopState {
  const calls = callsOf(state.messages.at(-1));
  if (calls.length === 0 || openCalls(state).length > 0) return state;
  const content = calls.map(({ id, tool }) => ({
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: tool,
    output: { type: 'text' as const, value: state.results[id] ?? '' },
  }));
  const { next, ...rest } = state;
  const nextState: LoopState = { ...rest, messages: [...state.messages, { role: 'tool', content }], results: {} };
  return next === undefined ? nextState : said(nextState, next);
}

export function said(state: LoopState, text: string): LoopState {
  return { ...state, messages: [...state.messages, { role: 'user', content: text }] };
}
