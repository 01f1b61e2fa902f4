import type { Format, Told } from './format.js';
import { objects, parsed, string, textIn } from './json.js';
import { callId, inputOf, pieces, type WireMessage, type WireTurn } from './script.js';

/** `POST /v1/responses`. */
export const openaiResponses: Format = {
  name: 'openai-responses',
  matches: (path) => path.endsWith('/responses'),
  read: (body) => ({
    model: string(body.model),
    isStream: body.stream === true,
    tools: objects(body.tools).map((tool) => string(tool.name)),
    messages: [
      ...(typeof body.instructions === 'string' ? [plain('system', body.instructions)] : []),
      ...(typeof body.input === 'string' ? [plain('user', body.input)] : objects(body.input).flatMap(messageOf)),
    ],
  }),
  whole: (turn, told) => responseOf(turn, told, 'completed'),
  stream: (turn, told) => {
    let sequence = 0;
    const event = (type: string, fields: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...fields })}\n\n`;
    const response = { ...responseOf(turn, told, 'in_progress'), output: [] };
    return [
      event('response.created', { response }),
      event('response.in_progress', { response }),
      ...itemsOf(turn, told).flatMap((item, output_index) => {
        const done = event('response.output_item.done', { output_index, item });
        if (item.type === 'reasoning') {
          const added = { ...item, summary: [], encrypted_content: null };
          const place = { item_id: item.id, output_index, summary_index: 0 };
          const [part] = item.summary;
          return [
            event('response.output_item.added', { output_index, item: added }),
            event('response.reasoning_summary_part.added', { ...place, part: { ...part, text: '' } }),
            ...pieces(turn.reasoning ?? '').map((delta) =>
              event('response.reasoning_summary_text.delta', { ...place, delta }),
            ),
            event('response.reasoning_summary_part.done', { ...place, part }),
            done,
          ];
        }
        if (item.type === 'message') {
          const place = { item_id: item.id, output_index, content_index: 0 };
          const added = { ...item, status: 'in_progress', content: [] };
          const [part] = item.content;
          return [
            event('response.output_item.added', { output_index, item: added }),
            event('response.content_part.added', { ...place, part: { ...part, text: '' } }),
            ...pieces(turn.text ?? '').map((delta) => event('response.output_text.delta', { ...place, delta })),
            event('response.output_text.done', { ...place, text: turn.text }),
            event('response.content_part.done', { ...place, part }),
            done,
          ];
        }
        const place = { item_id: item.id, output_index };
        return [
          event('response.output_item.added', {
            output_index,
            item: { ...item, arguments: '', status: 'in_progress' },
          }),
          ...pieces(item.arguments).map((delta) =>
            event('response.function_call_arguments.delta', { ...place, delta }),
          ),
          event('response.function_call_arguments.done', { ...place, arguments: item.arguments }),
          done,
        ];
      }),
      turn.stop === undefined
        ? event('response.completed', { response: responseOf(turn, told, 'completed') })
        : event('response.incomplete', { response: responseOf(turn, told, 'incomplete') }),
    ];
  },
  error: (status, message) => ({ error: { message, type: status === 429 ? 'rate_limit_error' : 'error', code: null } }),
};

/** The provider wants it back with the thought. */
const ENCRYPTED = 'sealed-by-the-model';

function itemsOf(turn: WireTurn, { key }: Told) {
  const message = {
    type: 'message' as const,
    id: `msg-${key}`,
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text: turn.text ?? '', annotations: [] }],
  };
  const calls = (turn.calls ?? []).map((call, index) => ({
    type: 'function_call' as const,
    id: `fc-${key}-${index}`,
    call_id: callId(key, index, call),
    name: call.name,
    ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
    arguments: inputOf(call),
    status: 'completed',
  }));
  const reasoning = {
    type: 'reasoning' as const,
    id: `rs-${key}`,
    summary: [{ type: 'summary_text', text: turn.reasoning ?? '' }],
    encrypted_content: ENCRYPTED,
  };
  return [
    ...(turn.reasoning === undefined ? [] : [reasoning]),
    ...(turn.text === undefined ? [] : [message]),
    ...calls,
  ];
}

function responseOf(turn: WireTurn, told: Told, status: string) {
  const { input, output, cached = 0 } = turn.usage ?? { input: 10, output: 5 };
  return {
    id: `resp-${told.key}`,
    object: 'response',
    created_at: 1,
    status,
    model: told.model,
    error: null,
    incomplete_details:
      turn.stop === undefined || status !== 'incomplete'
        ? null
        : { reason: turn.stop === 'length' ? 'max_output_tokens' : 'content_filter' },
    output: itemsOf(turn, told),
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}

function messageOf(item: Readonly<Record<string, unknown>>): readonly WireMessage[] {
  if (item.type === 'function_call') {
    const call = { id: string(item.call_id), name: string(item.name), input: parsed(item.arguments) };
    return [{ role: 'assistant', text: '', calls: [call], results: [] }];
  }
  if (item.type === 'function_call_output') {
    const text = typeof item.output === 'string' ? item.output : textIn(item.output);
    return [{ role: 'tool', text: '', calls: [], results: [{ id: string(item.call_id), text }] }];
  }
  const role = string(item.role);
  if (role === '') return [];
  return [plain(role === 'assistant' || role === 'user' ? role : 'system', textIn(item.content))];
}

function plain(role: 'system' | 'user' | 'assistant', text: string): WireMessage {
  return { role, text, calls: [], results: [] };
}
