import { afterEach, describe, expect, it } from 'vitest';
import { aWorkBrief } from '../../../test/builders/brief.js';
import type { WireRequest, WireRule } from '../../../test/wire/script.js';
import { startWireServer, type WireServer } from '../../../test/wire/server.js';
import type { Files } from '../../ports/files.js';
import type { KeptTranscript, TurnOptions, TurnProgress } from '../../ports/runner.js';
import type { ModelRunnerOptions } from './model-options.js';
import { modelRunner } from './model-runner.js';
import { waitAskedFor } from './speak.js';

const servers: WireServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(...rules: readonly WireRule[]): Promise<WireServer> {
  const server = await startWireServer({ rules });
  servers.push(server);
  return server;
}

const KEY = 'secret-key-0123456789';
const files: Files = {
  read: async ({ path }) => `the content of ${path}`,
  list: async () => 'README.md',
  search: async () => 'Nothing was found.',
};

type Provider = readonly [model: string, format: string, path: string, env: Readonly<Record<string, string>>];
const PROVIDERS: readonly Provider[] = [
  ['openai/gpt-test', 'openai-responses', '/v1', { OPENAI_API_KEY: KEY }],
  ['anthropic/claude-test', 'anthropic', '/v1', { ANTHROPIC_API_KEY: KEY }],
  ['google/gemini-test', 'gemini', '/v1beta', { GEMINI_API_KEY: KEY }],
  ['compatible/llama-test', 'openai-chat', '/v1', { COMPATIBLE_API_KEY: KEY }],
];

function options(server: WireServer, [model, , path, env]: Provider): ModelRunnerOptions {
  const window = 100_000;
  return {
    model,
    baseUrl: `${server.url}${path}`,
    env,
    cwd: '/',
    root: '/.agentx',
    files,
    timeoutSeconds: 60,
    window,
    retryMs: 1,
  };
}

const QUESTION = { to: 'architect', topic: 'Database', question: 'SQLite or PostgreSQL?' };
const TALK: WireRule = {
  turns: [
    { text: 'Let me look.', calls: [{ name: 'read_file', input: { path: 'docs/adr.md' } }] },
    { calls: [{ name: 'request_clarification', input: QUESTION }] },
    {
      calls: [{ name: 'finish', input: { text: 'PostgreSQL it is.' } }],
      usage: { input: 1000, output: 100, cached: 400 },
    },
  ],
};

