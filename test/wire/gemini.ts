import type { Format } from './format.js';
import { isObject, objects, string, textIn } from './json.js';
import { inputOf, pieces, type WireCall, type WireMessage, type WireTurn } from './script.js';

/** `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`. */
export const gemini: Format = {
  name: 'gemini',
  matches: (path) => /:(?:stream)?generateContent$/i.test(path),
  read: (body, path) => ({
    model: decodeURIComponent(/\/models\/([^:]+):/.exec(path)?.[1] ?? ''),
    isStream: path.endsWith(':streamGenerateContent'),
    tools: objects(body.tools).flatMap((tool) => objects(tool.functionDeclarations).map(({ name }) => string(name))),
    messages: [
      ...(isObject(body.systemInstruction)
        ? [{ role: 'system' as const, text: textIn(body.systemInstruction.parts), calls: [], results: [] }]
        : []),
      ...objects(body.contents).map(messageOf),
    ],
  }),
  whole: (turn) => chunk([...textParts(turn.text ?? ''), ...callParts(turn)], turn),
  stream: (turn) => [
    ...pieces(turn.reasoning ?? '').map((text) => data(chunk([{ text, thought: true }]))),
    ...pieces(turn.text ?? '').map((text) => data(chunk([{ text }]))),
    data(chunk(callParts(turn), turn)),
  ],
  error: (status, message) => ({
    error: { code: status, message, status: status === 429 ? 'RESOURCE_EXHAUSTED' : 'INTERNAL' },
  }),
};

const textParts = (text: string) => (text === '' ? [] : [{ text }]);

function callParts({ calls = [] }: WireTurn) {
  return calls.map((call) => ({ functionCall: { name: call.name, args: argsOf(call) } }));
}

/** This format has no text to slip in: a raw input that is no JSON becomes a wrong value. */
function argsOf(call: WireCall): unknown {
  try {
    return JSON.parse(inputOf(call));
  } catch {
    return { raw: call.raw };
  }
}

function finishOf({ stop }: WireTurn): string {
  if (stop === undefined) return 'STOP';
  return stop === 'length' ? 'MAX_TOKENS' : 'SAFETY';
}

function chunk(parts: readonly object[], end?: WireTurn) {
  const { input, output, cached = 0 } = end?.usage ?? { input: 10, output: 5 };
  return {
    candidates: [
      { content: { role: 'model', parts }, index: 0, ...(end === undefined ? {} : { finishReason: finishOf(end) }) },
    ],
    ...(end === undefined
      ? {}
      : {
          usageMetadata: {
            promptTokenCount: input,
            candidatesTokenCount: output,
            totalTokenCount: input + output,
            cachedContentTokenCount: cached,
          },
        }),
  };
}

const data = (value: object) => `data: ${JSON.stringify(value)}\r\n\r\n`;

function messageOf(content: Readonly<Record<string, unknown>>): WireMessage {
  const parts = objects(content.parts);
  const calls = parts.flatMap((part, index) =>
    isObject(part.functionCall)
      ? [{ id: String(index), name: string(part.functionCall.name), input: part.functionCall.args }]
      : [],
  );
  const results = parts.flatMap((part) =>
    isObject(part.functionResponse)
      ? [{ id: string(part.functionResponse.name), text: JSON.stringify(part.functionResponse.response) }]
      : [],
  );
  const role = content.role === 'model' ? 'assistant' : results.length > 0 ? 'tool' : 'user';
  return { role, text: textIn(content.parts), calls, results };
}
