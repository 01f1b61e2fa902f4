import { describe, expect, it } from 'vitest';
import { aClarification } from '../../test/builders/clarification.js';
import { fixedClock } from '../../test/builders/hub.js';
import { transition } from '../protocol/clarification-transition.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import type { Records } from './digest.js';
import { metrics, metricsOf } from './metrics.js';

const NOW = '2026-02-26T12:00:00.000Z';
const aRecord = (sequence: number, created: string) => aClarification({ id: `CLR-42-00${sequence}`, created });

const records: Records = {
  clarifications: [
    aRecord(1, '2026-02-26T10:00:00.000Z'),
    transition(aRecord(2, '2026-02-20T00:00:00.000Z'), {
      type: 'escalate',
      at: NOW,
      reason: 'deadlock: a waits for b',
    }).record,
    aRecord(3, '2026-02-19T23:59:59.999Z'),
  ],
  runs: [],
  questions: [],
  assumptions: [],
};

describe('the metrics of a dashboard', () => {
  it('count the last days, today among them, against those before', () => {
    const metrics = metricsOf(records, { now: NOW, days: 7 });
    expect(metrics).toMatchObject({
      from: '2026-02-20',
      to: '2026-02-26',
      total: 2,
      escalationRate: 0.5,
      autoResolutionRate: 0,
      averageRounds: null,
      staleCount: 0,
      deadlockCount: 1,
    });
    expect(metrics.targets.find(({ id }) => id === 'escalation')).toMatchObject({
      value: 0.5,
      before: 0,
      isMet: false,
    });
  });

  it('give a series of days for a chart', () => {
    const { days } = metricsOf(records, { now: NOW, days: 30 });
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toEqual({ date: '2026-02-26', asked: 1, resolved: 0, escalated: 1 });
    expect(days.reduce((sum, day) => sum + day.asked, 0)).toBe(3);
  });

  it('are read from the store, for a number of days that can be counted', async () => {
    const store = openInMemoryStore();
    const { clarifications } = records;
    await store.ledgers.update(42, (ledger) => ({ next: { ...ledger, clarifications }, result: undefined }));
    const ports = { store, clock: fixedClock(NOW) };
    expect((await metrics(ports)).metrics).toEqual(metricsOf(records, { now: NOW, days: 30 }));
    await expect(metrics(ports, { days: 0 })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
