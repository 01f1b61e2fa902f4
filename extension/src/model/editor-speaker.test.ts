import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EditorMessage } from '../../../src/app/app-types.js';
import { createApp } from '../../../src/app/create-app.js';
import { aProject } from '../../../test/builders/editor-chat.js';
import { type ChatModel, editorModel, type SaidPiece } from './editor-speaker.js';

type Said = readonly SaidPiece[];

/** A model of the editor that says what it is told to, and remembers what it was sent. */
function aModel(turns: readonly (Said | Error)[], refusal: ChatModel['refusal'] = () => undefined) {
  const requests: (readonly EditorMessage[])[] = [];
  const remainingTurns = [...turns];
  const model: ChatModel = {
    name: 'test/one',
    maxInputTokens: 9000,
    async *send(messages) {
      requests.push(messages);
      const next = remainingTurns.shift() ?? new Error('nothing left to say');
      if (next instanceof Error) throw next;
      yield* next;
    },
    count: async (text) => Math.ceil(text.length / 4),
    refusal,
  };
  return { model, sent: requests };
}

const call = (id: string, tool: string, input: object): Said => [{ type: 'call', id, tool, input }];

async function aProjectWith(model: ChatModel) {
  const { root, number } = await aProject();
  const tables = ['engineer', 'architect'].map((agent) => `[agents.${agent}]\nrunner = "editor"\n`);
  writeFileSync(join(root, 'config.toml'), `[clarify]\nretry_seconds = 0\n${tables.join('')}`);
  const app = createApp({
    root,
    env: {},
    editor: async ({ agent, timeoutMs }) => editorModel(model, { agent, timeoutMs, retryMs: 1 }),
  });
  onTestFinished(() => app.close());
  return { app, root, number };
}

