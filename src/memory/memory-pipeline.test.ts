import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aMemory, type TestMemory } from '../../test/builders/memory.js';
import { anObservation } from '../../test/builders/observation.js';
import { AgentXError } from '../protocol/errors.js';
import type { Observation } from '../protocol/observation.js';
import { tokenCeiling } from '../protocol/tokens.js';
import { idsIn, MemoryInjector } from './memory-injector.js';
import { alertsFor, MemoryPipeline } from './memory-pipeline.js';
import { remember } from './remember.js';
import { snippetOf } from './snippet.js';
import { timeline } from './timeline.js';

const PARAPHRASES = join(import.meta.dirname, '../../test/fixtures/paraphrases/first.txt');

const SUMMARY = `## Decisions

- Use PostgreSQL 16 in production.

## Code changes

- Wrote src/db.ts

## Errors

- The migration failed on a missing role.

## Key facts

- The staging database is shared.
`;

const compacted = (fields = {}) => ({
  agent: 'engineer',
  issueNumber: 42,
  sessionId: 'run-42-1a2b3c4d.implement.1',
  originalTokens: 4000,
  compactedTokens: 100,
  summary: SUMMARY,
  timestamp: 1,
  ...fields,
});

let made = 0;
const one = (content: string, fields: Partial<Observation> = {}): Observation =>
  anObservation({
    id: `obs-${fields.agent ?? 'engineer'}-${fields.issueNumber ?? 42}-1772100000000-${(made++).toString(36).padStart(6, '0')}`,
    content,
    summary: content.slice(0, 80),
    tokens: Math.ceil(content.length / 4),
    tokenizer: 'o200k_base',
    ...fields,
  });

const linesOf = ({ lines }: TestMemory, level: string) => lines.filter((line) => line.level === level);