describe.each(PROVIDERS)('%s', (...provider) => {
  const [model, format] = provider;

  it('serves as the model: reads, asks, goes on in another process, finishes [US-6.2/10]', async () => {
    const server = await serve(TALK);
    const transcripts: KeptTranscript[] = [];
    const keep = async (transcript: KeptTranscript) => void transcripts.push(JSON.parse(JSON.stringify(transcript)));
    const price = { input: 2, output: 10, cached: 1 };
    const run = (turn: TurnOptions) =>
      modelRunner({ ...options(server, provider), price }).run(aWorkBrief(), { keep, ...turn });
    const first = await run({ turn: 't1' });
    const [part] = first.clarify ?? [];
    expect(part).toMatchObject({ ...QUESTION, blocking: true });
    const { call = '' } = part ?? {};
    const [last] = transcripts.slice(-1);
    if (last === undefined) throw new Error('nothing was kept');
    const results = [{ call, outcome: 'answered' as const, text: 'PostgreSQL 16.' }];
    const reply = await run({ turn: 't2', transcript: last, results });
    expect(reply).toEqual({ status: 'done', text: 'PostgreSQL it is.' });
    expect(server.requests.map((request) => request.format)).toEqual([format, format, format]);
    expect(server.requests.at(-1)?.messages.at(-1)?.results[0]?.text).toContain('PostgreSQL 16.');
    expect(server.requests.every(({ isStream }) => isStream)).toBe(true);
    expect(transcripts.at(-1)?.usage).toMatchObject({
      inputTokens: 1020,
      outputTokens: 110,
      cachedTokens: 400,
      calls: 3,
    });
    // 20 + 600 tokens of input at 2, 400 from the cache at 1, 110 of output at 10, each for a million.
    expect(transcripts.at(-1)?.usage?.cost).toBeCloseTo((620 * 2 + 400 + 1100) / 1e6, 9);
    expect(JSON.stringify(transcripts)).not.toContain(KEY);
  });

  it('streams what it says while it says it', async () => {
    const server = await serve({ turns: [{ text: 'A sentence that comes in several pieces.' }] });
    const told: TurnProgress[] = [];
    await modelRunner(options(server, provider)).run(aWorkBrief(), {
      onProgress: (progress) => void told.push(progress),
    });
    const texts = told.flatMap((progress) => (progress.type === 'text' ? [progress.text] : []));
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.join('')).toBe('A sentence that comes in several pieces.');
  });

  it.each([
    ['is busy, with a time to wait', { kind: 'status', status: 429, retryAfter: '0', times: 2 }],
    ['is overloaded', { kind: 'status', status: 503, times: 2 }],
    ['hangs up at once', { kind: 'hang-up', when: 'at once', times: 2 }],
    ['hangs up in mid-stream', { kind: 'hang-up', when: 'in the middle', times: 2 }],
    ['talks nonsense', { kind: 'nonsense', body: '<html>502 Bad Gateway</html>', times: 2 }],
    ['ends in mid-stream as if it were done', { kind: 'hang-up', when: 'in the middle, politely', times: 2 }],
    [
      'is hidden behind a page',
      { kind: 'page', status: 502, type: 'text/html', body: '<h1>Bad Gateway</h1>', times: 2 },
    ],
    [
      'is hidden behind a page that says 200',
      { kind: 'page', status: 200, type: 'text/html', body: '<p>Hi', times: 2 },
    ],
    ['answers with the wrong type', { kind: 'page', status: 200, type: 'application/json', body: '[]', times: 2 }],
    ['talks nonsense in a stream', { kind: 'nonsense', body: 'data: {"half":\n\n', times: 2 }],
  ] as const)('is asked again when it %s', async (_, trouble) => {
    const server = await serve({ turns: [{ text: 'Here I am, after all of that.', trouble }] });
    const reply = await modelRunner(options(server, provider)).run(aWorkBrief());
    expect(reply).toEqual({ text: 'Here I am, after all of that.' });
    expect(server.requests).toHaveLength(3);
  });

  it('fails with a sentence that names what to do, and never the key', async () => {
    const refusing = async (status: number) => {
      const trouble = { kind: 'status', status, message: `Incorrect API key provided: ${KEY}.` } as const;
      const server = await serve({ turns: [{ trouble }] });
      const error = await modelRunner(options(server, provider))
        .run(aWorkBrief())
        .catch((thrown: unknown) => thrown);
      expect(JSON.stringify(error)).not.toContain(KEY);
      return { error, asked: server.requests.length };
    };
    expect(await refusing(401)).toMatchObject({ error: { code: 'CONFIG_ERROR' }, asked: 1 });
    expect(await refusing(404)).toMatchObject({
      error: { code: 'CONFIG_ERROR', message: expect.stringContaining('model and base_url') },
    });
    expect(await refusing(500)).toMatchObject({ error: { code: 'AGENT_ERROR', details: { model } }, asked: 4 });
  });

  it('is said to be where it was looked for, if no server answers there', async () => {
    const server = await serve();
    await server.close();
    const { port } = new URL(server.url);
    const baseUrl = `http://ada:pass@127.0.0.1:${port}${provider[2]}`;
    const error = await modelRunner({ ...options(server, provider), baseUrl })
      .run(aWorkBrief())
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'AGENT_ERROR', message: expect.stringMatching(/Does a server run there\?/) });
    expect(JSON.stringify(Object(error).message)).toContain(` at http://127.0.0.1:${port}${provider[2]} `);
    expect(JSON.stringify(Object(error).message)).not.toContain('ada:pass');
  });

  it.each(['127.0.0.1', 'localhost'])(
    'fails the turn if no server runs at %s: it may be up when the turn is taken once more',
    async (host) => {
      const server = await serve();
      await server.close();
      const baseUrl = `http://${host}:${new URL(server.url).port}${provider[2]}`;
      const run = modelRunner({ ...options(server, provider), baseUrl }).run(aWorkBrief());
      await expect(run).rejects.toMatchObject({
        code: 'AGENT_ERROR',
        message: expect.stringMatching(/, 4 times: .*Does a server run there\?/),
      });
      const { message } = await run.catch((thrown: unknown) => Object(thrown));
      expect(message.match(/ECONNREFUSED/g)).toHaveLength(1);
    },
  );

  it('is broken off by the signal, in the middle of a silence', async () => {
    const server = await serve({ turns: [{ trouble: { kind: 'silence' } }] });
    const over = new AbortController();
    const run = modelRunner(options(server, provider)).run(aWorkBrief(), { signal: over.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    over.abort();
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is not waited for beyond its timeout', async () => {
    const server = await serve({ turns: [{ trouble: { kind: 'silence' } }] });
    const run = modelRunner({ ...options(server, provider), timeoutSeconds: 0.05 }).run(aWorkBrief());
    await expect(run).rejects.toMatchObject({
      code: 'AGENT_ERROR',
      message: expect.stringContaining('longer than timeout_seconds'),
    });
  });

  it('is told what is wrong with a call that it spelt wrong', async () => {
    const server = await serve({
      turns: [
        {
          calls: [
            { name: 'read_file', input: { file: 'a.md' } },
            { name: 'read_file', input: {}, raw: '{"path": ' },
          ],
        },
        { text: 'I see, thank you.' },
      ],
    });
    const reply = await modelRunner(options(server, provider)).run(aWorkBrief());
    expect(reply).toEqual({ text: 'I see, thank you.' });
    const told = server.requests.at(-1)?.messages.flatMap(({ results }) => results.map(({ text }) => text));
    expect(told).toHaveLength(2);
    expect(told?.every((text) => text.includes('Not done'))).toBe(true);
  });
});