describe('the runner editor', () => {
  it('takes its turns with a model of the editor, through the same loop and tools as every model, and asks by them [US-6.2/6]', async () => {
    const { model, sent } = aModel([
      call('1', 'request_clarification', { to: 'architect', topic: 'Database', question: 'SQLite or PostgreSQL?' }),
      [
        { type: 'text', text: 'SQLite, ' },
        { type: 'text', text: 'for development.' },
      ],
      call('2', 'write_artifact', { path: 'src/health.txt', content: 'sqlite' }),
      call('3', 'finish', { text: 'Done.' }),
    ]);
    const { app, root } = await aProjectWith(model);
    expect(await app.run({ issueNumber: 1, wait: false })).toMatchObject({ status: 'done' });
    expect(readFileSync(join(dirname(root), 'src/health.txt'), 'utf8')).toBe('sqlite');
    expect((await app.ledger(1)).clarifications).toMatchObject([
      { status: 'resolved', thread: [{ body: 'SQLite or PostgreSQL?' }, { body: 'SQLite, for development.' }, {}] },
    ]);
    const answeredMessage = sent[2]?.at(-1);
    expect(answeredMessage).toMatchObject({ role: 'user', pieces: [{ type: 'result', id: '1' }] });
    expect(sent[0]?.[0]).toMatchObject({ role: 'user', pieces: [{ type: 'text' }] });
  });

  it('tells each of two calls with the same id, or with none, its own result', async () => {
    const { model, sent } = aModel([
      ['src/a.txt', 'src/b.txt'].flatMap((path) => call('', 'write_artifact', { path, content: 'x' })),
      call('', 'finish', { text: 'Done.' }),
    ]);
    const { app } = await aProjectWith(model);
    expect(await app.run({ issueNumber: 1, wait: false })).toMatchObject({ status: 'done' });
    const results = sent[1]?.at(-1)?.pieces.map((piece) => (piece.type === 'result' ? piece.text : piece));
    expect(results).toEqual([expect.stringContaining('src/a.txt'), expect.stringContaining('src/b.txt')]);
  });

  it('tries again what breaks off, and gives up with a sentence that says what to do where that is pointless', async () => {
    const brokenModel = aModel([new Error('reset'), [{ type: 'text', text: 'Well?' }]]);
    const message = { role: 'user', pieces: [{ type: 'text', text: 'Hello' }] } as const;
    const turn = { messages: [message], tools: [] };
    const options = { agent: 'engineer', timeoutMs: 60_000, retryMs: 1 };
    expect(await editorModel(brokenModel.model, options).speak(turn)).toMatchObject({ text: 'Well?', calls: [] });
    const silentModel = aModel([new Error('one'), [], new Error('three'), new Error('four')]);
    await expect(editorModel(silentModel.model, options).speak(turn)).rejects.toMatchObject({
      code: 'AGENT_ERROR',
      message: "Agent 'engineer' failed: test/one did not answer, 4 times: four",
    });
    const refusedModel = aModel([new Error('No permission.')], () => 'Allow it in the chat.');
    await expect(editorModel(refusedModel.model, options).speak(turn)).rejects.toMatchObject({
      code: 'CONFIG_ERROR',
      message: "test/one refuses agent 'engineer': No permission. Allow it in the chat.",
    });
    const controller = new AbortController();
    controller.abort(new Error('stopped'));
    await expect(
      editorModel(aModel([new Error('x')]).model, options).speak({ ...turn, signal: controller.signal }),
    ).rejects.toThrow('stopped');
  });

  it('is not held by a model that says nothing and does not hear that it was stopped', async () => {
    const { model } = aModel([]);
    const deafModel: ChatModel = {
      ...model,
      async *send() {
        yield { type: 'text', text: 'Well, ' };
        await new Promise(() => {});
      },
    };
    const message = { role: 'user', pieces: [{ type: 'text', text: 'Hello' }] } as const;
    const turn = { messages: [message], tools: [] };
    await expect(
      editorModel(deafModel, { agent: 'engineer', timeoutMs: 1, retryMs: 1 }).speak(turn),
    ).rejects.toMatchObject({ code: 'AGENT_ERROR' });
    const controller = new AbortController();
    const stoppedReply = editorModel(deafModel, { agent: 'engineer', timeoutMs: 60_000 }).speak({
      ...turn,
      signal: controller.signal,
      onText: () => controller.abort(new Error('stopped')),
    });
    await expect(stoppedReply).rejects.toThrow('stopped');
  });

  it('takes the reply of a model that does not count its tokens in time', async () => {
    const { model } = aModel([[{ type: 'text', text: 'Well.' }]]);
    const controller = new AbortController();
    const silentModel: ChatModel = {
      ...model,
      count: () => {
        controller.abort();
        return new Promise(() => {});
      },
    };
    const message = { role: 'user', pieces: [{ type: 'text', text: 'Hello' }] } as const;
    const turn = { messages: [message], tools: [], signal: controller.signal };
    const reply = editorModel(silentModel, { agent: 'engineer', timeoutMs: 60_000 }).speak(turn);
    expect(await reply).toMatchObject({ text: 'Well.', inputTokens: expect.any(Number) });
  });

  it('is refused outside of the editor, before any work is done', async () => {
    const { root } = await aProjectWith(aModel([]).model);
    const app = createApp({ root, env: {} });
    onTestFinished(() => app.close());
    await expect(app.run({ issueNumber: 1, wait: false })).rejects.toMatchObject({
      code: 'CONFIG_ERROR',
      message: expect.stringContaining('works only inside the editor'),
    });
    expect((await app.doctor()).problems).toEqual([]);
  });
});

describe('settings of the editor', () => {
  it('hold for what config.toml leaves open [ME-11/6]', async () => {
    const { root } = await aProject();
    writeFileSync(join(root, 'config.toml'), '[memory]\nmax_tokens = 100\n');
    const app = createApp({ root, env: {}, outer: { memory: { enabled: false, max_tokens: 7 } } });
    onTestFinished(() => app.close());
    expect((await app.config()).memory).toMatchObject({ enabled: false, max_tokens: 100 });
    const { contributes } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    const { properties } = contributes.configuration;
    expect(properties['agentx.memory.enabled']).toMatchObject({ type: 'boolean', default: true });
    expect(properties['agentx.memory.maxTokens']).toMatchObject({ type: 'number', default: 20_000 });
  });
});
