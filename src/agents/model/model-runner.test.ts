import { describe, expect, it } from 'vitest';
import { anAnswerBrief, aWorkBrief } from '../../../test/builders/brief.js';
import type { Files } from '../../ports/files.js';
import type { KeptTranscript, TurnOptions } from '../../ports/runner.js';
import type { Brief } from '../../protocol/brief.js';
import { AgentXError } from '../../protocol/errors.js';
import type { ModelRunnerOptions } from './model-options.js';
import { modelRunner } from './model-runner.js';
import type { Spoken } from './read-reply.js';
import type { Speak, Speaking } from './speak.js';

interface Said {
  readonly text?: string;
  readonly calls?: readonly (readonly [tool: string, input: object])[];
  readonly tokens?: number;
}

/** A model that says one thing after the other, by the number of its replies in the conversation. */
function model(...turns: readonly Said[]): { readonly speak: Speak; readonly requests: Speaking[] } {
  const requests: Speaking[] = [];
  const speak: Speak = async (speaking) => {
    requests.push(speaking);
    const index = speaking.messages.filter(({ role }) => role === 'assistant').length;
    return spoken(turns[Math.min(index, turns.length - 1)] ?? {}, index);
  };
  return { speak, requests };
}

/** The same, by how often it was asked. */
function inOrder(...turns: readonly Said[]): ReturnType<typeof model> {
  const requests: Speaking[] = [];
  const speak: Speak = async (speaking) => {
    requests.push(speaking);
    return spoken(turns[requests.length - 1] ?? {}, requests.length);
  };
  return { speak, requests };
}

function spoken({ text = '', calls = [], tokens = 100 }: Said, index: number): Spoken {
  const made = calls.map(([tool, input], place) => ({ id: `call_${place}`, tool, input, index }));
  return {
    text,
    calls: made,
    messages: [
      {
        role: 'assistant',
        content: [
          ...(text === '' ? [] : [{ type: 'text' as const, text }]),
          ...made.map(({ id, tool, input }) => ({
            type: 'tool-call' as const,
            toolCallId: id,
            toolName: tool,
            input,
          })),
        ],
      },
    ],
    inputTokens: tokens,
    cachedTokens: 0,
    outputTokens: 10,
    reason: calls.length > 0 ? 'tool-calls' : 'stop',
  };
}

const files: Files = {
  read: async ({ path }) => {
    if (path.startsWith('..')) throw new AgentXError('UNAUTHORIZED', `'${path}' may not be read.`);
    return `the content of ${path}`;
  },
  list: async () => 'README.md',
  search: async () => 'README.md:1: found',
};

const OPTIONS: ModelRunnerOptions = {
  model: 'compatible/m',
  env: {},
  cwd: '/nowhere',
  root: '/nowhere/.agentx',
  files,
  timeoutSeconds: 60,
  window: 100_000,
};

/** A conversation over several turns, as the engine has it: kept transcripts go into the next turn. */
function conversation(speak: Speak, options: Partial<ModelRunnerOptions> = {}) {
  const runner = modelRunner({ ...OPTIONS, ...options, speak });
  const transcripts: KeptTranscript[] = [];
  const turn = (brief: Brief, more: TurnOptions = {}) => {
    const transcript = transcripts.at(-1);
    return runner.run(brief, {
      ...(transcript === undefined ? {} : { transcript: JSON.parse(JSON.stringify(transcript)) }),
      keep: async (one) => {
        transcripts.push(one);
      },
      ...more,
    });
  };
  return { turn, transcripts };
}

/** What the model read last, as text. */
const read = ({ messages }: Speaking) => JSON.stringify(messages);

const ASK = [
  'request_clarification',
  { to: 'architect', topic: 'Database', question: 'SQLite or PostgreSQL?' },
] as const;

