import type { Format } from './format.js';
import { isObject, objects, parsed, string, textIn } from './json.js';
import { callId, inputOf, pieces, type WireMessage, type WireTurn } from './script.js';

/** `POST /v1/chat/completions`. */
export const openaiChat: Format = {
  name: 'openai-chat',
  matches: (path) => path.endsWith('/chat/completions'),
  read: (body) => ({
    model: string(body.model),
    isStream: body.stream === true,
    tools: objects(body.tools).map((tool) => string(isObject(tool.function) ? tool.function.name : '')),
    messages: objects(body.messages).map(messageOf),
  }),
  whole: (turn, { key, model }) => ({
    id: `chatcmpl-${key}`,
    object: 'chat.completion',
    created: 1,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: turn.text ?? null,
          ...(turn.reasoning === undefined ? {} : { reasoning_content: turn.reasoning }),
          ...(turn.calls === undefined
            ? {}
            : {
                tool_calls: turn.calls.map((call, index) => ({
                  id: callId(key, index, call),
                  type: 'function',
                  function: { name: call.name, arguments: inputOf(call) },
                })),
              }),
        },
        finish_reason: finishOf(turn),
      },
    ],
    usage: usageOf(turn.usage),
  }),
  stream: (turn, { key, model }) => {
    const chunk = (delta: object, finish: string | null = null) =>
      data({
        id: `chatcmpl-${key}`,
        object: 'chat.completion.chunk',
        created: 1,
        model,
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    return [
      chunk({ role: 'assistant', content: '' }),
      ...pieces(turn.reasoning ?? '').map((reasoning_content) => chunk({ reasoning_content })),
      ...pieces(turn.text ?? '').map((content) => chunk({ content })),
      ...(turn.calls ?? []).flatMap((call, index) => [
        chunk({
          tool_calls: [
            { index, id: callId(key, index, call), type: 'function', function: { name: call.name, arguments: '' } },
          ],
        }),
        ...pieces(inputOf(call)).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
      ]),
      chunk({}, finishOf(turn)),
      data({
        id: `chatcmpl-${key}`,
        object: 'chat.completion.chunk',
        created: 1,
        model,
        choices: [],
        usage: usageOf(turn.usage),
      }),
      'data: [DONE]\n\n',
    ];
  },
  error: (status, message) => ({ error: { message, type: status === 429 ? 'rate_limit_error' : 'error', code: null } }),
};

function finishOf({ stop, calls }: WireTurn): string {
  if (stop !== undefined) return stop === 'length' ? 'length' : 'content_filter';
  return calls === undefined ? 'stop' : 'tool_calls';
}

function messageOf(message: Readonly<Record<string, unknown>>): WireMessage {
  const role = string(message.role);
  const text = textIn(message.content);
  const calls = objects(message.tool_calls).map((call) => {
    const { name = '', arguments: input } = isObject(call.function) ? call.function : {};
    return { id: string(call.id), name: string(name), input: parsed(input) };
  });
  if (role === 'tool') return { role, text: '', calls: [], results: [{ id: string(message.tool_call_id), text }] };
  const messageRole = role === 'assistant' || role === 'user' ? role : 'system';
  return { role: messageRole, text, calls, results: [] };
}

function usageOf({ input, output, cached = 0 } = { input: 10, output: 5, cached: 0 }) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