describe('capture', () => {
  it('keeps a decision once, though the summary of the session repeats and cites it', async () => {
    const ports = aMemory();
    const source = { kind: 'clarification', id: 'CLR-42-001', round: 1 } as const;
    await ports.store.observations.store([
      one('Database: Which one? PostgreSQL 16. (CLR-42-001, architect)', { source }),
    ]);
    const summary = [
      '## Decisions',
      '',
      '- Database: PostgreSQL 16. (CLR-42-001, architect)',
      '- Database: PostgreSQL 16. (CLR-42-002, as decided in CLR-42-001)',
      '- Cache: none for now. (CLR-42-003, architect)',
    ].join('\n');
    await new MemoryPipeline(ports).capture(compacted({ summary }));
    const contents = (await ports.store.observations.getByIssue(42)).map(({ content }) => content);
    expect(contents).toHaveLength(2);
    expect(contents[1]).toBe('Cache: none for now. (CLR-42-003, architect)');
    expect(linesOf(ports, 'info')[0]).toMatchObject({ fields: { count: 1, merged: 2 } });
  });

  it('stores what a compacted session holds, until it is ended [ME-3/1] [ME-3/2] [ME-2/6] [ME-13/6]', async () => {
    const ports = aMemory();
    const pipeline = new MemoryPipeline(ports);
    const end = pipeline.startCapture();
    ports.bus.emit('context-compacted', compacted());
    await pipeline.idle();
    const stored = await ports.store.observations.getByIssue(42);
    expect(stored.map(({ category, content }) => [category, content])).toEqual([
      ['decision', 'Use PostgreSQL 16 in production.'],
      ['code-change', 'Wrote src/db.ts'],
      ['error', 'The migration failed on a missing role.'],
      ['key-fact', 'The staging database is shared.'],
    ]);
    for (const observation of stored)
      expect(observation).toMatchObject({
        agent: 'engineer',
        issueNumber: 42,
        sessionId: 'run-42-1a2b3c4d.implement.1',
        sourceTokens: 1000,
      });
    expect(linesOf(ports, 'info')[0]).toMatchObject({
      message: 'memory captured',
      fields: { count: 4, latencyMs: expect.any(Number) },
    });
    end();
    ports.bus.emit('context-compacted', compacted({ issueNumber: 7 }));
    pipeline.startCapture();
    pipeline.dispose();
    ports.bus.emit('context-compacted', compacted({ issueNumber: 7 }));
    await pipeline.idle();
    expect(await ports.store.observations.getByIssue(7)).toEqual([]);
  });

  it('tells that observations were stored [ME-7/1] [ME-7/3]', async () => {
    const ports = aMemory();
    await new MemoryPipeline(ports).capture(compacted());
    const stored = await ports.store.observations.getByIssue(42);
    expect(ports.events().filter(({ name }) => name === 'memory-stored')).toMatchObject([
      {
        payload: {
          agent: 'engineer',
          issueNumber: 42,
          count: 4,
          totalTokens: stored.reduce((sum, { tokens }) => sum + tokens, 0),
          observationIds: stored.map(({ id }) => id),
          timestamp: expect.any(Number),
        },
      },
    ]);
  });

  it('stores nothing that a summary marks as private over several of its lines [ME-9/2]', async () => {
    const ports = aMemory();
    const summary =
      '## Decisions\n\n- Use Kafka. <private>\n- Salaries are 7000 a month.\n</private>\n- Retries stop after 5.\n';
    await new MemoryPipeline(ports).capture(compacted({ summary }));
    const stored = await ports.store.observations.getByIssue(42);
    expect(stored.map(({ content }) => content)).toEqual(['Use Kafka.', 'Retries stop after 5.']);
  });

  it('reads a summary in any form, and says where it comes from [ME-2/1]', async () => {
    const ports = aMemory();
    const summary =
      'We decided to use Redis 7 for sessions. The build failed because `libpq` was missing on the runner.';
    await new MemoryPipeline(ports).capture(compacted({ summary }));
    expect(await ports.store.observations.getByIssue(42)).toMatchObject([
      { category: 'decision', source: { kind: 'session', id: 'run-42-1a2b3c4d.implement.1' } },
      { category: 'error' },
    ]);
  });

  it('takes a transcript twice for one session, and counts what another session says again', async () => {
    const ports = aMemory();
    const pipeline = new MemoryPipeline(ports);
    const text = 'User: how do we store sessions?\nAssistant: We decided to store sessions in Redis 7.\n';
    const session = { agent: 'engineer', issueNumber: 42, sessionId: 's-1', text };
    await pipeline.captureTranscript(session);
    const again = await pipeline.captureTranscript({
      ...session,
      text: `${text}Assistant: Redis runs on port 6390.\n`,
    });
    expect(again).toMatchObject({
      added: 1,
      merged: 1,
      observations: [{ category: 'decision' }, { category: 'key-fact' }],
    });
    const [first] = await ports.store.observations.getByIssue(42);
    expect(first).toMatchObject({ sessionId: 's-1', source: { kind: 'transcript', id: 's-1' } });
    expect(first).not.toHaveProperty('count');
    await pipeline.captureTranscript({ ...session, sessionId: 's-2' });
    expect(await ports.store.observations.getByIssue(42)).toMatchObject([{ count: 2 }, {}]);
  });

  it('hides what a user marks as private up to the closing mark, also over messages [ME-9/2] [ME-9/8]', async () => {
    const ports = aMemory();
    const line = (role: string, content: string) => JSON.stringify({ role, content });
    const text = [
      line('user', 'Use Redis 7 for sessions. <private>The root key is under the third mat'),
      line('assistant', 'The text has no </private> yet. We decided to keep the third mat in `keys.md`.'),
      line('user', 'and the alarm is always 4711</private> Never log request bodies.'),
      line('assistant', 'We decided to mask `<private>` marks in logs.'),
      line('assistant', 'We decided to rotate logs every 7 days.'),
    ].join('\n');
    await new MemoryPipeline(ports).captureTranscript({ agent: 'engineer', issueNumber: 42, sessionId: 's', text });
    const all = JSON.stringify([await ports.store.observations.getByIssue(42), ports.lines]);
    for (const hidden of ['mat', 'keys.md', '4711', 'alarm']) expect(all).not.toContain(hidden);
    for (const words of ['Redis 7', 'Never log', 'rotate logs']) expect(all).toContain(words);
  });

  it('says as information that there was nothing to store [ME-13/5]', async () => {
    const ports = aMemory();
    await new MemoryPipeline(ports).capture(compacted({ summary: '## Decisions\n' }));
    expect(linesOf(ports, 'info').map(({ message }) => message)).toEqual([
      'No observations extracted from session (empty summary)',
    ]);
    expect(linesOf(ports, 'warn')).toEqual([]);
  });

  it('is skipped with a warning that names the file when its lock cannot be had [ME-3/6] [ME-13/2] [ME-8/5]', async () => {
    const ports = aMemory();
    const details = { file: '/x/memory/issue-42.json', attempts: 5, pid: 4711 };
    const update = async () => {
      throw new AgentXError('LOCK_TIMEOUT', 'held by another', details);
    };
    const locked = { ...ports, store: { observations: { ...ports.store.observations, update } } };
    const { skipped } = await new MemoryPipeline(locked).capture(compacted());
    expect(skipped).toBe('lock timeout on /x/memory/issue-42.json');
    const [line] = linesOf(ports, 'warn');
    expect(line?.message).toBe(`Memory capture skipped: ${skipped}`);
    expect(line?.fields).toMatchObject({ attempts: 5, holderPid: 4711 });
    // The log has the pid of the process that writes the line.
    expect(line?.fields).not.toHaveProperty('pid');
  });

  it('stores nothing while the memory is turned off [ME-11/3]', async () => {
    const ports = aMemory({ enabled: false });
    const pipeline = new MemoryPipeline(ports);
    await pipeline.capture(compacted());
    await ports.store.observations.store([one('Use Redis.')]);
    expect(await pipeline.injectMemory('engineer', 42)).toBe('');
    expect(await pipeline.searchMemory('redis')).toEqual([]);
    expect(await ports.store.observations.getByIssue(42)).toHaveLength(1);
  });

  it('warns of a store that grows too large [ME-13/3] [ME-13/4]', () => {
    expect(alertsFor({ totalObservations: 40_000, bytes: 40 * 1024 * 1024 })).toEqual([]);
    const [size, count] = alertsFor({ totalObservations: 40_001, bytes: 40 * 1024 * 1024 + 1 });
    expect(size).toMatch(/exceeds 40MB.*compact/);
    expect(count).toBe('Memory store has 40001 observations. Consider compaction.');
  });

  it('warns of its size once for all sessions of a run [ME-13/4]', async () => {
    const ports = aMemory();
    const { observations } = ports.store;
    const getStats = async () => ({ ...(await observations.getStats()), totalObservations: 40_001 });
    const pipeline = new MemoryPipeline({ ...ports, store: { observations: { ...observations, getStats } } });
    await pipeline.capture(compacted());
    await pipeline.capture(compacted({ sessionId: 'run-42-1a2b3c4d.review.1', summary: '- Use Kafka for events.' }));
    expect(ports.lines.filter(({ message }) => message.includes('Consider compaction'))).toHaveLength(1);
  });
});

