import { afterEach, describe, expect, it } from 'vitest';
import type { WireRule } from '../../../test/wire/script.js';
import { startWireServer, type WireServer } from '../../../test/wire/server.js';
import { type ClarificationNeed, type LoopConfig, runAgenticLoop } from './agentic-loop.js';

const servers: WireServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function configFor(...turns: WireRule['turns']): Promise<{ config: LoopConfig; server: WireServer }> {
  const server = await startWireServer({ rules: [{ turns }] });
  servers.push(server);
  const config = {
    model: 'compatible/m',
    baseUrl: `${server.url}/v1`,
    env: {},
    instructions: 'Build what is asked.',
    prompt: 'Store orders.',
  };
  return { config, server };
}

const ask = (question: string) => ({
  calls: [{ name: 'request_clarification', input: { to: 'architect', topic: 'Database', question } }],
});

describe('the agentic loop', () => {
  it('takes canClarify, clarifyMaxRounds and onClarificationNeeded [US-6.2/1]', async () => {
    const { config, server } = await configFor(ask('Which database?'), ask('Which version?'), ask('Which port?'), {
      text: 'PostgreSQL 16 it is, as the architect says.',
    });
    const needs: ClarificationNeed[] = [];
    const result = await runAgenticLoop({
      ...config,
      canClarify: ['architect'],
      clarifyMaxRounds: 2,
      onClarificationNeeded: async (need) => {
        needs.push(need);
        return { status: 'answered', answer: `Answer ${need.round}.` };
      },
    });
    expect(result).toMatchObject({ status: 'done', text: 'PostgreSQL 16 it is, as the architect says.', rounds: 2 });
    expect(result.usage).toMatchObject({ calls: 4, inputTokens: 40 });
    expect(needs).toEqual([
      { to: 'architect', topic: 'Database', question: 'Which database?', blocking: true, round: 1 },
      { to: 'architect', topic: 'Database', question: 'Which version?', blocking: true, round: 2 },
    ]);
    const told = server.requests.at(-1)?.messages.flatMap(({ results }) => results.map(({ text }) => text));
    expect(told).toEqual(['Answer 1.', 'Answer 2.', expect.stringContaining('Not asked: 2 questions')]);
  });

  it('ends at its limits, however often the model asks', async () => {
    const { config, server } = await configFor(...Array.from({ length: 20 }, (_, index) => ask(`Question ${index}?`)));
    const asking = runAgenticLoop({
      ...config,
      canClarify: ['architect'],
      clarifyMaxRounds: 1,
      maxSteps: 5,
      onClarificationNeeded: async () => ({ status: 'answered', answer: 'PostgreSQL.' }),
    });
    await expect(asking).rejects.toMatchObject({ code: 'AGENT_ERROR', message: expect.stringContaining('5 replies') });
    expect(server.requests).toHaveLength(5);
  });

  it.each(['null', '7', '{}', '{"model":"compatible/m","env":{}}', '{"model":"compatible/m","prompt":"p","env":null}'])(
    'says what is missing in %s',
    async (config) => {
      await expect(runAgenticLoop(JSON.parse(config))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    },
  );

  it('takes the default for a limit that is undefined', async () => {
    const { config } = await configFor({ text: 'Stored.' });
    const limits: object = { maxSteps: undefined, maxTokens: undefined, timeoutSeconds: undefined };
    expect(await runAgenticLoop({ ...config, ...limits })).toMatchObject({ status: 'done', text: 'Stored.' });
  });

  it('ends with the summary when a question was escalated', async () => {
    const { config } = await configFor(ask('Which database?'));
    const summary = 'Escalated: which database? Options: a) SQLite b) PostgreSQL.';
    const result = await runAgenticLoop({
      ...config,
      canClarify: ['architect'],
      onClarificationNeeded: async () => ({ status: 'escalated', summary }),
    });
    expect(result).toMatchObject({ status: 'escalated', text: summary, rounds: 1 });
  });

  it('works without them: it has no tool to ask with, and its own tools', async () => {
    const { config, server } = await configFor(
      { calls: [{ name: 'add', input: { left: 2, right: 3 } }] },
      { text: 'Maybe 5, I guess.' },
    );
    const add = {
      name: 'add',
      description: 'Adds.',
      input: { type: 'object', properties: { left: { type: 'number' }, right: { type: 'number' } } },
      run: (input: unknown) => String(Object(input).left + Object(input).right),
    };
    const result = await runAgenticLoop({ ...config, tools: [add] });
    expect(result).toMatchObject({ status: 'done', text: 'Maybe 5, I guess.', rounds: 0 });
    expect(server.requests[0]?.tools).toEqual(['add', 'finish']);
    expect(server.requests[1]?.messages.at(-1)?.results[0]?.text).toBe('5');
  });

  it('sends a reply that guesses back once, and the model asks after all', async () => {
    const { config, server } = await configFor(
      { text: 'I assumed that orders are stored in SQLite.' },
      ask('SQLite or PostgreSQL?'),
      { text: 'Orders are stored in PostgreSQL.' },
    );
    const result = await runAgenticLoop({
      ...config,
      canClarify: ['architect'],
      onClarificationNeeded: async () => ({ status: 'answered', answer: 'PostgreSQL.' }),
    });
    expect(result).toMatchObject({ status: 'done', text: 'Orders are stored in PostgreSQL.', rounds: 1 });
    expect(server.requests[1]?.messages.at(-1)?.text).toContain(
      'a guess: "I assumed that orders are stored in SQLite."',
    );
  });

  it('refuses canClarify without a way to get an answer', async () => {
    const { config } = await configFor({ text: 'Done.' });
    await expect(runAgenticLoop({ ...config, canClarify: ['architect'] })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});
