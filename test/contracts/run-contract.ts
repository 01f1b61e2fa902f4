import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/ports/store.js';
import { AT } from '../builders/clarification.js';
import { aRun } from '../builders/run.js';
import { aSession, aTurn } from '../builders/session.js';

/** What every store promises to processes that carry runs on. `open` returns a new, empty one. */
export function runContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: a claim`, () => {
    const all = [
      { on: { run: 42 }, other: { run: 7 }, details: { issueNumber: 42 } },
      { on: { route: 'CLR-42-001' }, other: { route: 'CLR-42-002' }, details: { clarificationId: 'CLR-42-001' } },
      { on: { deciding: 'CLR-42-001' }, other: { route: 'CLR-42-001' }, details: { clarificationId: 'CLR-42-001' } },
      { on: { asking: 42 }, other: { asking: 7 }, details: { issueNumber: 42 } },
    ];

    it.each(all)('on $on is held by one at a time, for each by itself', async ({ on, other, details }) => {
      const store = await open();
      expect(await store.heldBy(on)).toBe('none');
      const first = await store.claim(on, { by: 'the first' });
      expect(await store.heldBy(on)).toBe('live');
      expect(await store.heldBy(other)).toBe('none');
      await expect(store.claim(on)).rejects.toMatchObject({
        code: 'CONFLICT',
        details: { ...details, by: 'the first', pid: process.pid, host: expect.anything(), since: expect.anything() },
      });
      await (await store.claim(other)).release();
      await first.release();
      expect(await store.heldBy(on)).toBe('none');
      const second = await store.claim(on);
      expect(second.token).not.toBe(first.token);
      await first.release();
      await expect(store.claim(on)).rejects.toMatchObject({ code: 'CONFLICT' });
      expect(second.lost.aborted).toBe(false);
      await second.release();
    });

    it('goes to those of one process that wait for it, one after the other', async () => {
      const store = await open();
      const had: number[] = [];
      const have = async (number: number) => {
        const claim = await store.claim({ asking: 7 }, { waitMs: 5_000 });
        had.push(number);
        await Promise.resolve();
        had.push(number);
        await claim.release();
      };
      await Promise.all([1, 2, 3, 4].map(have));
      expect(had).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
    });

    it('is on something that can be', async () => {
      const store = await open();
      for (const on of [{ run: -1 }, { route: '../oops' }, { deciding: '../oops' }, { asking: 0.5 }]) {
        await expect(store.claim(on)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      }
    });

    it('is not given to a caller that was broken off, even if it is free', async () => {
      const store = await open();
      const signal = AbortSignal.abort();
      await expect(store.claim({ asking: 7 }, { waitMs: 5_000, signal })).rejects.toBe(signal.reason);
      expect(await store.heldBy({ asking: 7 })).toBe('none');
    });

    it('is not waited for any more by a caller that is broken off; the next in line gets it', async () => {
      const store = await open();
      const holder = await store.claim({ asking: 7 }, { waitMs: 5_000 });
      const stop = new AbortController();
      const broken = store.claim({ asking: 7 }, { waitMs: 5_000, signal: stop.signal });
      const next = store.claim({ asking: 7 }, { waitMs: 5_000 });
      stop.abort();
      await expect(broken).rejects.toBe(stop.signal.reason);
      await holder.release();
      await (await next).release();
      expect(await store.heldBy({ asking: 7 })).toBe('none');
    });

    it('that was released writes nothing any more, while others do', async () => {
      const { claim, runs, sessions, transcripts } = await open();
      const mine = await claim({ run: 42 });
      const run = aRun({ issueNumber: 42 });
      const write = () => runs.update(42, () => ({ next: run, result: 'written' }), mine);
      expect(await write()).toBe('written');
      await mine.release();
      const late = { ...run, updatedAt: '2027-01-01T00:00:00.000Z' };
      const session = aSession();
      const id = 'CLR-42-001.2';
      const transcript = {
        id,
        agent: 'architect',
        issueNumber: 42,
        format: 'loop/1',
        calls: [],
        updatedAt: AT,
        state: 1,
      };
      const attempts = await Promise.allSettled([
        runs.update(42, () => ({ next: late, result: undefined }), mine),
        sessions.update(session.id, () => ({ next: session, result: undefined }), mine),
        transcripts.update(id, () => ({ next: transcript, result: undefined }), mine),
      ]);
      for (const attempt of attempts) expect(attempt).toMatchObject({ reason: { code: 'CONFLICT' } });
      expect(await runs.read(42)).toEqual(run);
      expect(await sessions.read(session.id)).toBeUndefined();
      expect(await transcripts.read(id)).toBeUndefined();
      // Together with one that carries no claim, and in one write.
      const both = await Promise.allSettled([
        write(),
        runs.update(42, (current = run) => ({ next: { ...current, note: 'kept' }, result: undefined })),
      ]);
      expect(both.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
      expect(await runs.read(42)).toEqual({ ...run, note: 'kept' });
    });
  });

  describe(`${name}: the right to carry a run on`, () => {
    it('is told of every run that has not ended', async () => {
      const { runs, claim: claimOn } = await open();
      const [carried, orphan, ended] = [aRun({ issueNumber: 7 }), aRun({ issueNumber: 42 }), aRun({ issueNumber: 9 })];
      for (const run of [carried, orphan]) await runs.update(run.issueNumber, () => ({ next: run, result: undefined }));
      const stopped = { ...ended, status: 'stopped' as const };
      await runs.update(9, () => ({ next: stopped, result: undefined }));
      const claim = await claimOn({ run: 7 });
      const told = async (of?: ReadonlySet<number>) =>
        (await runs.list({ finished: false, issues: of })).items.map(({ run, isCarried }) => [
          run.issueNumber,
          isCarried,
        ]);
      expect(await told()).toEqual([
        [7, true],
        [42, false],
      ]);
      expect(await told(new Set([42, 9, 1]))).toEqual([[42, false]]);
      const claimOnEnded = await claimOn({ run: 9 });
      expect((await runs.list({ finished: true })).items).toEqual([{ run: stopped, isCarried: false }]);
      await claimOnEnded.release();
      await claim.release();
      expect(await told(new Set([7]))).toEqual([[7, false]]);
    });

    it('leaves the run itself open to all processes', async () => {
      const { runs, claim: claimOn } = await open();
      const claim = await claimOn({ run: 42 });
      expect(await runs.read(42)).toBeUndefined();
      expect((await runs.list()).items).toEqual([]);
      await claim.release();
    });
  });

  describe(`${name}: transcripts`, () => {
    it('keeps what a runner wants back, whatever it is', async () => {
      const { transcripts } = await open();
      const id = 'CLR-42-001.2';
      const transcript = { agent: 'architect', issueNumber: 42, format: 'loop/1', calls: [], updatedAt: AT };
      const state = [{ role: 'tool', content: 'a\u0000b', __proto__: null }, null, 7, 'text'];
      expect(await transcripts.read(id)).toBeUndefined();
      await transcripts.update(id, () => ({ next: { id, ...transcript, state }, result: undefined }));
      await transcripts.update(id, (current) => {
        if (current === undefined) throw new Error('it is gone');
        return {
          next: { ...current, calls: [{ call: 'call_1', origin: 'CLR-42-001/2/0/clarify/0' }] },
          result: undefined,
        };
      });
      expect(await transcripts.read(id)).toMatchObject({ state, calls: [{ call: 'call_1' }] });
      expect(await transcripts.read('run-42-1a2b3c4d.implement.1')).toBeUndefined();
    });

    it('refuses ids that no transcript has', async () => {
      const { transcripts } = await open();
      for (const id of ['', '../x', 'CLR-42-001', 'run-1', 'CLR-42-001.0', 'CLR-42-001.1/../x']) {
        await expect(async () => transcripts.read(id)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      }
    });
  });

  describe(`${name}: sessions`, () => {
    it('keeps every turn, and lists those of an issue, oldest first', async () => {
      const { sessions } = await open();
      const first = aSession();
      const second = aSession({
        id: 'run-42-1a2b3c4d.review.1',
        step: 'review',
        startedAt: '2026-02-26T09:00:00.000Z',
      });
      const other = aSession({ id: 'run-7-1a2b3c4d.plan.1', runId: 'run-7-1a2b3c4d', issueNumber: 7, step: 'plan' });
      for (const session of [first, second, other]) {
        await sessions.update(session.id, (current) => ({ next: current ?? session, result: undefined }));
      }
      await sessions.update(first.id, (current = first) => ({
        next: { ...current, turns: [...current.turns, aTurn({ turn: 2, error: 'no network' })] },
        result: undefined,
      }));
      expect((await sessions.read(first.id))?.turns.map(({ turn }) => turn)).toEqual([1, 2]);
      expect((await sessions.list({ issue: 42 })).items.map(({ step }) => step)).toEqual(['review', 'implement']);
      expect((await sessions.list()).items).toHaveLength(3);
      expect(await sessions.read('run-42-1a2b3c4d.implement.2')).toBeUndefined();
    });

    it('refuses ids that would lead out of its folder, and turns that are none', async () => {
      const { sessions } = await open();
      for (const id of ['../run-1.a.1', 'run-1/../../x.a.1', 'run-1.a.0', '']) {
        await expect(async () => sessions.read(id)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      }
      const session = aSession();
      await sessions.update(session.id, () => ({ next: session, result: undefined }));
      const broken = aTurn({ turn: 0 });
      const update = sessions.update(session.id, (current = session) => ({
        next: { ...current, turns: [...current.turns, broken] },
        result: undefined,
      }));
      await expect(update).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      expect((await sessions.read(session.id))?.turns).toHaveLength(1);
    });
  });
}
