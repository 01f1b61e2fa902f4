import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { somewhereUpTo } from '../support/mode.js';
import { choose, type WireRequest } from '../wire/script.js';
import { startWireServer, type WireServer } from '../wire/server.js';
import { type RunningAgentx, spawnAgentx, startAgentx } from './support/agentx.js';
import { AGENT_MODELS, aFeatureOfModels, FEATURE_TALK, featureOutcome } from './support/model-run.js';
import { eventsOf, fileOf, storeOf } from './support/runs.js';

const servers: WireServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Plays the feature, and tells of every request before it is answered. */
async function serve(onRequest: (request: WireRequest, count: number) => void = () => {}): Promise<WireServer> {
  let count = 0;
  const server = await startWireServer({
    play: (request) => {
      count += 1;
      onRequest(request, count);
      const chosen = choose(FEATURE_TALK, request);
      if (chosen === undefined) throw new Error(`No rule plays ${request.model}.`);
      return chosen.turn;
    },
  });
  servers.push(server);
  return server;
}

/** Runs it to its end, whatever it was before: the human answers once they are asked. */
async function toTheEnd(cwd: string): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    const run = await startAgentx(cwd, ['run', '1', '--json', '--no-wait']);
    const last = eventsOf(run).at(-1);
    if (run.status === 0) return;
    if (run.status !== 3) throw new Error(`run ended with ${run.status}: ${run.stderr}`);
    const [question] = Array.isArray(last?.waitingOn) ? last.waitingOn : [];
    const { questions } = (await storeOf(cwd).questions.read(String(question))) ?? { questions: [] };
    const option = questions[0]?.options?.[0]?.id ?? 'a';
    const answer = await startAgentx(cwd, ['inbox', 'answer', String(question), '--option', option]);
    if (answer.status !== 0) throw new Error(answer.stderr);
  }
  throw new Error('it does not come to an end');
}

let expected: ReturnType<typeof featureOutcome> | undefined;

async function undisturbed() {
  expected ??= serve().then(async ({ url }) => {
    const cwd = await aFeatureOfModels(url);
    await toTheEnd(cwd);
    return featureOutcome(cwd);
  });
  return expected;
}

