import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/ports/store.js';
import { AT } from '../builders/clarification.js';
import { aRun } from '../builders/run.js';
import { aSession, aTurn } from '../builders/session.js';

/** What every store promises to processes that carry runs on. `open` returns a new, empty one. */
export function runContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: the right to have a target answer`, () => {
    it('is held by one at a time, for each clarification by itself, and not lost by releasing it twice', async () => {
      const { ledgers } = await open();
      const first = await ledgers.claim('CLR-42-001');
      expect(await ledgers.claim('CLR-42-001')).toBeUndefined();
      expect(await ledgers.routedBy('CLR-42-001')).toBe('live');
      expect(await ledgers.routedBy('CLR-42-003')).toBe('none');
      const other = await ledgers.claim('CLR-42-002');
      expect(other).toBeDefined();
      other?.release();
      first?.release();
      const second = await ledgers.claim('CLR-42-001');
      expect(second).toBeDefined();
      first?.release();
      expect(await ledgers.claim('CLR-42-001')).toBeUndefined();
      second?.release();
      await expect(ledgers.claim('../oops')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    });
  });

  describe(`${name}: the right to carry a run on`, () => {
    it('is held by one at a time, for each issue by itself', async () => {
      const { runs } = await open();
      const claim = await runs.claim(42);
      expect(claim.isHeld()).toBe(true);
      await expect(runs.claim(42)).rejects.toMatchObject({
        code: 'CONFLICT',
        details: { issueNumber: 42, pid: expect.anything(), host: expect.anything(), since: expect.anything() },
      });
      const other = await runs.claim(7);
      other.release();
      claim.release();
      expect(claim.isHeld()).toBe(false);
      (await runs.claim(42)).release();
    });

    it('is not lost by releasing it twice', async () => {
      const { runs } = await open();
      const first = await runs.claim(42);
      first.release();
      const second = await runs.claim(42);
      first.release();
      expect(second.isHeld()).toBe(true);
      second.release();
    });

    it('is told of every run that has not ended', async () => {
      const { runs } = await open();
      const [carried, left, ended] = [aRun({ issueNumber: 7 }), aRun({ issueNumber: 42 }), aRun({ issueNumber: 9 })];
      for (const run of [carried, left]) await runs.update(run.issueNumber, () => ({ next: run, result: undefined }));
      const stopped = { ...ended, status: 'stopped' as const };
      await runs.update(9, () => ({ next: stopped, result: undefined }));
      const claim = await runs.claim(7);
      const told = async (of?: ReadonlySet<number>) =>
        (await runs.listUnfinished(of)).items.map(({ run, isCarried }) => [run.issueNumber, isCarried]);
      expect(await told()).toEqual([
        [7, true],
        [42, false],
      ]);
      expect(await told(new Set([42, 9, 1]))).toEqual([[42, false]]);
      claim.release();
      expect(await told(new Set([7]))).toEqual([[7, false]]);
    });

    it('leaves the run itself open to everybody', async () => {
      const { runs } = await open();
      const claim = await runs.claim(42);
      expect(await runs.read(42)).toBeUndefined();
      expect((await runs.list()).items).toEqual([]);
      claim.release();
    });
  });

  describe(`${name}: transcripts`, () => {
    it('keeps what a runner wants back, whatever it is', async () => {
      const { transcripts } = await open();
      const id = 'CLR-42-001.2';
      const said = { agent: 'architect', issueNumber: 42, format: 'loop/1', calls: [], updatedAt: AT };
      const state = [{ role: 'tool', content: 'a\u0000b', __proto__: null }, null, 7, 'text'];
      expect(await transcripts.read(id)).toBeUndefined();
      await transcripts.update(id, () => ({ next: { id, ...said, state }, result: undefined }));
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
      expect((await sessions.list(42)).items.map(({ step }) => step)).toEqual(['review', 'implement']);
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
