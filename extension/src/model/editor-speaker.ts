import { setTimeout as sleep } from 'node:timers/promises';
import type { EditorMessage, EditorModel, EditorPiece, EditorReply, EditorTurn } from '../../../src/app/app-types.js';
import { AgentXError, messageOf } from '../../../src/protocol/errors.js';
import { orAborted } from '../../../src/protocol/or-aborted.js';
import { estimateTokens } from '../../../src/protocol/tokens.js';
import { plainLine } from '../../../src/render/plain-text.js';

/*
 * A model that the editor offers, as agents speak to it. A reply that breaks off is tried again a few times, as with
 * every other model.
 */

export type SaidPiece = Exclude<EditorPiece, { type: 'result' }>;

/** What the editor offers of a model. */
export interface ChatModel {
  /** For people. */
  readonly name: string;
  readonly maxInputTokens: number;
  send(
    messages: readonly EditorMessage[],
    options: { readonly tools: EditorTurn['tools']; readonly signal: AbortSignal },
  ): AsyncIterable<SaidPiece>;
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
  const speak = async (turn: EditorTurn): Promise<EditorReply> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(model, options, turn);
      } catch (error) {
        turn.signal?.throwIfAborted();
        const refusal = model.refusal(error);
        const details = { agent, model: model.name };
        if (refusal !== undefined) {
          const reason = plainLine(messageOf(error)).replace(/\.+$/, '');
          const problem = `${model.name} refuses agent '${agent}': ${reason}. ${refusal}`;
          throw new AgentXError('CONFIG_ERROR', problem, details);
        }
        if (attempt >= TRIES) {
          const problem = `Agent '${agent}' failed: ${model.name} did not answer, ${attempt} times: ${plainLine(messageOf(error))}`;
          throw new AgentXError('AGENT_ERROR', problem, details);
        }
        await sleep(retryMs * 2 ** (attempt - 1), undefined, turn.signal ? { signal: turn.signal } : {});
      }
    }
  };
  return { speak, window: model.maxInputTokens };
}

async function once(model: ChatModel, { timeoutMs }: SpeakerOptions, turn: EditorTurn): Promise<EditorReply> {
  const { messages, tools, signal: outer, onText } = turn;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = outer === undefined ? timeout : AbortSignal.any([outer, timeout]);
  let text = '';
  const calls: { id: string; tool: string; input: object }[] = [];
  for await (const piece of untilAborted(model.send(messages, { tools, signal }), signal)) {
    if (piece.type === 'text') {
      text += piece.text;
      onText?.(piece.text);
    } else calls.push({ id: piece.id, tool: piece.tool, input: piece.input });
  }
  signal.throwIfAborted();
  if (text === '' && calls.length === 0) throw new Error('the answer was empty');
  const input = messages.flatMap(({ pieces }) => pieces.map(textOf)).join('\n');
  const [inputTokens, outputTokens] = await Promise.all([
    counted(model, input, signal),
    counted(model, text + JSON.stringify(calls), signal),
  ]);
  return { text, calls, inputTokens, outputTokens };
}

/** Not every model reacts to being stopped. A model that does not is left alone. */
async function* untilAborted<T>(pieces: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = pieces[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await orAborted(iterator.next(), signal);
    if (done === true) return;
    yield value;
  }
}

function textOf(piece: EditorPiece): string {
  return piece.type === 'call' ? JSON.stringify(piece.input) : piece.text;
}

/** An estimate must do where the model does not count in time: its reply is there. */
async function counted(model: ChatModel, text: string, signal: AbortSignal): Promise<number> {
  try {
    return await orAborted(model.count(text), signal);
  } catch {
    return estimateTokens(text);
  }
}
