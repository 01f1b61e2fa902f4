import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/ports/store.js';
import type { Observation } from '../../src/protocol/observation.js';
import { anObservation } from '../builders/observation.js';

let made = 0;

/** One with an id of its own; a content that is given is the summary too. */
function one(fields: Partial<Observation> = {}): Observation {
  const { agent = 'engineer', issueNumber = 42, content = 'Chose the repository pattern.' } = fields;
  const suffix = (made++).toString(36).padStart(6, '0');
  return anObservation({
    id: `obs-${agent}-${issueNumber}-1772100000000-${suffix}`,
    summary: content,
    ...fields,
    agent,
    issueNumber,
    content,
  });
}

/** Moments of a process in even rounds, of its disk in odd ones. */
async function moments(round: number): Promise<void> {
  const wait = round % 2 === 0 ? () => Promise.resolve() : () => pause(1);
  for (let count = 0; count < round / 2; count++) await wait();
}

/** What every store of observations promises. `open` returns a new, empty one. */
export function observationContract(name: string, open: () => Promise<Store>): void {
  const opened = async () => (await open()).observations;

  describe(`${name}: observations`, () => {
    it('answers every question about nothing with nothing [ME-1/29]', async () => {
      const memory = await opened();
      expect(await memory.getByIssue(42)).toEqual([]);
      expect(await memory.getById(one().id)).toBeNull();
      expect(await memory.search('anything')).toEqual([]);
      expect(await memory.listByAgent('engineer')).toEqual([]);
      expect(await memory.listByCategory('decision')).toEqual([]);
      expect(await memory.remove(one().id)).toBe(false);
      expect(await memory.searchByFilters({ agent: 'engineer' })).toEqual([]);
      expect(await memory.compact(42)).toEqual({ issueNumber: 42, before: 0, after: 0, moved: 0 });
      expect(await memory.restore(42)).toEqual({ issueNumber: 42, before: 0, after: 0, moved: 0 });
      expect(await memory.getStats()).toMatchObject({
        totalObservations: 0,
        totalTokens: 0,
        issueCount: 0,
        oldestTimestamp: '',
        newestTimestamp: '',
        byCategory: {},
        byAgent: {},
      });
    });

    it('gives back what was stored, by issue and by id [ME-1/1] [ME-1/2] [ME-1/3]', async () => {
      const memory = await opened();
      const batch = [one(), one({ category: 'error' }), one({ issueNumber: 7 })];
      await memory.store(batch);
      expect(await memory.getByIssue(42)).toEqual(batch.slice(0, 2));
      expect(await memory.getByIssue(7)).toEqual(batch.slice(2));
      expect(await memory.getById(batch[1]?.id ?? '')).toEqual(batch[1]);
      expect(await memory.search('repository pattern')).toHaveLength(3);
    });

    it('stores the same twice as one, and refuses another under its id', async () => {
      const memory = await opened();
      const first = one();
      await memory.store([first]);
      await memory.store([first]);
      expect(await memory.getByIssue(42)).toEqual([first]);
      const other = { ...first, content: 'Something else.' };
      await expect(memory.store([other])).rejects.toMatchObject({ code: 'CONFLICT' });
      expect(await memory.getByIssue(42)).toEqual([first]);
    });

    it.each([
      ['a malformed id', { id: 'obs-1' }, 'INVALID_INPUT'],
      ['an id of another issue', { id: 'obs-engineer-7-1772100000000-a1b2c3' }, 'INVALID_INPUT'],
      ['an unknown category', { category: 'gossip' as never }, 'INVALID_INPUT'],
      ['a path as its issue', { issueNumber: '../../etc' as never }, 'INVALID_INPUT'],
    ])('refuses %s [ME-9/5] [ME-9/6]', async (_what, wrong, code) => {
      const memory = await opened();
      await expect(memory.store([{ ...one(), ...wrong }])).rejects.toMatchObject({ code });
      await expect((async () => memory.getById('../../etc/passwd'))()).rejects.toMatchObject({ code });
      expect(await memory.getByIssue(42)).toEqual([]);
      expect((await memory.list()).items).toEqual([]);
    });

    it('finds the best match first, within the limit [ME-1/4] [ME-1/22] [ME-1/23]', async () => {
      const memory = await opened();
      const both = one({ content: 'Payments use optimistic locking on the ledger table.' });
      const half = one({ content: 'The ledger table is partitioned by month.', sessionId: 'other' });
      const none = one({ content: 'The header is blue now.', sessionId: 'third' });
      await memory.store([none, half, both]);
      expect((await memory.search('locking of the ledger')).map(({ id }) => id)).toEqual([both.id, half.id]);
      expect((await memory.search('locking of the ledger', 1)).map(({ id }) => id)).toEqual([both.id]);
      expect(await memory.search('kubernetes')).toEqual([]);
    });

    it('gives twenty without a limit [ME-1/24]', async () => {
      const memory = await opened();
      await memory.store(Array.from({ length: 30 }, (_, number) => one({ content: `Retry number ${number}` })));
      expect(await memory.search('retry')).toHaveLength(20);
      expect(await memory.search('retry', 25)).toHaveLength(25);
      expect(await memory.find({ query: 'retry' })).toMatchObject({ total: 30 });
    });

    it('lists by agent and by category, newest first [ME-1/5] [ME-1/6]', async () => {
      const memory = await opened();
      const early = one({ agent: 'architect', timestamp: '2026-01-01T10:00:00.000Z' });
      const late = one({ agent: 'architect', timestamp: '2026-03-01T10:00:00.000Z', category: 'error' });
      await memory.store([early, late, one()]);
      expect((await memory.listByAgent('architect')).map(({ id }) => id)).toEqual([late.id, early.id]);
      expect((await memory.listByCategory('error')).map(({ id }) => id)).toEqual([late.id]);
      await expect((async () => memory.listByCategory('gossip'))()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    });

    it('narrows by agent, issue, category and dates [ME-1/9]', async () => {
      const memory = await opened();
      const match = one({ agent: 'architect', category: 'error', timestamp: '2026-02-10T10:00:00.000Z' });
      await memory.store([
        match,
        one({ agent: 'tester', category: 'error', timestamp: '2026-02-10T10:00:00.000Z' }),
        one({ agent: 'architect', category: 'decision', timestamp: '2026-02-10T10:00:00.000Z' }),
        one({ agent: 'architect', category: 'error', timestamp: '2026-03-10T10:00:00.000Z' }),
        one({ agent: 'architect', category: 'error', issueNumber: 7, timestamp: '2026-02-10T10:00:00.000Z' }),
      ]);
      const filters = {
        agent: 'architect',
        issueNumber: 42,
        category: 'error',
        since: '2026-02-01',
        until: '2026-03-01',
      };
      expect((await memory.searchByFilters(filters)).map(({ id }) => id)).toEqual([match.id]);
      expect((await memory.searchByFilters({ ...filters, query: 'repository' })).map(({ id }) => id)).toEqual([
        match.id,
      ]);
      expect(await memory.searchByFilters({ ...filters, query: 'absent' })).toEqual([]);
      await expect((async () => memory.searchByFilters({ since: 'yesterday' }))()).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
    });

    it('finds what can answer a question among any number of hints', async () => {
      const memory = await opened();
      const decided = [
        one({ source: { kind: 'clarification', id: 'CLR-42-001', round: 1 } }),
        one({ source: { kind: 'question', id: 'Q-1', part: 'q1' } }),
      ];
      const hints = Array.from({ length: 25 }, () => one());
      await memory.store([...hints, ...decided, one({ source: { kind: 'note', id: 'n-1' } })]);
      const results = await memory.find({ query: 'repository pattern', isDecided: true, limit: 5 });
      expect(results.total).toBe(2);
      expect(new Set(results.items.map(({ id }) => id))).toEqual(new Set(decided.map(({ id }) => id)));
    });

    it('lists in pages that neither repeat nor skip', async () => {
      const memory = await opened();
      const all = Array.from({ length: 7 }, (_, day) => one({ timestamp: `2026-02-0${day + 1}T10:00:00.000Z` }));
      await memory.store(all);
      const ids: string[] = [];
      for (let after: string | undefined, page = await memory.list({ limit: 3 }); ; ) {
        ids.push(...page.items.map(({ id }) => id));
        after = page.next;
        if (after === undefined) break;
        page = await memory.list({ limit: 3, after });
      }
      expect(ids).toEqual(all.map(({ id }) => id).toReversed());
    });

    it('gives some of an issue', async () => {
      const memory = await opened();
      const [first, second, third] = [one(), one(), one()];
      await memory.store([first, second, third]);
      const ids = new Set([third.id, first.id, one().id]);
      expect(await memory.getByIssue(42, ids)).toEqual([first, third]);
      expect(await memory.getByIssue(7, ids)).toEqual([]);
      expect(await memory.getByIssue(42, new Set())).toEqual([]);
    });

    it('removes one from everywhere, once [ME-1/7]', async () => {
      const memory = await opened();
      const [gone, stays] = [one({ content: 'Use Redis.' }), one({ content: 'Use Postgres.' })];
      await memory.store([gone, stays]);
      expect(await memory.remove(gone.id)).toBe(true);
      expect(await memory.remove(gone.id)).toBe(false);
      expect(await memory.getByIssue(42)).toEqual([stays]);
      expect(await memory.search('redis')).toEqual([]);
      expect(await memory.getById(gone.id)).toBeNull();
    });

    it('forgets what was merged, too [ME-1/7]', async () => {
      const memory = await opened();
      const [gone, stays, other] = ['Redis', 'Postgres', 'Kafka'].map((name) => one({ content: `Use ${name}.` }));
      if (gone === undefined || stays === undefined || other === undefined) throw new Error('three are needed');
      await memory.store([gone, stays, other]);
      await memory.compact(42);
      expect(await memory.remove(gone.id)).toBe(true);
      expect(await memory.remove(gone.id)).toBe(false);
      expect(await memory.find({ query: 'redis', archived: true })).toMatchObject({ items: [] });
      const [merged, ...others] = await memory.getByIssue(42);
      expect([merged?.mergedFrom, others]).toEqual([[stays.id, other.id], []]);
      expect(await memory.restore(42)).toMatchObject({ after: 2, moved: 2 });
      expect(await memory.getByIssue(42)).toEqual([stays, other]);
      await memory.compact(42);
      const [all] = await memory.getByIssue(42);
      expect(await memory.remove(all?.id ?? '')).toBe(true);
      expect(await memory.find({ archived: true })).toMatchObject({ items: [], total: 0 });
    });

    it.each(['compact', 'restore'] as const)(
      'brings nothing back that is removed while they %s [ME-1/7]',
      async (work) => {
        const memory = await opened();
        for (let round = 0; round < 24; round++) {
          const issueNumber = 100 + round;
          const [gone, ...others] = ['Redis', 'Postgres', 'Kafka'].map((name) =>
            one({ issueNumber, content: `Use ${name}.` }),
          );
          if (gone === undefined) throw new Error('one is needed');
          await memory.store([gone, ...others]);
          if (work === 'restore') await memory.compact(issueNumber);
          const [, isRemoved] = await Promise.all([
            memory[work](issueNumber),
            moments(round).then(() => memory.remove(gone.id)),
          ]);
          expect(isRemoved).toBe(true);
          expect(await memory.getById(gone.id)).toBeNull();
          const left = await memory.list({ issueNumber, archived: true });
          expect(left.items.map(({ id }) => id)).not.toContain(gone.id);
          await memory.restore(issueNumber);
          expect((await memory.getByIssue(issueNumber)).map(({ id }) => id).sort()).toEqual(
            others.map(({ id }) => id).sort(),
          );
        }
      },
    );

    it('counts recalls [ME-1/10]', async () => {
      const memory = await opened();
      const observation = one();
      await memory.store([observation]);
      await Promise.all([memory.incrementRecallCount(observation.id), memory.incrementRecallCount(observation.id)]);
      expect(await memory.getById(observation.id)).toEqual({ ...observation, recallCount: 2 });
      expect((await memory.search('repository'))[0]).toMatchObject({ recallCount: 2 });
      await expect(memory.incrementRecallCount(one().id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    it('counts at least what it returns, where only the neighbour of a match is wanted', async () => {
      const memory = await opened();
      const session = { sessionId: 'one' };
      const match = one({ ...session, content: 'Billing webhooks are throttled by the gateway' });
      const beside = one({ ...session, content: 'It is thirty per minute', category: 'error' });
      await memory.store([match, beside]);
      const results = await memory.find({ query: 'why are billing webhooks throttled', category: 'error' });
      expect(results).toMatchObject({ items: [{ id: beside.id }], total: 1 });
    });

    it('leaves none out between pages, and gives none twice, of those that one session remembered at once', async () => {
      const memory = await opened();
      const batch = Array.from({ length: 20 }, (_, place) => one({ content: `Fact ${place}` }));
      await memory.store(batch.toSorted((left, right) => left.content.localeCompare(right.content)));
      const ids: string[] = [];
      for (let page = await memory.list({ limit: 3 }); ; page = await memory.list({ limit: 3, after: page.next })) {
        ids.push(...page.items.map(({ id }) => id));
        if (page.next === undefined) break;
      }
      expect(ids).toEqual(batch.map(({ id }) => id));
    });

    it('counts many recalls at once, on top of those that an observation came with', async () => {
      const memory = await opened();
      const [old, fresh, other] = [one({ recallCount: 3 }), one(), one({ issueNumber: 7 })];
      await memory.store([old, fresh, other]);
      await Promise.all([memory.countRecalls([old.id, other.id]), memory.countRecalls([old.id])]);
      await memory.countRecalls([]);
      const counted = [{ ...old, recallCount: 5 }, fresh];
      expect(await memory.getByIssue(42)).toEqual(counted);
      expect(await memory.getById(other.id)).toEqual({ ...other, recallCount: 1 });
      const listed = Object.fromEntries((await memory.list()).items.map(({ id, recallCount }) => [id, recallCount]));
      expect(listed).toEqual({ [old.id]: 5, [fresh.id]: undefined, [other.id]: 1 });
      // What is written back counts nothing twice.
      await memory.update(42, (file) => ({
        next: { ...file, observations: [...file.observations] },
        result: undefined,
      }));
      expect(await memory.getByIssue(42)).toEqual(counted);
    });

    it('keeps the recalls of what it merges and brings back', async () => {
      const memory = await opened();
      const decisions = Array.from({ length: 8 }, (_, day) =>
        one({ content: `Decision ${day} about paging`, timestamp: `2025-02-0${day + 1}T10:00:00.000Z` }),
      );
      await memory.store(decisions);
      const [first] = decisions;
      for (const _time of [1, 2]) await memory.countRecalls([first?.id ?? '']);
      await memory.compact(42);
      expect(await memory.getByIssue(42)).toMatchObject([{ recallCount: 2 }]);
      expect(await memory.getById(first?.id ?? '')).toMatchObject({ archived: true, recallCount: 2 });
      await memory.restore(42);
      expect(await memory.getByIssue(42)).toEqual([{ ...first, recallCount: 2 }, ...decisions.slice(1)]);
    });

    it('orders equals by their recalls', async () => {
      const memory = await opened();
      const [older, newer] = [
        one({ content: 'Use Redis', sessionId: 'a' }),
        one({ content: 'Use Redis', sessionId: 'b' }),
      ];
      await memory.store([older, newer]);
      for (const [id, times] of [
        [older.id, 3],
        [newer.id, 6],
      ] as const) {
        for (let time = 0; time < times; time++) await memory.countRecalls([id]);
        expect((await memory.search('redis'))[0]?.id).toBe(id);
      }
    });

    it('counts what there is [ME-1/8]', async () => {
      const memory = await opened();
      await memory.store([
        one({ tokens: 10, timestamp: '2026-01-01T10:00:00.000Z' }),
        one({ tokens: 5, category: 'error', agent: 'architect', timestamp: '2026-02-01T10:00:00.000Z' }),
        one({ tokens: 1, issueNumber: 7, timestamp: '2026-01-15T10:00:00.000Z' }),
      ]);
      const stats = await memory.getStats();
      expect(stats).toMatchObject({
        totalObservations: 3,
        totalTokens: 16,
        issueCount: 2,
        oldestTimestamp: '2026-01-01T10:00:00.000Z',
        newestTimestamp: '2026-02-01T10:00:00.000Z',
        byCategory: { decision: 2, error: 1 },
        byAgent: { engineer: 2, architect: 1 },
        archived: 0,
      });
      expect(stats.bytes).toBeGreaterThan(0);
    });

    it('merges the observations of an issue and brings them back [ME-1/11] [ME-10/1] [ME-10/5] [ME-10/6]', async () => {
      const memory = await opened();
      const decisions = Array.from({ length: 8 }, (_, day) =>
        one({ content: `Decision ${day} about pagination`, timestamp: `2025-02-0${day + 1}T10:00:00.000Z` }),
      );
      const answer = one({ content: 'A human said 30 days.', source: { kind: 'question', id: 'oq-1a2b3c4d' } });
      await memory.store([...decisions, answer]);
      const result = await memory.compact(42);
      expect(result).toEqual({ issueNumber: 42, before: 9, after: 2, moved: 8 });
      const [merged, untouched] = await memory.getByIssue(42);
      expect(untouched).toEqual(answer);
      for (const { content, id } of decisions) {
        expect(merged?.content).toContain(content);
        expect(merged?.mergedFrom).toContain(id);
      }
      expect(await memory.search('pagination')).toHaveLength(1);
      expect(await memory.searchByFilters({ query: 'pagination', archived: true })).toHaveLength(9);
      expect(await memory.getById(decisions[3]?.id ?? '')).toEqual({ ...decisions[3], archived: true });
      expect(await memory.getStats()).toMatchObject({ totalObservations: 2, archived: 8 });
      expect(await memory.compact(42)).toMatchObject({ before: 2, after: 2, moved: 0 });

      expect(await memory.restore(42)).toEqual({ issueNumber: 42, before: 2, after: 9, moved: 8 });
      expect(await memory.getByIssue(42)).toEqual([...decisions, answer]);
      expect(await memory.getStats()).toMatchObject({ totalObservations: 9, archived: 0 });
    });

    it('takes out secrets and private text before it stores, and cuts what is too long [ME-9/1] [ME-9/2] [ME-9/3]', async () => {
      const memory = await opened();
      const content = `Deploys use ghp_abcdefghijklmnopqrstuvwxyz0123456789 <private>for now</private>. ${'x '.repeat(2000)}`;
      await memory.store([one({ content, summary: 'Key AKIAIOSFODNN7QWERTYU is used' })]);
      await memory.update(42, (file) => ({
        next: { ...file, observations: [...file.observations, one({ content: 'DB_PASSWORD=hunter2hunter' })] },
        result: undefined,
      }));
      const stored = await memory.getByIssue(42);
      const text = JSON.stringify(stored);
      expect(text).not.toMatch(/ghp_|for now|AKIA|hunter2/);
      expect(stored[0]?.content.length).toBeLessThanOrEqual(2000);
      expect(stored[0]?.content).toContain('[redacted]');
    });

    it('keeps a content of 2000 characters whole, and cuts a longer one there [ME-2/8]', async () => {
      const memory = await opened();
      const [whole, longer] = [one({ content: 'x'.repeat(2000) }), one({ content: 'y'.repeat(2001) })];
      await memory.store([whole, longer]);
      expect((await memory.getById(whole.id))?.content).toBe(whole.content);
      expect((await memory.getById(longer.id))?.content).toBe(`${'y'.repeat(1997)}...`);
    });

    it('changes an issue in one step, all or nothing', async () => {
      const memory = await opened();
      const [first, second] = [one(), one()];
      await memory.store([first]);
      const length = await memory.update(42, (file) => ({
        next: { ...file, observations: [...file.observations, second] },
        result: file.observations.length,
      }));
      expect(length).toBe(1);
      const failing = memory.update(42, () => {
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      const twice = memory.update(42, (file) => ({ next: { ...file, observations: [first, first] }, result: 0 }));
      await expect(twice).rejects.toMatchObject({ code: 'CONFLICT' });
      expect(await memory.getByIssue(42)).toEqual([first, second]);
    });

    it('suggests a word that it has for one that it has not', async () => {
      const memory = await opened();
      await memory.store([one({ content: 'Chose PostgreSQL for the database.' })]);
      expect(await memory.find({ query: 'postgersql' })).toMatchObject({ items: [], total: 0 });
      expect(await memory.didYouMean('postgersql')).toBe('PostgreSQL');
      expect(await memory.didYouMean('database')).toBeUndefined();
      expect(await memory.didYouMean('datab')).toBe('database');
      await memory.store([
        one({ content: 'The worker crashed when Redis restarted.' }),
        one({ content: 'Retries stop.' }),
      ]);
      expect(await memory.didYouMean('retires')).toBe('Retries');
    });

    it('shows every kind of write in the next search [ME-1/25] [ME-1/27]', async () => {
      const memory = await opened();
      const matches = async () => (await memory.search('idempotency')).length;
      const [first, second] = [
        one({ content: 'Idempotency keys are kept.' }),
        one({ content: 'Idempotency in tests.' }),
      ];
      await memory.store([first]);
      expect(await matches()).toBe(1);
      await memory.store([second]);
      expect(await matches()).toBe(2);
      await memory.compact(42);
      expect(await matches()).toBe(1);
      await memory.restore(42);
      expect(await matches()).toBe(2);
      await memory.remove(first.id);
      expect(await matches()).toBe(1);
      await memory.update(42, (file) => ({ next: { ...file, observations: [] }, result: undefined }));
      expect(await matches()).toBe(0);
    });

    it('loses nothing when many store at once [ME-1/28]', async () => {
      const memory = await opened();
      const batches = Array.from({ length: 20 }, (_, number) => [
        one({ content: `Batch ${number}` }),
        one({ content: `Batch ${number}`, issueNumber: 7 }),
      ]);
      await Promise.all(batches.map((batch) => memory.store(batch)));
      expect(await memory.getByIssue(42)).toHaveLength(20);
      expect(await memory.getByIssue(7)).toHaveLength(20);
      expect((await memory.list({ limit: 100 })).items).toHaveLength(40);
    });

    it('makes the same index anew', async () => {
      const memory = await opened();
      await memory.store(Array.from({ length: 12 }, (_, number) => one({ content: `Cache entry ${number}` })));
      const before = await memory.search('cache entry', 12);
      expect(await memory.rebuild()).toMatchObject({ observations: 12, issues: 1 });
      expect(await memory.search('cache entry', 12)).toEqual(before);
    });

    it('tells of a change', async () => {
      const store = await open();
      const told: string[] = [];
      const end = store.watch((change) => void told.push(`${change.kind} ${change.id}`));
      await store.observations.store([one()]);
      await expect.poll(() => told, { timeout: 30_000 }).toContain('observations 42');
      end();
    });
  });
}