describe('remembering', () => {
  const request = (...contents: readonly string[]) => ({
    agent: 'pm',
    issueNumber: 42,
    drafts: contents.map((content) => ({ category: 'decision' as const, content })),
  });

  it('gives each an id of its own, also in the same millisecond [ME-1/18] [ME-1/19]', async () => {
    const { observations } = await remember(aMemory(), request('Use Redis.', 'Use Kafka.'));
    const at = observations.map(({ id }) => id);
    for (const id of at) expect(id).toMatch(/^obs-product-manager-42-\d+-[a-z0-9]{6}$/);
    expect(new Set(at).size).toBe(2);
  });

  it('counts what is stored, without secrets [ME-2/11] [ME-9/7]', async () => {
    const ports = aMemory();
    const { observations } = await remember(
      ports,
      request(`Key ghp_abcdefghijklmnopqrstuvwxyz0123456789 ${'y'.repeat(3000)}`),
    );
    const [stored] = await ports.store.observations.getByIssue(42);
    expect(stored).toEqual(observations[0]);
    expect(JSON.stringify([stored, ports.lines, ports.events()])).not.toContain('ghp_');
    expect(stored?.content).toHaveLength(2000);
    expect(stored).toMatchObject({ tokens: 500, tokenizer: 'o200k_base' });
  });

  it('keeps the text with the reason, even if it is the shorter one', async () => {
    const ports = aMemory();
    const long = 'It was decided by the team that the orders service is going to use PostgreSQL and not MongoDB.';
    const short = 'Orders service: Postgres, not MongoDB, because of transactions.';
    for (const way of [long, short, long]) await remember(ports, request(way));
    expect(await ports.store.observations.getByIssue(42)).toMatchObject([{ content: short, count: 3 }]);
  });

  it('merges nothing into what compaction made of several: restoring them would take it away', async () => {
    const ports = aMemory();
    await remember(ports, request('Retries stop after 5 attempts', 'Uploads stop after 9 attempts'));
    await ports.store.observations.compact(42);
    const [merged] = await ports.store.observations.getByIssue(42);
    const said = merged?.content ?? '';
    expect(await remember(ports, request(said))).toMatchObject({ added: 1, merged: 0 });
    await ports.store.observations.restore(42);
    expect((await ports.store.observations.getByIssue(42)).map(({ content }) => content)).toContain(said);
  });

  it('makes one of forty paraphrases, with a count [ME-10/7]', async () => {
    const ports = aMemory();
    const [forty = ''] = readFileSync(PARAPHRASES, 'utf8').split('# webhook-timeout\n').slice(1);
    const ways = forty.split('\n').flatMap((line) => (line.startsWith('+ ') ? [line.slice(2)] : []));
    for (const way of ways.slice(0, 40)) await remember(ports, request(way));
    const stored = await ports.store.observations.getByIssue(42);
    expect(stored).toMatchObject([{ count: 40 }]);
  });

  it('keeps no more than fifty of a batch, and nothing of private text [ME-2/7] [ME-9/3]', async () => {
    const ports = aMemory();
    await remember(ports, request(...Array.from({ length: 60 }, (_, number) => `Fact number ${number}`)));
    expect(await ports.store.observations.getByIssue(42)).toHaveLength(50);
    expect(await remember(ports, request('<private>all of it', '   '))).toEqual({
      observations: [],
      added: 0,
      merged: 0,
    });
  });
});