describe('an agent on a model', () => {
  it('has tools to read artifacts before it asks or answers [US-6.2/11]', async () => {
    const { speak, requests } = model(
      {
        calls: [
          ['read_file', { path: 'docs/adr.md' }],
          ['list_files', {}],
        ],
      },
      { calls: [['search_files', { text: 'port' }]] },
      { calls: [['finish', { text: 'The port is 4820.' }]] },
    );
    const reply = await conversation(speak).turn(aWorkBrief());
    expect(reply).toMatchObject({ status: 'done', text: 'The port is 4820.' });
    expect(read(requests[1] ?? fail())).toContain('the content of docs/adr.md');
    expect(read(requests[2] ?? fail())).toContain('README.md:1: found');
  });

  it('asks by the tool request_clarification, and goes on with the answer as its result [US-6.2/6]', async () => {
    const { speak, requests } = model({ calls: [ASK] }, { text: 'PostgreSQL it is.' });
    const { turn, transcripts } = conversation(speak);
    const first = await turn(aWorkBrief(), { turn: 't1' });
    expect(first.clarify).toEqual([
      { to: 'architect', topic: 'Database', question: 'SQLite or PostgreSQL?', blocking: true, call: '1.call_0' },
    ]);
    expect(first.partial).toBe(true);
    const results = [{ call: '1.call_0', outcome: 'answered' as const, text: 'PostgreSQL 16.' }];
    const reply = await turn(aWorkBrief(), { turn: 't2', results });
    expect(reply).toEqual({ text: 'PostgreSQL it is.' });
    expect(read(requests[1] ?? fail())).toContain('PostgreSQL 16.');
    expect(transcripts.at(-1)).toMatchObject({
      format: 'model/1',
      usage: { inputTokens: 200, outputTokens: 20, calls: 2 },
    });
  });

  it('asks the same again, without asking the model, if its reply was lost', async () => {
    const { speak, requests } = model(
      { calls: [['write_artifact', { path: 'a.md', content: 'A' }], ASK] },
      { text: 'Done.' },
    );
    const { turn } = conversation(speak);
    const first = await turn(aWorkBrief(), { turn: 't1' });
    expect(await turn(aWorkBrief(), { turn: 't1' })).toEqual(first);
    expect(first.artifacts).toEqual([{ path: 'a.md', content: 'A' }]);
    expect(requests).toHaveLength(1);
    const results = [{ call: '1.call_1', outcome: 'answered' as const, text: 'Yes.' }];
    expect(await turn(aWorkBrief(), { turn: 't2', results })).toEqual({ text: 'Done.' });
  });

  it('keeps each finished call before the next begins, and repeats none in another process', async () => {
    const reads: string[] = [];
    const counting: Files = {
      ...files,
      read: async ({ path }) => {
        reads.push(path);
        return `the content of ${path}`;
      },
    };
    const { speak } = model(
      {
        calls: [
          ['read_file', { path: 'a' }],
          ['read_file', { path: 'b' }],
        ],
      },
      { text: 'Done.' },
    );
    const { turn, transcripts } = conversation(speak, { files: counting });
    await turn(aWorkBrief(), { turn: 't1' });
    expect(reads).toEqual(['a', 'b']);
    // Another process finds only the first of the two.
    const transcript = transcripts[0];
    if (transcript === undefined) throw new Error('nothing was kept');
    await modelRunner({ ...OPTIONS, files: counting, speak }).run(aWorkBrief(), { transcript, turn: 't1' });
    expect(reads).toEqual(['a', 'b', 'b']);
  });

  it('does not guess whether a command that was cut off has run', async () => {
    const { speak, requests } = model(
      { calls: [['run_command', { command: ['npm', 'test'] }]] },
      { text: 'I look first.' },
    );
    const { turn, transcripts } = conversation(speak, { commands: [['npm', 'test']], cwd: '/nowhere' });
    await turn(aWorkBrief(), { turn: 't1' });
    const begunTranscript = transcripts.find(({ state }) => 'begun' in Object(state));
    if (begunTranscript === undefined) throw new Error('its start was not kept');
    await modelRunner({ ...OPTIONS, commands: [['npm', 'test']], speak }).run(aWorkBrief(), {
      transcript: begunTranscript,
      turn: 't1',
    });
    expect(read(requests.at(-1) ?? fail())).toContain('its output is lost');
  });

  it('has what it wrote put in place before a command runs', async () => {
    const { speak } = model(
      {
        calls: [
          ['write_artifact', { path: 'a.js', content: 'x' }],
          ['run_command', { command: ['node', '-e', '0'] }],
        ],
      },
      { text: 'It passes.' },
    );
    const { turn } = conversation(speak, { commands: [['node', '*']], cwd: process.cwd(), env: process.env });
    expect(await turn(aWorkBrief(), { turn: 't1' })).toEqual({
      status: 'continue',
      partial: true,
      artifacts: [{ path: 'a.js', content: 'x' }],
    });
    expect(await turn(aWorkBrief(), { turn: 't2' })).toEqual({ text: 'It passes.' });
  });

  it('is shown the end of what a command prints, however much that is', async () => {
    const print = 'process.stdout.write("x".repeat(1_200_000) + "3 tests failed")';
    const command = [process.execPath, '-e', print];
    const { speak, requests } = model({ calls: [['run_command', { command }]] }, { text: 'Read.' });
    await conversation(speak, { commands: [command], cwd: '/' }).turn(aWorkBrief());
    expect(read(requests[1] ?? fail())).toContain('3 tests failed\\n[cut: the last 20000 characters are shown]');
  });

  it('is refused a command that the configuration does not name, and other tools that it does not have', async () => {
    const { speak, requests } = model(
      {
        calls: [
          ['run_command', { command: ['rm', '-rf', '/'] }],
          ['answer_for_architect', {}],
        ],
      },
      { text: 'Then not.' },
    );
    const refused: unknown[] = [];
    const log = { debug() {}, info() {}, error() {}, warn: (_: string, fields?: object) => void refused.push(fields) };
    await conversation(speak, { commands: [['npm', 'test']], log }).turn(aWorkBrief());
    expect(read(requests[1] ?? fail())).toContain('is not allowed');
    expect(read(requests[1] ?? fail())).toContain('there is no tool');
    expect(refused).toEqual([
      expect.objectContaining({ tool: 'run_command', code: 'UNAUTHORIZED', agent: 'engineer' }),
    ]);
  });

  it('has no tool that the brief does not allow', async () => {
    const { speak, requests } = model({ text: 'Use PostgreSQL 16, because the ADR says so.' });
    const names = async (brief: Brief, options: Partial<ModelRunnerOptions> = {}) => {
      await conversation(speak, options).turn(brief);
      return requests.at(-1)?.tools.map(({ name }) => name);
    };
    const reading = ['read_file', 'list_files', 'search_files'];
    expect(await names(anAnswerBrief())).toEqual([...reading, 'ask_human', 'finish']);
    expect(await names(anAnswerBrief({ can_clarify: ['product-manager'] }))).toContain('request_clarification');
    const work = ['ask_human', 'record_assumption', 'write_artifact'];
    expect(await names(aWorkBrief())).toEqual([...reading, 'request_clarification', ...work, 'finish']);
    const memory = { recall: async () => '' };
    expect(await names(aWorkBrief(), { memory, commands: [['npm', 'test']] })).toEqual([
      ...reading,
      'recall_memory',
      'request_clarification',
      ...work,
      'run_command',
      'finish',
    ]);
  });

  it('hands in what it wrote and assumed, the last version of each file', async () => {
    const { speak } = model(
      { calls: [['write_artifact', { path: 'a.md', content: 'one' }]] },
      { calls: [['record_assumption', { decision: 'UTC', reasoning: 'The servers run in UTC.' }]] },
      {
        calls: [
          ['write_artifact', { path: 'a.md', content: 'two' }],
          ['finish', { text: 'Written.' }],
        ],
      },
    );
    expect(await conversation(speak).turn(aWorkBrief())).toMatchObject({
      artifacts: [{ path: 'a.md', content: 'two' }],
      assumptions: [{ decision: 'UTC', reasoning: 'The servers run in UTC.' }],
    });
  });

  it('is told of what is new in a later turn, once', async () => {
    const { speak, requests } = model({ text: 'Done.' });
    const { turn } = conversation(speak);
    await turn(aWorkBrief(), { turn: 't1' });
    const refused = [{ code: 'INVALID_INPUT', message: 'The artifact is outside.' }];
    await turn(aWorkBrief({ refused }), { turn: 't2' });
    expect(read(requests[1] ?? fail())).toContain(
      'Not carried out of your last reply (INVALID_INPUT): The artifact is outside.',
    );
    await turn(aWorkBrief(), { turn: 't3' });
    expect(read(requests[2] ?? fail()).match(/is outside/g)).toHaveLength(1);
  });

  it('ends within its steps and its tokens', async () => {
    const { speak, requests } = model({ calls: [['list_files', {}]] });
    await expect(conversation(speak, { maxSteps: 5 }).turn(aWorkBrief())).rejects.toThrow(/5 replies of its model/);
    expect(requests).toHaveLength(5);
    expect(read(requests[4] ?? fail())).toContain('last reply');
    await expect(conversation(speak, { maxTurnTokens: 1000 }).turn(aWorkBrief())).rejects.toThrow(/1000 tokens/);
    await expect(conversation(speak).turn(anAnswerBrief())).rejects.toThrow(/15 replies/);
  });

  it('sends a vague answer back once', async () => {
    const vague = model(
      { text: 'It depends.' },
      { calls: [['finish', { answer: 'PostgreSQL 16.', evidence: ['ADR-3'] }]] },
    );
    const reply = await conversation(vague.speak).turn(anAnswerBrief());
    expect(reply.answer).toBe('PostgreSQL 16.\nEvidence: ADR-3');
    expect(read(vague.requests[1] ?? fail())).toContain('leaves the decision open');
    const stubborn = model({ text: 'It depends.' });
    expect(await conversation(stubborn.speak).turn(anAnswerBrief())).toEqual({ text: 'It depends.' });
    expect(stubborn.requests).toHaveLength(2);
  });

  it('sends a reply that asks in its text back once', async () => {
    const text = 'Stuck.\n\nclarify:\n  - to: architect\n    topic: Port\n    question: Which port?\n';
    const ask = { to: 'architect', topic: 'Port', question: 'Which port?' };
    const { speak, requests } = model({ calls: [['finish', { text }]] }, { calls: [['request_clarification', ask]] });
    const reply = await conversation(speak).turn(aWorkBrief(), { turn: 't1' });
    expect(reply.clarify).toMatchObject([ask]);
    expect(JSON.stringify(requests[1]?.messages)).toContain(
      'it asks something in its text, which reaches no agent and no human',
    );
  });

  it('compacts a conversation that fills its window, into the four sections', async () => {
    const long = 'We decided to use PostgreSQL 16. '.repeat(200);
    const { speak, requests } = inOrder(
      { text: long, calls: [['read_file', { path: 'a' }]] },
      { text: long, calls: [['write_artifact', { path: 'b.md', content: long }]] },
      { text: long, calls: [['read_file', { path: '../x' }]] },
      { text: long, calls: [['list_files', {}]] },
      { text: 'Done.' },
    );
    const told: unknown[] = [];
    const { turn } = conversation(speak, { window: 6000 });
    await turn(aWorkBrief(), { turn: 't1', onProgress: (progress) => void told.push(progress) });
    const compacted = told.find((one) => Object(one).type === 'compacted');
    expect(compacted).toMatchObject({
      summary: expect.stringContaining('## Decisions\n\n- We decided to use PostgreSQL 16.'),
    });
    expect(read(requests.at(-1) ?? fail())).toContain('## Errors');
    const { originalTokens, compactedTokens } = Object(compacted);
    expect(compactedTokens).toBeLessThan(originalTokens);
    for (const speaking of requests) expect(read(speaking).length / 4).toBeLessThan(6000);
  });

  it('is shown no more of one file than a quarter of its window', async () => {
    const { speak, requests } = model({ calls: [['read_file', { path: 'long' }]] }, { text: 'Read.' });
    const long: Files = { ...files, read: async () => 'x'.repeat(500_000) };
    await conversation(speak, { files: long, window: 8000 }).turn(aWorkBrief());
    expect(read(requests[1] ?? fail())).toContain(`${'x'.repeat(8000)}\\n[cut: 500000 characters in all]`);
  });

  it.each([8000, 8001])('is shown no half of a character, which providers refuse: window %i', async (window) => {
    const emoji = '\u{1f600}';
    const print = `process.stdout.write("x" + "${emoji}".repeat(20_000))`;
    const command = [process.execPath, '-e', print];
    const { speak, requests } = inOrder(
      { calls: [['read_file', { path: 'long' }]] },
      { calls: [['run_command', { command }]], tokens: 7000 },
      { calls: [['read_file', { path: 'long' }]], tokens: 7000 },
      { text: 'Read.' },
    );
    const long: Files = { ...files, read: async () => emoji.repeat(50_000) };
    const prompt = `${emoji.repeat(9_000)}x${emoji.repeat(9_000)}`;
    await conversation(speak, { files: long, window, commands: [command], cwd: '/' }).turn(aWorkBrief({ prompt }));
    expect(requests).toHaveLength(4);
    // Only half a character is written as its number.
    for (const speaking of requests) expect(read(speaking)).not.toMatch(/\\ud[89a-f]/);
  });

  it('keeps no key: neither in a transcript nor in its reply', async () => {
    const key = 'sk-test-0123456789abcdef';
    const leaky: Files = { ...files, read: async () => `OPENAI_API_KEY=${key}` };
    const { speak } = model({ calls: [['read_file', { path: 'notes' }]] }, { text: `The key is ${key}.` });
    const { turn, transcripts } = conversation(speak, { files: leaky, env: { OPENAI_API_KEY: key } });
    const reply = await turn(aWorkBrief({ prompt: `Use ${key}.` }));
    expect(reply.text).toBe('The key is [redacted].');
    expect(JSON.stringify(transcripts)).not.toContain(key);
  });

  it('keeps no key of a vendor, wherever it stands in a text', async () => {
    const key = 'sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz';
    const { speak } = model(
      { calls: [['write_artifact', { path: 'notes', content: `Key:\n${key}` }]] },
      { text: `\t${key}` },
    );
    const { turn, transcripts } = conversation(speak);
    const reply = await turn(aWorkBrief());
    expect(JSON.stringify([reply, transcripts])).not.toContain(key);
  });

  it('says what to do if its key is missing', async () => {
    const run = modelRunner({ ...OPTIONS, model: 'google/gemini-3' }).run(aWorkBrief());
    await expect(run).rejects.toMatchObject({
      code: 'CONFIG_ERROR',
      message: expect.stringContaining('GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY is not set'),
    });
  });
});

function fail(): never {
  throw new Error('the model was not asked that often');
}