describe.each(PROVIDERS)('a reply of %s', (...provider) => {
  const [model] = provider;
  const [name] = model.split('/');
  const say = async (turns: WireRule['turns'], more: Partial<ModelRunnerOptions> = {}) => {
    const server = await serve({ turns });
    const runner = modelRunner({ ...options(server, provider), ...more });
    const result = await runner.run(aWorkBrief()).catch((thrown: unknown) => thrown);
    return { server, result };
  };

  it('may have thoughts, which are no part of what it says and are given back as the provider wants them', async () => {
    const look = { name: 'list_files', input: {} };
    // The provider seals thoughts of models of this name only.
    const thinking = name === 'openai' ? { model: 'openai/gpt-5' } : {};
    const { server, result } = await say(
      [
        { reasoning: 'I assumed nothing. Let me look.', calls: [look] },
        { reasoning: 'So be it.', text: 'It is README.md.' },
      ],
      thinking,
    );
    expect(result).toEqual({ text: 'It is README.md.' });
    const sent = JSON.stringify(server.requests.at(-1)?.body);
    if (name === 'anthropic') expect(sent).toContain('signed-by-the-model');
    if (name === 'openai') expect(sent).toContain('sealed-by-the-model');
  });

  it('that was cut off is gone on with, but not for ever', async () => {
    const { result, server } = await say([
      { text: 'The first half', stop: 'length' },
      { text: 'and the second half.' },
    ]);
    expect(result).toEqual({ text: 'and the second half.' });
    expect(server.requests.at(-1)?.messages.at(-1)?.text).toContain('cut off');
    const endless = await say([{ text: 'blah', stop: 'length' }]);
    expect(endless.result).toMatchObject({ code: 'AGENT_ERROR', message: expect.stringContaining('cut off') });
    expect(endless.server.requests).toHaveLength(4);
    const thoughts = await say([{ reasoning: 'Hm. Hm. Hm.', stop: 'length' }]);
    expect(thoughts.result).toMatchObject({ code: 'AGENT_ERROR', message: expect.stringContaining('cut off') });
  });

  it('that the provider holds back is said to be so, and not asked for again and again', async () => {
    const { result, server } = await say([{ stop: 'refusal' }]);
    expect(result).toMatchObject({ code: 'AGENT_ERROR', message: expect.stringContaining('held its answer back') });
    expect(server.requests).toHaveLength(1);
  });

  it('that is empty is asked for once more', async () => {
    const { result, server } = await say([{}]);
    expect(result).toMatchObject({ code: 'AGENT_ERROR', message: expect.stringContaining('the model said nothing') });
    expect(server.requests).toHaveLength(2);
    expect(server.requests.at(-1)?.messages.at(-1)?.text).toContain('You said nothing');
  });

  it('that holds only thoughts is asked for once more', async () => {
    const { result, server } = await say([{ text: '<think>Hm.</think>' }]);
    expect(result).toMatchObject({ code: 'AGENT_ERROR', message: expect.stringContaining('the model said nothing') });
    expect(server.requests.at(-1)?.messages.at(-1)?.text).toContain('You said nothing');
  });

  it('may call several tools at once, by the same id or with nothing as input', async () => {
    const reads: string[] = [];
    const counting: Files = {
      ...files,
      read: async ({ path }) => {
        reads.push(path);
        return path;
      },
    };
    const calls = [
      { id: 'same', name: 'read_file', input: { path: 'a' } },
      { id: 'same', name: 'read_file', input: { path: 'b' } },
      { name: 'list_files', input: {}, raw: '' },
    ];
    const { result, server } = await say([{ calls }, { text: 'All read.' }], { files: counting });
    expect(result).toEqual({ text: 'All read.' });
    expect(reads).toEqual(['a', 'b']);
    const told = server.requests.at(-1)?.messages.flatMap(({ results }) => results.map(({ text }) => text)) ?? [];
    expect(told.map((text) => /README|\b[ab]\b/.exec(text)?.[0])).toEqual(['a', 'b', 'README']);
  });

  it('that prints a call instead of making it is sent back, and then fails', async () => {
    const printed =
      '<tool_call>\n{"name": "write_artifact", "arguments": {"path": "a.md", "content": "A"}}\n</tool_call>';
    const { result, server } = await say([{ text: printed }]);
    expect(result).toMatchObject({ code: 'AGENT_ERROR', message: expect.stringContaining('prints its calls') });
    expect(server.requests).toHaveLength(2);
    const learnt = await say([{ text: printed }, { text: 'Understood, done.' }]);
    expect(learnt.result).toEqual({ text: 'Understood, done.' });
  });

  it('that there is no credit for is a matter of settings', async () => {
    const message = 'insufficient_quota: please check your plan and billing details.';
    const { result, server } = await say([{ trouble: { kind: 'status', status: 429, message } }]);
    expect(result).toMatchObject({ code: 'CONFIG_ERROR', message: expect.stringContaining('has no credit') });
    expect(server.requests).toHaveLength(1);
  });
});