describe('recall', () => {
  it('gives a section of what is relevant, and tells of it [ME-5/1] [ME-7/2] [ME-13/7] [ME-14/1]', async () => {
    const ports = aMemory();
    const [mine, elsewhere, other] = [
      one('Retries stop after 5 attempts.', { sourceTokens: 900 }),
      one('Webhook retries use exponential backoff.', { issueNumber: 7 }),
      one('The header is blue.', { issueNumber: 8 }),
    ];
    await ports.store.observations.store([mine, elsewhere, other]);
    const section = await new MemoryPipeline(ports).injectMemory('engineer', 42, 'limit webhook retries');
    expect(section).toMatch(/^## Memory Recall\n/);
    expect(idsIn(section).toSorted()).toEqual([mine.id, elsewhere.id].toSorted());
    expect(section).not.toContain('blue');
    expect(ports.events().filter(({ name }) => name === 'memory-recalled')).toMatchObject([
      { payload: { agent: 'engineer', issueNumber: 42, count: 2, observationIds: idsIn(section) } },
    ]);
    expect(linesOf(ports, 'info')).toMatchObject([
      {
        message: `Memory recall displaced ${900 + elsewhere.tokens} tokens of manual re-read`,
        fields: { count: 2, tokens: expect.any(Number), latencyMs: expect.any(Number) },
      },
    ]);
  });

  it('of nothing is empty and displaces nothing [ME-5/6] [ME-14/2]', async () => {
    const ports = aMemory();
    expect(await new MemoryPipeline(ports).injectMemory('engineer', 42, 'anything')).toBe('');
    expect(ports.lines.map(({ message }) => message)).toEqual(['Memory recall displaced 0 tokens of manual re-read']);
    expect(ports.events()).toEqual([]);
  });

  it('stays within the budget, best first, whatever the texts [ME-5/2] [ME-5/3]', async () => {
    const ports = aMemory();
    const texts = Array.from({ length: 60 }, (_, number) => `Fact ${number}: ${'word '.repeat(number * 3)}`);
    await ports.store.observations.store(
      texts.map((text, day) => one(text, { timestamp: new Date(1772100000000 - day * 1e9).toISOString() })),
    );
    for (const maxTokens of [1, 50, 120, 500, 5000]) {
      const { section, tokens, observations } = await new MemoryPipeline(ports).recall({
        agent: 'engineer',
        issueNumber: 42,
        maxTokens,
      });
      expect(tokens).toBeLessThanOrEqual(maxTokens);
      expect(Math.ceil(section.length / 4)).toBeLessThanOrEqual(maxTokens);
      if (maxTokens >= 500) expect(observations[0]?.content).toContain('Fact 0');
      expect(observations.length).toBeLessThanOrEqual(50);
    }
    expect(await new MemoryPipeline(aMemory({ maxTokens: 0 }, ports.store)).injectMemory('engineer', 42)).toBe('');
  });

  it('captures with a budget of nothing [ME-11/4]', async () => {
    const ports = aMemory({ maxTokens: 0 });
    await new MemoryPipeline(ports).capture(compacted());
    expect(await ports.store.observations.getByIssue(42)).toHaveLength(4);
  });

  it('counts what it used [ME-5/9]', async () => {
    const ports = aMemory();
    const observation = one('Use Redis.');
    await ports.store.observations.store([observation]);
    const pipeline = new MemoryPipeline(ports);
    await pipeline.injectMemory('engineer', 42);
    await pipeline.injectMemory('engineer', 42);
    expect(await pipeline.getObservation(observation.id)).toMatchObject({ recallCount: 2 });
  });

  it('says nothing twice: not what the session has, and not in other words [ME-5/10]', async () => {
    const ports = aMemory();
    const [old, first, again] = [
      one('Use Kafka.'),
      one('We use PostgreSQL 16 in production.'),
      one('Production uses Postgres 16', { issueNumber: 7 }),
    ];
    await ports.store.observations.store([old, first, again]);
    const { observations } = await new MemoryPipeline(ports).recall({
      agent: 'engineer',
      issueNumber: 42,
      query: 'postgres in production',
      known: new Set([old.id]),
    });
    expect(observations.map(({ id }) => id)).toEqual([first.id]);
  });

  it('goes on without a count when a lock cannot be had [ME-5/8]', async () => {
    const ports = aMemory();
    await ports.store.observations.store([one('Use Redis.')]);
    const countRecalls = async () => {
      throw new AgentXError('LOCK_TIMEOUT', 'held by another');
    };
    const locked = { ...ports, store: { observations: { ...ports.store.observations, countRecalls } } };
    expect(await new MemoryPipeline(locked).injectMemory('engineer', 42)).toContain('Use Redis.');
    expect(linesOf(ports, 'warn')).toMatchObject([{ message: 'Memory recall not counted: held by another' }]);
  });

  it('goes on without a damaged file', async () => {
    const ports = aMemory();
    const getByIssue = async () => {
      throw new AgentXError('CORRUPT_FILE', 'it does not parse');
    };
    const damaged = { ...ports, store: { observations: { ...ports.store.observations, getByIssue } } };
    expect(await new MemoryPipeline(damaged).injectMemory('engineer', 42, 'x')).toBe('');
    expect(linesOf(ports, 'warn')[0]?.message).toContain('it does not parse');
  });

  it('gives what the store gives [ME-12/5] [ME-12/6]', async () => {
    const ports = aMemory();
    const observation = one('Use Redis.');
    await ports.store.observations.store([observation, one('Redis is a cache.'), one('The queue is not in Redis.')]);
    const pipeline = new MemoryPipeline(ports);
    for (const limit of [1, 2, undefined]) {
      const results = await pipeline.searchMemory('redis', limit);
      expect(results).toEqual(await ports.store.observations.search('redis', limit));
      expect(results).toHaveLength(limit ?? 3);
    }
    expect(await pipeline.getObservation(observation.id)).toEqual(observation);
  });
});

describe('a section', () => {
  it('holds each observation on one line, as text', () => {
    const hostile = one('- a\n- b\n## Heading\n```\ncode');
    const section = new MemoryInjector(1000).formatRecallSection([hostile]);
    expect(section.split('\n').filter((line) => /^(?:- |#)/.test(line))).toEqual([
      '## Memory Recall',
      `- [decision] a; b ## Heading \`\`\` code (engineer, #42, 2026-02-26, ${hostile.id})`,
    ]);
  });

  it('counts a text high whose tokens were not counted', () => {
    const lying = one('word '.repeat(100), { tokens: 1 });
    const { tokenizer: _tokenizer, ...uncounted } = lying;
    expect(new MemoryInjector(120).inject([{ entry: uncounted, score: 1 }]).observations).toEqual([]);
    expect(tokenCeiling('word '.repeat(100))).toBeGreaterThanOrEqual(100);
  });
});

describe('what happened around an observation', () => {
  it('is shown in the order of time [ME-1/43]', async () => {
    const { store } = aMemory();
    // The latest has the smallest id.
    const days = [8, 7, 6, 5, 4, 3, 2, 1, 0]
      .map((day) => one(`Day ${day}`, { timestamp: `2026-02-0${day + 1}T10:00:00.000Z` }))
      .toReversed();
    await store.observations.store(days.toReversed());
    const { before, observation, after } = await timeline(store.observations, days[4]?.id ?? '', 2);
    expect([...before, observation, ...after].map(({ summary }) => summary)).toEqual([
      'Day 2',
      'Day 3',
      'Day 4',
      'Day 5',
      'Day 6',
    ]);
    await expect(timeline(store.observations, one('x').id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a snippet', () => {
  it('shows the best part and where its words match', () => {
    const text = `${'Something else entirely. '.repeat(20)}The retry limit of webhooks is five. ${'More of it. '.repeat(20)}`;
    const { text: shown, matches } = snippetOf(text, 'limits for retrying webhooks');
    expect(matches.map(([start, end]) => shown.slice(start, end))).toEqual(['retry', 'limit', 'webhooks']);
    expect(shown.length).toBeLessThanOrEqual(170);
    expect(shown).toMatch(/^\.\.\..*\.\.\.$/);
    const german = 'Die Gerätekennung bleibt.';
    expect(snippetOf(german, 'Was wird aus den Kennungen?').matches).toEqual([[4, 17]]);
    expect(snippetOf('short', 'nothing')).toEqual({ text: 'short', matches: [] });
  });

  it('of a text without spaces shows the match, and cuts no character in half', () => {
    const dense = `${'数据库。'.repeat(60)}迁移很慢。${'服务器。'.repeat(60)} 完`;
    const { text, matches } = snippetOf(dense, '迁移');
    expect(matches.map(([start, end]) => text.slice(start, end))).toEqual(['迁移很慢']);
    for (let before = 0; before < 4; before++) {
      const shown = snippetOf(`${'x'.repeat(before)}${'\u{1F600}'.repeat(200)}`, 'nothing').text;
      expect(Buffer.from(shown).toString()).toBe(shown);
    }
  });
});
