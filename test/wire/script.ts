/*
 * The replies of the wire server, as data. A rule applies to requests for a model, or to requests whose text matches;
 * its turns are the model's replies in their order. The number of the model's replies in the request decides which turn
 * is played. So a client that was killed and asks again gets the same reply again.
 */

export interface WireCall {
  readonly name: string;
  /** For clients that put the tools of a server into one, as codex does. */
  readonly namespace?: string;
  readonly input: unknown;
  /** By default made of the turn and the place in it. */
  readonly id?: string;
  /** Sent instead of the input as JSON: what a model that slips prints. */
  readonly raw?: string;
}

interface WireUsage {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
}

export interface WireTurn {
  /** What the model thinks before it speaks. */
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly WireCall[];
  readonly usage?: WireUsage;
  /** Why it stops, if not because it has finished: it ran out of room, or the provider holds the answer back. */
  readonly stop?: 'length' | 'refusal';
  /** Before the answer begins. */
  readonly delayMs?: number;
  /** Between two pieces of a streamed text. */
  readonly pauseMs?: number;
  /** Something goes wrong, the first `times` times that this turn is asked for; by default always. */
  readonly trouble?: WireTrouble & { readonly times?: number };
}

type WireTrouble =
  | { readonly kind: 'status'; readonly status: number; readonly message?: string; readonly retryAfter?: string }
  /** The connection ends before the first byte, or in mid-answer; or the answer just ends there, as a proxy ends it. */
  | { readonly kind: 'hang-up'; readonly when: 'at once' | 'in the middle' | 'in the middle, politely' }
  /** The connection stays open and nothing comes. */
  | { readonly kind: 'silence' }
  /** An answer of status 200 that is no answer. */
  | { readonly kind: 'nonsense'; readonly body: string }
  /** What stands in front of the model answers in its place. */
  | { readonly kind: 'page'; readonly status: number; readonly type: string; readonly body: string };

export interface WireRule {
  readonly model?: string;
  /** Matched against the whole text of the conversation: system, user, results of tools. */
  readonly when?: RegExp;
  /** A conversation that is longer than this repeats the last turn. */
  readonly turns: readonly WireTurn[];
}

export interface WireMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  readonly results: readonly { readonly id: string; readonly text: string }[];
}

export type WireFormat = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini';

/** A request in the terms that all four formats share. */
export interface WireRequest {
  readonly format: WireFormat;
  readonly model: string;
  readonly isStream: boolean;
  readonly messages: readonly WireMessage[];
  /** The names of the tools that the client offers. */
  readonly tools: readonly string[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ChosenTurn {
  readonly turn: WireTurn;
  /** Names the turn: the same conversation asks for the same one. */
  readonly key: string;
}

function textOf(request: WireRequest): string {
  return request.messages.flatMap(({ text, results }) => [text, ...results.map((result) => result.text)]).join('\n');
}

export function choose(rules: readonly WireRule[], request: WireRequest): ChosenTurn | undefined {
  const text = textOf(request);
  const index = rules.findIndex(
    ({ model, when, turns }) =>
      turns.length > 0 && (model === undefined || model === request.model) && (when === undefined || when.test(text)),
  );
  const rule = rules[index];
  if (rule === undefined) return undefined;
  const replyCount = repliesIn(request);
  const turn = rule.turns[Math.min(replyCount, rule.turns.length - 1)];
  return turn === undefined ? undefined : { turn, key: `${index}-${replyCount}` };
}

/** Some formats split one reply into several messages; those that follow each other are one. */
function repliesIn({ messages }: WireRequest): number {
  return messages.filter(({ role }, index) => role === 'assistant' && messages[index - 1]?.role !== 'assistant').length;
}

/** A text in pieces, as a model streams it. */
export function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,12}/gu) ?? [];
}

export const callId = (key: string, index: number, call: WireCall): string => call.id ?? `call-${key}-${index}`;
export const inputOf = (call: WireCall): string => call.raw ?? JSON.stringify(call.input);