describe('a feature by five agents on models', () => {
  it('goes from requirements to review, with two clarifications and one question to a human', async () => {
    const server = await serve();
    const cwd = await aFeatureOfModels(server.url);
    const first = await startAgentx(cwd, ['run', '1', '--json', '--no-wait']);
    expect(first.status, first.stderr).toBe(3);
    expect(eventsOf(first).at(-1)).toMatchObject({ type: 'run-finished', status: 'paused' });
    await toTheEnd(cwd);
    const outcome = await featureOutcome(cwd);
    expect(outcome).toMatchObject({ status: 'done', questions: 1, refused: [] });
    expect(outcome.clarifications).toEqual([
      {
        from: 'engineer',
        to: 'architect',
        topic: 'Database',
        status: 'resolved',
        thread: [
          'Which version of PostgreSQL?',
          'PostgreSQL 16.\nEvidence: docs/adr/ADR-1.md',
          expect.stringContaining('Proceeding'),
        ],
      },
      {
        from: 'architect',
        to: 'product-manager',
        topic: 'Response time',
        status: 'resolved',
        thread: [
          'How fast must it answer?',
          'Within 200 ms.\nEvidence: docs/prd/PRD-1.md',
          expect.stringContaining('Proceeding'),
        ],
      },
    ]);
    expect(fileOf(cwd, 'health.js')).toBe('export const health = 2;\n');
    const told = server.requests.filter(({ model }) => model === 'engineer').at(-1);
    const results = told?.messages.flatMap((message) => message.results.map(({ text }) => text));
    expect(results).toEqual([
      expect.stringContaining('# Use PostgreSQL'),
      expect.stringContaining('counted'),
      expect.stringContaining('health.js is kept'),
      expect.stringContaining('PostgreSQL 16.'),
      expect.stringContaining('4820'),
    ]);
    expect(fileOf(cwd, 'ran')).toBe('x');
  });

  it('tells tokens, cost and time by step, and asks before it uses more than it may', async () => {
    const server = await serve();
    const prices = AGENT_MODELS.map((model) => `[prices."${model}"]\ninput = 1000\noutput = 2000\n`).join('');
    const cwd = await aFeatureOfModels(server.url, `${prices}[run]\nmax_tokens = 40\nmax_cost = 1000\n`);
    const first = await startAgentx(cwd, ['run', '1', '--no-wait']);
    expect(first.status, first.stderr).toBe(3);
    expect(first.stdout).toContain('max_tokens in config.toml allows 40');
    const count = server.requests.length;
    const again = await startAgentx(cwd, ['run', '1', '--no-wait']);
    expect(again.status).toBe(3);
    expect(server.requests).toHaveLength(count);
    const watch = await startAgentx(cwd, ['watch']);
    expect(watch.stdout).toMatch(/\d+ tokens, cost 0\.\d+/);
    // It has used 15 tokens for each call of a model: 10 read at 1000 and 5 written at 2000 a million.
    await toTheEnd(cwd);
    const last = await startAgentx(cwd, ['run', '1', '--json']);
    const { summary } = Object(eventsOf(last).at(-1));
    const { total, steps, answers } = summary.usage;
    const calls = server.requests.length;
    expect(total).toMatchObject({ calls, inputTokens: 10 * calls, outputTokens: 5 * calls, unpricedTokens: 0 });
    expect(total.cost).toBeCloseTo(calls * 0.02, 6);
    expect(answers.calls).toBe(3);
    expect(steps).toHaveLength(5);
    const digest = await startAgentx(cwd, ['digest', '--json']);
    expect(Object(digest.json()).models).toMatchObject({ calls });
  });

  it('asks before it costs more than it may, and goes on when a human allows it', async () => {
    const server = await serve();
    const prices = AGENT_MODELS.map((model) => `[prices."${model}"]\ninput = 1000\noutput = 2000\n`).join('');
    const cwd = await aFeatureOfModels(server.url, `${prices}[run]\nmax_cost = 0.05\n`);
    const first = await startAgentx(cwd, ['run', '1', '--no-wait']);
    expect(first.status, first.stderr).toBe(3);
    expect(first.stdout).toContain('max_cost in config.toml allows 0.05');
    const count = server.requests.length;
    const [question] = (await storeOf(cwd).questions.list({ status: 'open' })).items;
    const { questions } = (await storeOf(cwd).questions.read(String(question?.id))) ?? { questions: [] };
    const allow = String(questions[0]?.options?.[0]?.id);
    expect((await startAgentx(cwd, ['inbox', 'answer', String(question?.id), '--option', allow])).status).toBe(0);
    await startAgentx(cwd, ['run', '1', '--no-wait']);
    expect(server.requests.length).toBeGreaterThan(count);
  });

  it('asks a human when no server answers, and goes on once there is one', async () => {
    const dead = await serve();
    await dead.close();
    const cwd = await aFeatureOfModels(dead.url);
    const first = await startAgentx(cwd, ['run', '1', '--no-wait']);
    expect(first.status, first.stderr).toBe(3);
    expect(first.stdout).toContain(`could not be reached at ${dead.url}`);
    const { items } = await storeOf(cwd).questions.list({ status: 'open' });
    expect(items).toMatchObject([{ kind: 'agent_failed' }]);
    const { url } = await serve();
    const config = join(cwd, '.agentx/config.toml');
    writeFileSync(config, readFileSync(config, 'utf8').replaceAll(dead.url, url));
    await toTheEnd(cwd);
    expect(await featureOutcome(cwd)).toMatchObject({ status: 'done', refused: [] });
  });

  // Each agent's first and later replies, both answers, before and after the command and the human.
  it.each(somewhereUpTo(14))(
    'survives kill -9 while the model is asked for the %i. time, and repeats no tool call that was finished',
    async (moment) => {
      let victim: RunningAgentx | undefined;
      const server = await serve((_, count) => {
        if (count === moment) victim?.kill();
      });
      const cwd = await aFeatureOfModels(server.url);
      victim = spawnAgentx(cwd, ['run', '1', '--no-wait']);
      const first = await victim.ended;
      victim = undefined;
      if (first.status === 3) {
        // The moment is after the human's answer.
        const question = /oq-[0-9a-f]+/.exec(first.stdout)?.[0] ?? '';
        expect((await startAgentx(cwd, ['inbox', 'answer', question, '--option', 'a'])).status).toBe(0);
        victim = spawnAgentx(cwd, ['run', '1', '--no-wait']);
        await victim.ended;
      }
      await toTheEnd(cwd);
      expect(await featureOutcome(cwd)).toEqual(await undisturbed());
      expect(existsSync(join(cwd, 'ran')) && fileOf(cwd, 'ran')).toBe('x');
    },
  );
});
