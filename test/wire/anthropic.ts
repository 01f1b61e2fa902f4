import type { Format, Told } from './format.js';
import { isObject, objects, string, textIn } from './json.js';
import { callId, inputOf, pieces, type WireMessage, type WireTurn } from './script.js';

/** `POST /v1/messages`. */
export const anthropic: Format = {
  name: 'anthropic',
  matches: (path) => path.endsWith('/messages'),
  read: (body) => ({
    model: string(body.model),
    isStream: body.stream === true,
    tools: objects(body.tools).map((tool) => string(tool.name)),
    messages: [
      ...(body.system === undefined
        ? []
        : [{ role: 'system' as const, text: textIn(body.system), calls: [], results: [] }]),
      ...objects(body.messages).map(messageOf),
    ],
  }),
  whole: (turn, told) => ({
    ...head(told),
    content: blocksOf(turn, told).map(({ whole }) => whole),
    stop_reason: stopReason(turn),
    usage: usageOf(turn),
  }),
  stream: (turn, told) => {
    const event = (type: string, fields: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
    return [
      event('message_start', {
        message: { ...head(told), content: [], stop_reason: null, usage: { ...usageOf(turn), output_tokens: 1 } },
      }),
      ...blocksOf(turn, told).flatMap(({ empty, deltas }, index) => [
        event('content_block_start', { index, content_block: empty }),
        ...deltas.map((delta) => event('content_block_delta', { index, delta })),
        event('content_block_stop', { index }),
      ]),
      event('message_delta', {
        delta: { stop_reason: stopReason(turn), stop_sequence: null },
        usage: { output_tokens: usageOf(turn).output_tokens },
      }),
      event('message_stop', {}),
    ];
  },
  error: (status, message) => ({
    type: 'error',
    error: { type: status === 429 ? 'rate_limit_error' : status === 529 ? 'overloaded_error' : 'api_error', message },
  }),
};

function head({ key, model }: Told) {
  return { id: `msg-${key}`, type: 'message', role: 'assistant', model, stop_sequence: null };
}

/** A block of the content, empty as a stream begins it and whole, with the pieces between. */
function blocksOf(turn: WireTurn, { key }: Told) {
  const text = turn.text ?? '';
  const message = {
    whole: { type: 'text', text },
    empty: { type: 'text', text: '' },
    deltas: pieces(text).map((piece): object => ({ type: 'text_delta', text: piece })),
  };
  const calls = (turn.calls ?? []).map((call, index) => {
    const head = { type: 'tool_use', id: callId(key, index, call), name: call.name };
    const deltas = pieces(inputOf(call)).map((piece): object => ({ type: 'input_json_delta', partial_json: piece }));
    return { whole: { ...head, input: call.input }, empty: { ...head, input: {} }, deltas };
  });
  const { reasoning = '' } = turn;
  const thinking = { type: 'thinking', thinking: '', signature: '' };
  const thought = {
    whole: { ...thinking, thinking: reasoning, signature: SIGNATURE },
    empty: thinking,
    deltas: [
      ...pieces(reasoning).map((piece): object => ({ type: 'thinking_delta', thinking: piece })),
      { type: 'signature_delta', signature: SIGNATURE },
    ],
  };
  return [...(reasoning === '' ? [] : [thought]), ...(turn.text === undefined ? [] : [message]), ...calls];
}

/** The provider wants it back with the thought. */
const SIGNATURE = 'signed-by-the-model';

function stopReason({ stop, calls }: WireTurn): string {
  if (stop !== undefined) return stop === 'length' ? 'max_tokens' : 'refusal';
  return calls === undefined ? 'end_turn' : 'tool_use';
}

function usageOf({ usage: { input, output, cached = 0 } = { input: 10, output: 5 } }: WireTurn) {
  return {
    input_tokens: input - cached,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: output,
  };
}

function messageOf(message: Readonly<Record<string, unknown>>): WireMessage {
  const parts = objects(message.content);
  const results = parts
    .filter(({ type }) => type === 'tool_result')
    .map((part) => ({ id: string(part.tool_use_id), text: textIn(part.content) }));
  const calls = parts
    .filter(({ type }) => type === 'tool_use')
    .map((part) => ({ id: string(part.id), name: string(part.name), input: isObject(part.input) ? part.input : {} }));
  const role = message.role === 'assistant' ? 'assistant' : results.length > 0 ? 'tool' : 'user';
  return { role, text: textIn(message.content), calls, results };
}
