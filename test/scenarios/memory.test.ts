import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { Observation } from '../../src/protocol/observation.js';
import { agentx, aRepository, startAgentx } from './support/agentx.js';

const repository = (config = '') => aRepository({ issues: [{ title: 'Retry limits of webhooks' }], config });

const add = (cwd: string, text: string): Observation => {
  const options = ['--issue', '1', '--agent', 'engineer', '--category', 'decision'];
  return z.parse(Observation, agentx(cwd, ['memory', 'add', ...options, '-m', text, '--json']).json());
};

const memory = (cwd: string, ...args: readonly string[]) => agentx(cwd, ['memory', ...args, '--json']).json();

const search = (cwd: string, ...args: readonly string[]) =>
  z.parse(z.looseObject({ results: z.array(z.unknown()) }), memory(cwd, 'search', ...args)).results;

describe('agentx memory', () => {
  it('keeps what one command added for the next ones [ME-3/3] [ME-2/10] [ME-12/7] [ME-12/8] [ME-13/8]', async () => {
    const cwd = await repository();
    const first = add(cwd, 'Retries stop after 5 attempts.');
    const second = add(cwd, 'The queue is Kafka.');
    expect(first).toMatchObject({ agent: 'engineer', issueNumber: 1, category: 'decision', tokens: 7 });
    expect(memory(cwd, 'search', 'retrying')).toMatchObject({
      results: [
        { id: first.id, score: expect.any(Number), snippet: 'Retries stop after 5 attempts.', matches: [[0, 7]] },
      ],
    });
    for (const filter of [
      ['--agent', 'engineer'],
      ['--issue', '1'],
      ['--category', 'decision'],
      ['--since', '2020-01-01'],
    ])
      expect(search(cwd, 'kafka', ...filter)).toHaveLength(1);
    for (const filter of [
      ['--agent', 'architect'],
      ['--issue', '2'],
      ['--category', 'error'],
      ['--since', '2999-01-01'],
    ])
      expect(search(cwd, 'kafka', ...filter)).toEqual([]);
    expect(memory(cwd, 'search', '--limit', '1')).toMatchObject({ total: 2, results: [{ id: second.id }] });
    expect(memory(cwd, 'show', first.id)).toEqual(first);
    expect(memory(cwd, 'show', first.id.slice(-6))).toEqual(first);
    expect(memory(cwd, 'timeline', second.id)).toMatchObject({
      before: [{ id: first.id }],
      observation: second,
      after: [],
    });
    expect(memory(cwd, 'stats')).toMatchObject({
      totalObservations: 2,
      issueCount: 1,
      bytes: expect.any(Number),
      metrics: { searches: { times: 10, latencyMs: expect.any(Number) } },
    });
    expect(memory(cwd, 'export')).toMatchObject({ version: 1, entries: [{ id: first.id }, { id: second.id }] });
    expect(memory(cwd, 'remove', second.id)).toEqual({ id: second.id, removed: true });
    expect(agentx(cwd, ['memory', 'show', second.id])).toMatchObject({ status: 4 });
  });

  it('merges and restores, and makes the index anew [ME-8/7] [ME-10/2] [ME-10/4]', async () => {
    const cwd = await repository();
    for (const module of ['payments', 'billing', 'search', 'login'])
      add(cwd, `The module ${module} has its own schema.`);
    expect(memory(cwd, 'compact', '1')).toEqual({ issueNumber: 1, before: 4, after: 1, moved: 4 });
    expect(existsSync(join(cwd, '.agentx/memory/archive/issue-1.json'))).toBe(true);
    expect(search(cwd, 'billing')).toHaveLength(1);
    expect(search(cwd, 'billing', '--archived')).toHaveLength(2);
    expect(memory(cwd, 'restore', '1')).toMatchObject({ before: 1, after: 4, moved: 4 });
    expect(memory(cwd, 'rebuild')).toMatchObject({ observations: 4 });
    expect(readFileSync(join(cwd, '.agentx/state/logs/agentx.log'), 'utf8')).toMatch(
      /"memory":"compacted".*"before":4/,
    );
  });

  it('compacts what was left alone for ninety days, and nothing else [ME-10/3]', async () => {
    const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const issue = (issueNumber: number, days: number) => {
      const observations = ['payments', 'billing', 'search'].map((module, number) => {
        const id = `obs-engineer-${issueNumber}-${Date.parse(day(days))}-aaaaa${number}`;
        const text = `The module ${module} has its own schema.`;
        const fields = { agent: 'engineer', issueNumber, category: 'decision', content: text, summary: text };
        return { id, ...fields, tokens: 9, timestamp: day(days), sessionId: 's' };
      });
      return JSON.stringify({ version: 1, issueNumber, updatedAt: day(days), observations });
    };
    const files = { '.agentx/memory/issue-1.json': issue(1, 91), '.agentx/memory/issue-2.json': issue(2, 89) };
    const cwd = await aRepository({ files });
    expect(memory(cwd, 'compact')).toEqual({ compacted: [{ issueNumber: 1, before: 3, after: 1, moved: 3 }] });
    const nothing = 'There is nothing to merge in issues that were left alone for 90 days.';
    expect(agentx(cwd, ['memory', 'compact']).stdout).toContain(nothing);
  });

  it('orders by meaning too where an embedder is configured, and by words where it is away', async () => {
    const queries: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += String(part);
      });
      request.on('end', () => {
        const { input } = z.parse(z.looseObject({ input: z.array(z.string()) }), JSON.parse(body));
        queries.push(...input);
        const data = input.map((text, index) => ({ index, embedding: /queue|broker/.test(text) ? [1, 0] : [0, 1] }));
        response.setHeader('connection', 'close').end(JSON.stringify({ data }));
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    const { port } = z.parse(z.looseObject({ port: z.number() }), server.address());
    const cwd = await repository(`[memory.embedder]\nbase_url = "http://127.0.0.1:${port}/v1"\nmodel = "m"\n`);
    for (const text of ['The event index counts.', 'Every event is shown.', 'The broker of each event is Kafka.'])
      add(cwd, text);
    const best = async () => {
      const { json } = await startAgentx(cwd, ['memory', 'search', 'event', 'queue', '--json']);
      return z.parse(z.looseObject({ results: z.array(z.looseObject({ summary: z.string() })) }), json()).results[0];
    };
    expect(await best()).toMatchObject({ summary: 'The broker of each event is Kafka.' });
    expect(queries).toContain('event queue');
    await new Promise((closed) => server.close(closed));
    expect(await best()).toBeDefined();
    expect(readFileSync(join(cwd, '.agentx/state/logs/agentx.log'), 'utf8')).toContain(
      'Memory searched by words alone',
    );
    const elsewhere = await aRepository({
      config: '[memory.embedder]\nbase_url = "https://example.com/v1"\nmodel = "m"\n',
    });
    expect(agentx(elsewhere, ['memory', 'search', 'x'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('must be an address of this machine'),
    });
  });

  it('writes no secret of a search into the log [ME-9/7]', async () => {
    const cwd = await repository();
    const key = `ghp_${'a1B2c3D4'.repeat(5)}`;
    search(cwd, 'who', 'uses', key, '<private>the vault</private>');
    const log = readFileSync(join(cwd, '.agentx/state/logs/agentx.log'), 'utf8');
    expect(log).toContain('who uses [redacted]');
    for (const secret of [key, 'vault']) expect(log).not.toContain(secret);
  });

  it('recalls when an agent starts, within its budget [ME-5/7] [ME-8/4] [ME-13/1] [ME-13/9]', async () => {
    const cwd = await repository();
    const { id } = add(cwd, 'Retries stop after 5 attempts.');
    const { stdout } = agentx(cwd, ['hook', 'start', 'engineer', '1']);
    expect(stdout).toMatch(/^## Memory Recall\n[\s\S]*the rest are hints[\s\S]*Retries stop after 5 attempts\./);
    expect(agentx(cwd, ['hook', 'start', 'engineer', '1', '--json']).json()).toMatchObject({
      status: 'working',
      memory: expect.stringContaining(id),
    });
    expect(memory(cwd, 'recall', '--agent', 'engineer', '--issue', '1')).toMatchObject({ observations: [{ id }] });
    expect(memory(cwd, 'show', id)).toMatchObject({ recallCount: 3 });
    writeFileSync(join(cwd, '.agentx/memory/manifest.json'), '{');
    expect(search(cwd, 'attempts')).toHaveLength(1);
    const log = readFileSync(join(cwd, '.agentx/state/logs/agentx.log'), 'utf8');
    expect(log).toMatch(/"level":"warn",.*Memory manifest rebuilt from issue files \(took \d+ms\)/);
    expect(log).toMatch(/Memory recall displaced 7 tokens of manual re-read/);
    expect(log).toMatch(/"query":"attempts","results":1,"latencyMs":\d+/);
  });

  it('recalls first what the weights of config.toml put first [ME-4/9]', async () => {
    for (const [weights, first] of [
      ['recency = 0\nkeywords = 1', 'Retries'],
      ['recency = 1\nkeywords = 0', 'Kafka'],
    ] as const) {
      const cwd = await repository(`[memory.weights]\nrecall = 0\n${weights}\n`);
      add(cwd, 'Retries stop after 5 attempts.');
      add(cwd, 'Kafka is the queue.');
      expect(memory(cwd, 'recall', '--agent', 'engineer', '--issue', '1', 'retries')).toMatchObject({
        observations: [{ summary: expect.stringContaining(first) }, {}],
      });
    }
  });

  it('says what could not be read or stored, and calls nothing empty that it could not read', async () => {
    const cwd = await repository();
    add(cwd, 'Retries stop after 5 attempts.');
    writeFileSync(join(cwd, '.agentx/memory/issue-1.json'), 'not json');
    writeFileSync(join(cwd, 'notes.txt'), 'We decided to use Kafka for the queue.\n');
    const recalled = agentx(cwd, ['memory', 'recall', '--agent', 'engineer', '--issue', '1']);
    expect(recalled.stdout).toContain('not everything could');
    expect(recalled.stderr).toContain('issue-1.json is damaged');
    const started = agentx(cwd, ['hook', 'start', 'engineer', '1']);
    expect(started).toMatchObject({ status: 0, stderr: expect.stringContaining('issue-1.json is damaged') });
    const finished = agentx(cwd, ['hook', 'finish', 'engineer', '1', '--transcript', 'notes.txt']);
    expect(finished.status).toBe(0);
    expect(finished.stderr).toMatch(/warning: Nothing was remembered of it: .*issue-1\.json is damaged/);
  });

  it('says nothing and keeps nothing when it is turned off [ME-11/1] [ME-11/3]', async () => {
    const cwd = await repository('[memory]\nenabled = false\n');
    expect(agentx(cwd, ['memory', 'add', '--agent', 'engineer', '-m', 'x'])).toMatchObject({ status: 1 });
    expect(agentx(cwd, ['hook', 'start', 'engineer', '1'])).toMatchObject({ status: 0, stdout: '' });
    expect(existsSync(join(cwd, '.agentx/memory/issue-0.json'))).toBe(false);
  });

  it.each([
    [['search', 'x', '--limit', 'ten'], "'ten' is not a valid number of results. Allowed: whole numbers from 1"],
    [['search', 'x', '--limit', '0'], 'Allowed: whole numbers from 1'],
    [['search', 'x', '--category', 'gossip'], 'Allowed: decision, code-change'],
    [['search', 'x', '--since', 'yesterday'], 'Allowed: ISO 8601'],
    [['search', 'x', '--issue', '../1'], 'Allowed: whole numbers'],
    [['show', '../../etc/passwd'], 'Allowed: obs-'],
    [['add', '--agent', 'enginer', '-m', 'x'], "Did you mean 'engineer'?"],
    [['add', '-m', 'x'], '--agent'],
    [['add', '--agent', 'engineer', '-m', '<private>x'], 'nothing to remember'],
    [['compact', 'all'], 'Allowed: whole numbers'],
  ])('refuses %j and says what is allowed', async (args, allowed) => {
    const cwd = await repository();
    const { status, stderr } = agentx(cwd, ['memory', ...args]);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(allowed) });
    expect(existsSync(join(cwd, '.agentx/memory'))).toBe(false);
  });

  it('shows no escape codes of what agents wrote', async () => {
    const cwd = await repository();
    add(cwd, 'Red \u001b[31malert\u001b[0m and \u202ereversed');
    for (const args of [
      ['search', 'alert'],
      ['recall', '--agent', 'engineer', '--issue', '1'],
    ])
      for (const code of ['\u001b', '\u202e']) expect(agentx(cwd, ['memory', ...args]).stdout).not.toContain(code);
  });
});