describe('the time that a provider asks for', () => {
  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after': 'Tue, 17 Nov 2026 04:00:10 GMT' }, 10_000],
    [{ 'retry-after': 'Tue, 17 Nov 2026 03:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('%j is %s ms', (headers, expected) => {
    expect(waitAskedFor(headers, Date.parse('2026-11-17T04:00:00Z'))).toBe(expected);
  });
});

/** How each provider says that a conversation is longer than the window of the model. */
const REFUSALS: Readonly<Record<string, string>> = {
  'openai-responses': 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  anthropic: 'prompt is too long: 208310 tokens > 200000 maximum',
  gemini: 'The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).',
  'openai-chat': "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
};

describe.each(PROVIDERS)('the window of %s', (...provider) => {
  const [, format] = provider;
  const message = REFUSALS[format] ?? '';
  const LONG = 'const port = 4820;\n'.repeat(1000);
  const sizeOf = (request: WireRequest) => JSON.stringify(request.messages).length;

  const work = async (limit: number) => {
    const sizes: number[] = [];
    const server = await startWireServer({
      play: (request) => {
        const size = sizeOf(request);
        sizes.push(size);
        if (size > limit) return { trouble: { kind: 'status', status: 400, message } };
        const read = request.messages.flatMap(({ results }) => results).length;
        const isFirst = read === 0 && !sizes.some((one) => one > limit);
        return isFirst ? { calls: [{ name: 'read_file', input: { path: 'a.ts' } }] } : { text: 'The port is 4820.' };
      },
    });
    servers.push(server);
    const told: TurnProgress[] = [];
    const runner = modelRunner({ ...options(server, provider), files: { ...files, read: async () => LONG } });
    const result = await runner
      .run(aWorkBrief(), { onProgress: (progress) => void told.push(progress) })
      .catch((thrown: unknown) => thrown);
    return { result, sizes, told };
  };

  it('may be smaller than the settings say: a conversation that is refused is compacted and sent again', async () => {
    const { result, sizes, told } = await work(18_000);
    expect(result).toEqual({ text: 'The port is 4820.' });
    expect(sizes).toHaveLength(3);
    expect(sizes[1]).toBeGreaterThan(18_000);
    expect(sizes[2]).toBeLessThan(18_000);
    expect(told.filter(({ type }) => type === 'compacted')).toHaveLength(1);
  });

  it('may be too small for what cannot be left out: that is said once, with what to do', async () => {
    const { result, sizes } = await work(100);
    expect(result).toMatchObject({ code: 'AGENT_ERROR', message: expect.stringContaining('context_tokens') });
    expect(result).toMatchObject({ message: expect.stringContaining(message.slice(0, 20)) });
    expect(sizes.length).toBeLessThanOrEqual(2);
  });

  it('is no matter of ids that objects have by nature', async () => {
    const calls = ['__proto__', 'constructor', 'toString'].map((id) => ({
      name: 'read_file',
      input: { path: `${id}.md` },
      id,
    }));
    const server = await serve({ turns: [{ calls }, { text: 'All of them are read.' }] });
    expect(await modelRunner(options(server, provider)).run(aWorkBrief())).toEqual({ text: 'All of them are read.' });
    const told = server.requests.at(-1)?.messages.flatMap(({ results }) => results.map(({ text }) => text));
    expect(told).toEqual(calls.map(({ input }) => expect.stringContaining(`the content of ${input.path}`)));
  });

  it('gets the input of a call back as an object, whatever the model made of it', async () => {
    const calls = ['[1]', '"text"', '7', 'null'].map((raw) => ({ name: 'list_files', input: {}, raw }));
    const server = await serve({ turns: [{ calls }, { text: 'I see.' }] });
    expect(await modelRunner(options(server, provider)).run(aWorkBrief())).toEqual({ text: 'I see.' });
    const inputs = server.requests.at(-1)?.messages.flatMap((one) => one.calls.map(({ input }) => input));
    expect(inputs).toHaveLength(4);
    for (const input of inputs ?? []) expect(Array.isArray(input) || typeof input !== 'object').toBe(false);
  });
});
