import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, jsonSchema, type LanguageModel, streamText } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import type { WireRule } from './wire/script.js';
import { startWireServer, type WireServer } from './wire/server.js';

const servers: WireServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(rules: readonly WireRule[]): Promise<WireServer> {
  const server = await startWireServer({ rules });
  servers.push(server);
  return server;
}

const apiKey = 'test-key';
const CLIENTS: Readonly<Record<string, (url: string) => LanguageModel>> = {
  'openai-chat': (url) => createOpenAICompatible({ name: 'local', baseURL: `${url}/v1`, apiKey }).chatModel('m'),
  'openai-responses': (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).responses('m'),
  anthropic: (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey })('m'),
  gemini: (url) => createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey })('m'),
};

const tools = {
  look: {
    description: 'Looks something up.',
    inputSchema: jsonSchema({ type: 'object', properties: { what: { type: 'string' } } }),
  },
};

const CALLING: WireRule = {
  model: 'm',
  turns: [
    {
      text: 'I look it up first.',
      calls: [{ name: 'look', input: { what: 'the port, exactly' } }],
      usage: { input: 1000, output: 50, cached: 200 },
    },
    { text: 'It is 4820.', usage: { input: 1100, output: 7 } },
  ],
};

describe.each(Object.keys(CLIENTS))('the wire server speaks %s', (format) => {
  const modelAt = (server: WireServer) => {
    const client = CLIENTS[format];
    if (client === undefined) throw new Error(format);
    return client(server.url);
  };

  it('as one answer: text, a tool call, usage, and what follows from the result', async () => {
    const server = await serve([CALLING]);
    const model = modelAt(server);
    const first = await generateText({ model, tools, system: 'Be brief.', prompt: 'Which port?', maxRetries: 0 });
    expect(first.text).toBe('I look it up first.');
    expect(first.toolCalls.map(({ toolName, input }) => ({ toolName, input }))).toEqual([
      { toolName: 'look', input: { what: 'the port, exactly' } },
    ]);
    expect(first.usage).toMatchObject({ inputTokens: 1000, outputTokens: 50 });
    const [call] = first.toolCalls;
    if (call === undefined) throw new Error('no call');
    const { toolCallId, toolName } = call;
    const second = await generateText({
      model,
      tools,
      maxRetries: 0,
      system: 'Be brief.',
      messages: [
        { role: 'user', content: 'Which port?' },
        ...first.response.messages,
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: 'port = 4820' } }],
        },
      ],
    });
    expect(second.text).toBe('It is 4820.');
    const last = server.requests.at(-1);
    expect(last).toMatchObject({ format, model: 'm', isStream: false, tools: ['look'] });
    expect(last?.messages.map(({ role }) => role).filter((role, index, all) => role !== all[index - 1])).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
    ]);
    expect(last?.messages.at(-1)?.results[0]?.text).toContain('port = 4820');
  });

  it('as a stream of pieces that make the same', async () => {
    const server = await serve([CALLING]);
    const pieces: string[] = [];
    const result = streamText({ model: modelAt(server), tools, prompt: 'Which port?', maxRetries: 0 });
    for await (const piece of result.textStream) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe('I look it up first.');
    expect((await result.toolCalls).map(({ input }) => input)).toEqual([{ what: 'the port, exactly' }]);
    expect(await result.usage).toMatchObject({ inputTokens: 1000, outputTokens: 50 });
    expect((await result.usage).inputTokenDetails.cacheReadTokens).toBe(200);
    expect(server.requests[0]?.isStream).toBe(true);
  });

  it('refusals with their status, and with the time after which to ask again', async () => {
    const trouble = { kind: 'status', status: 429, message: 'Slow down.', retryAfter: '7', times: 1 } as const;
    const server = await serve([{ turns: [{ text: 'Later.', trouble }] }]);
    const ask = () => generateText({ model: modelAt(server), prompt: 'Now?', maxRetries: 0 });
    await expect(ask()).rejects.toMatchObject({
      statusCode: 429,
      message: expect.stringContaining('Slow down.'),
      responseHeaders: expect.objectContaining({ 'retry-after': '7' }),
    });
    await expect(ask()).resolves.toMatchObject({ text: 'Later.' });
  });

  it.each([
    ['a connection that ends at once', { kind: 'hang-up', when: 'at once' }],
    ['a connection that ends in mid-stream', { kind: 'hang-up', when: 'in the middle' }],
    ['an answer that is none', { kind: 'nonsense', body: '<html>502 Bad Gateway</html>' }],
  ] as const)('%s', async (_, trouble) => {
    const server = await serve([{ turns: [{ text: 'A long enough text to be cut in two.', trouble }] }]);
    await expect(generateText({ model: modelAt(server), prompt: 'Now?', maxRetries: 0 })).rejects.toThrow();
  });
});
