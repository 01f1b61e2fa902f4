import { messageOf } from '../../protocol/errors.js';
import { beginningOf } from '../../protocol/limits.js';
import type { ModelMessage, OpenedModel, PromptMessage } from './provider.js';
import { saysWindowIsFull, WindowFull } from './window-full.js';

/* A reply of a model, put together from the pieces in which its provider sends it. */

interface SpokenCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** Why the call cannot be carried out. */
  readonly problem?: string;
}

export interface Spoken {
  readonly text: string;
  readonly calls: readonly SpokenCall[];
  /** What joins the conversation. */
  readonly messages: readonly ModelMessage[];
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Why the model stopped: `length` if it ran out of room. */
  readonly reason: string;
}

type Streamed = Awaited<ReturnType<OpenedModel['model']['doStream']>>['stream'];
type Piece = Streamed extends ReadableStream<infer P> ? P : never;
type Content = Extract<PromptMessage, { role: 'assistant' }>['content'];
type Words = Extract<Content[number], { type: 'text' | 'reasoning' }>;

/** Rejects with the error that the stream carries, and if the stream ends before the reply does. */
export async function readReply(stream: Streamed, onText: (text: string) => void): Promise<Spoken> {
  const reading = new Reading(onText);
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return reading.result();
      reading.add(value);
    }
  } catch (error) {
    // What is left of the stream is not wanted, and how its end goes is of no interest.
    reader.cancel(error).catch(() => {});
    throw error;
  }
}

class Reading {
  readonly #content: Content = [];
  readonly #calls: SpokenCall[] = [];
  /** Those that are not complete, by their kind and id. */
  readonly #words = new Map<string, Words>();
  #end: Extract<Piece, { type: 'finish' }> | undefined;

  constructor(private readonly onText: (text: string) => void) {}

  add(piece: Piece): void {
    switch (piece.type) {
      case 'text-start':
        this.#words.delete(`text ${piece.id}`);
        this.#say('text', piece);
        break;
      case 'text-delta':
        this.#say('text', piece);
        this.onText(piece.delta);
        break;
      case 'reasoning-start':
        this.#words.delete(`reasoning ${piece.id}`);
        this.#say('reasoning', piece);
        break;
      case 'reasoning-delta':
        this.#say('reasoning', piece);
        break;
      case 'text-end':
        this.#say('text', piece);
        break;
      case 'reasoning-end':
        this.#say('reasoning', piece);
        break;
      case 'tool-call':
        this.#call(piece);
        break;
      case 'finish':
        this.#end = piece;
        break;
      case 'error':
        throw piece.error;
    }
  }

  #say(
    type: Words['type'],
    piece: { readonly id: string; readonly delta?: string; readonly providerMetadata?: Words['providerOptions'] },
  ): void {
    const words = this.#wordsOf(type, piece.id);
    words.text += piece.delta ?? '';
    if (piece.providerMetadata !== undefined) words.providerOptions = piece.providerMetadata;
  }

  #wordsOf(type: Words['type'], id: string): Words {
    const key = `${type} ${id}`;
    const wordsSoFar = this.#words.get(key);
    if (wordsSoFar !== undefined) return wordsSoFar;
    const words: Words = { type, text: '' };
    this.#words.set(key, words);
    this.#content.push(words);
    return words;
  }

  #call(piece: Extract<Piece, { type: 'tool-call' }>): void {
    const { toolName: tool, providerMetadata } = piece;
    const id = distinctId(piece.toolCallId, this.#calls);
    const { input, problem } = readInput(piece.input);
    this.#calls.push({ id, tool, input, ...(problem === undefined ? {} : { problem }) });
    this.#content.push({
      type: 'tool-call',
      toolCallId: id,
      toolName: tool,
      // Providers refuse a conversation in which the input of a call is no object.
      input: isObject(input) ? input : { unreadable: beginningOf(piece.input, 500) },
      ...(providerMetadata === undefined ? {} : { providerOptions: providerMetadata }),
    });
  }

  result(): Spoken {
    const end = this.#end;
    // A stream that ends without a word about why it ends was cut off, whatever came before.
    if (end === undefined || (end.finishReason.unified === 'other' && end.finishReason.raw === undefined)) {
      throw new Error('the answer ended before it was complete');
    }
    const { unified: reason, raw = '' } = end.finishReason;
    if (saysWindowIsFull(raw)) throw new WindowFull(raw);
    const { inputTokens, outputTokens } = end.usage;
    const content = this.#content.filter((part) => part.type !== 'text' || part.text !== '');
    return {
      text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
      calls: this.#calls,
      messages: content.length === 0 ? [] : [{ role: 'assistant', content }],
      inputTokens: inputTokens.total ?? 0,
      cachedTokens: Math.min(inputTokens.cacheRead ?? 0, inputTokens.total ?? 0),
      outputTokens: outputTokens.total ?? 0,
      reason,
    };
  }
}

/** Small models give two calls of one reply the same id, or none. Results are kept by it, as keys of an object. */
export function distinctId(id: string, others: readonly { readonly id: string }[]): string {
  const isTaken = others.some((call) => call.id === id) || id in {};
  return id === '' || isTaken ? `${id}-${others.length + 1}` : id;
}

function readInput(text: string): { readonly input: unknown; readonly problem?: string } {
  if (text.trim() === '') return { input: {} };
  try {
    return { input: JSON.parse(text) };
  } catch (error) {
    return { input: text, problem: messageOf(error) };
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
