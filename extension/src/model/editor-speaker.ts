import { setTimeout as sleep } from 'node:timers/promises';
import type { EditorModel } from '../../../src/app/app-types.js';
import { AgentXError, messageOf } from '../../../src/protocol/errors.js';
import { estimateTokens } from '../../../src/protocol/tokens.js';
import { plainLine } from '../../../src/render/plain-text.js';

/*
 * A model that the editor offers, as the loop speaks to it. The editor knows no system message, so the instructions are
 * the first message of the user. A reply that breaks off is tried again a few times, as with every other model.
 */

type Speak = EditorModel['speak'];
type Speaking = Parameters<Speak>[0];
type Spoken = Awaited<ReturnType<Speak>>;
type Message = Speaking['messages'][number];

export type Piece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly tool: string; readonly input: object }
  | { readonly type: 'result'; readonly id: string; readonly text: string };

/** A message as the editor takes it. */
export interface ChatMessage {
  readonly role: 'user' | 'assistant';
  readonly pieces: readonly Piece[];
}

/** What the editor offers of a model. */
export interface ChatModel {
  /** For people. */
  readonly name: string;
  readonly maxInputTokens: number;
  send(
    messages: readonly ChatMessage[],
    options: { readonly tools: Speaking['tools']; readonly signal: AbortSignal },
  ): AsyncIterable<Exclude<Piece, { type: 'result' }>>;
  count(text: string): Promise<number>;
  /** Why another try is pointless, and what to do about it; undefined if one may succeed. */
  refusal(error: unknown): string | undefined;
}

export interface SpeakerOptions {
  readonly agent: string;
  readonly timeoutMs: number;
  /** Before the second try; doubled for each further one. */
  readonly retryMs?: number;
}

const TRIES = 4;
const RETRY_MS = 1000;

export function editorModel(model: ChatModel, options: SpeakerOptions): EditorModel {
  const { agent, retryMs = RETRY_MS } = options;
  const speak: Speak = async (speaking) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(model, options, speaking);
      } catch (error) {
        speaking.signal?.throwIfAborted();
        const refusal = model.refusal(error);
        const details = { agent, model: model.name };
        if (refusal !== undefined) {
          const said = plainLine(messageOf(error)).replace(/\.+$/, '');
          const problem = `${model.name} refuses agent '${agent}': ${said}. ${refusal}`;
          throw new AgentXError('CONFIG_ERROR', problem, details);
        }
        if (attempt >= TRIES) {
          const problem = `Agent '${agent}' failed: ${model.name} did not answer, ${attempt} times: ${plainLine(messageOf(error))}`;
          throw new AgentXError('AGENT_ERROR', problem, details);
        }
        await sleep(retryMs * 2 ** (attempt - 1), undefined, speaking.signal ? { signal: speaking.signal } : {});
      }
    }
  };
  return { speak, window: model.maxInputTokens };
}

async function once(model: ChatModel, { timeoutMs }: SpeakerOptions, speaking: Speaking): Promise<Spoken> {
  const { tools, signal: outer, onText } = speaking;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = outer === undefined ? timeout : AbortSignal.any([outer, timeout]);
  const messages = messagesOf(speaking);
  let text = '';
  const calls: { id: string; tool: string; input: object }[] = [];
  for await (const piece of model.send(messages, { tools, signal })) {
    signal.throwIfAborted();
    if (piece.type === 'text') {
      text += piece.text;
      onText?.(piece.text);
    } else calls.push({ id: piece.id, tool: piece.tool, input: piece.input });
  }
  signal.throwIfAborted();
  if (text === '' && calls.length === 0) throw new Error('the answer was empty');
  const read = messages.flatMap(({ pieces }) => pieces.map(textOf)).join('\n');
  const [inputTokens, outputTokens] = await Promise.all([
    counted(model, read),
    counted(model, text + JSON.stringify(calls)),
  ]);
  return {
    text,
    calls,
    messages: [{ role: 'assistant', content: contentOf(text, calls) }],
    inputTokens,
    cachedTokens: 0,
    outputTokens,
    reason: calls.length > 0 ? 'tool-calls' : 'stop',
  };
}

function contentOf(text: string, calls: readonly { id: string; tool: string; input: object }[]) {
  const spoken = text === '' ? [] : [{ type: 'text' as const, text }];
  const called = calls.map(({ id, tool, input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: tool,
    input,
  }));
  return [...spoken, ...called];
}

function messagesOf({ system, messages }: Speaking): readonly ChatMessage[] {
  return [{ role: 'user', pieces: [{ type: 'text', text: system }] }, ...messages.flatMap(messageFor)];
}

/** What a conversation with another kind of model holds beside text and calls is left out. */
function messageFor(message: Message): readonly ChatMessage[] {
  const { content } = message;
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  if (typeof content === 'string') return content === '' ? [] : [{ role, pieces: [{ type: 'text', text: content }] }];
  const pieces = content.flatMap((part): Piece[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    if (part.type === 'tool-call') {
      const input = typeof part.input === 'object' && part.input !== null ? part.input : {};
      return [{ type: 'call', id: part.toolCallId, tool: part.toolName, input }];
    }
    if (part.type === 'tool-result') {
      const { output } = part;
      return [
        { type: 'result', id: part.toolCallId, text: output.type === 'text' ? output.value : JSON.stringify(output) },
      ];
    }
    return [];
  });
  return pieces.length === 0 ? [] : [{ role, pieces }];
}

function textOf(piece: Piece): string {
  return piece.type === 'call' ? JSON.stringify(piece.input) : piece.text;
}

async function counted(model: ChatModel, text: string): Promise<number> {
  try {
    return await model.count(text);
  } catch {
    return estimateTokens(text);
  }
}
