import { describe, expect, it } from 'vitest';
import { AT, aClarification } from '../../test/builders/clarification.js';
import { active } from '../../test/builders/ports.js';
import { aRun } from '../../test/builders/run.js';
import { steps } from '../../test/builders/run-ports.js';
import { type AgentStatusEntry, applyStatusEvent } from '../protocol/agent-status.js';
import type { ClarificationRecord, ClarificationStatus } from '../protocol/clarification.js';
import type { Run, RunStatus } from '../protocol/run.js';
import { findAbandoned } from './abandoned.js';

const EARLIER = '2026-02-26T09:00:00.000Z';
const LATER = '2026-02-26T10:05:00.000Z';

const set = (status: 'idle' | 'working' | 'done' | 'stuck', issue: number, at: string, entry?: AgentStatusEntry) =>
  applyStatusEvent(entry, { type: 'set', status, issue, at });

const isAbandoned = (engineer?: AgentStatusEntry, status: ClarificationStatus = 'pending') =>
  findAbandoned(active(aClarification({ status })), { statuses: engineer ? { engineer } : {}, runs: [] }).length > 0;

describe('findAbandoned', () => {
  it.each([
    ['done', true],
    ['idle', true],
    ['working', false],
    ['stuck', false],
  ] as const)('of a requester that went to %s says %s [US-5.5/1] [US-5.5/2]', (status, expected) => {
    expect(isAbandoned(set(status, 42, LATER))).toBe(expected);
  });

  it('judges pending records only [US-5.5/3]', () => {
    for (const status of ['stale', 'answered', 'escalated'] as const) {
      expect(isAbandoned(set('done', 42, LATER), status)).toBe(false);
    }
  });

  it('does not mind what the requester does on other issues [US-5.5/2]', () => {
    expect(isAbandoned(set('done', 7, LATER))).toBe(false);
    expect(isAbandoned(set('working', 7, LATER, set('done', 42, LATER)))).toBe(true);
    expect(isAbandoned(set('done', 7, LATER, set('working', 42, LATER)))).toBe(false);
  });

  it('does not mind a requester that was never seen or has no issue', () => {
    expect(isAbandoned()).toBe(false);
    expect(isAbandoned({ status: 'idle', issue: null, lastActivity: LATER })).toBe(false);
  });

  it('does not mind what the requester was before it asked', () => {
    expect(isAbandoned(set('done', 42, EARLIER))).toBe(false);
    // Nor what it goes on with elsewhere in the very moment in which it asks.
    expect(isAbandoned(set('idle', 7, AT, set('done', 42, EARLIER)))).toBe(false);
  });

  it('does not take an idle agent that never waited for one that has left', () => {
    const judge = (status: 'idle' | 'done') =>
      findAbandoned(active(aClarification({ blocking: false })), {
        statuses: { engineer: set(status, 42, LATER) },
        runs: [],
      });
    expect(judge('idle')).toHaveLength(0);
    expect(judge('done')).toHaveLength(1);
  });

  it.each<[RunStatus, boolean]>([
    ['running', false],
    ['paused', false],
    ['failed', true],
  ])(
    'leaves what could be gone on without to its run, which takes the answer up, if the run is %s',
    (status, expected) => {
      const { workflow: definition } = steps({ id: 'code', agent: 'engineer' });
      const judge = (run: Run, blocking = false) => {
        const statuses = { engineer: set('done', 42, LATER) };
        return findAbandoned(active(aClarification({ blocking })), { statuses, runs: [run] }).length > 0;
      };
      expect(judge(aRun({ status, definition, updatedAt: LATER }))).toBe(expected);
      expect(judge(aRun({ status, definition, updatedAt: LATER }), true)).toBe(true);
      expect(judge(aRun({ status, updatedAt: LATER }))).toBe(true);
    },
  );

  it('does not take an agent that asked when it was done, and did something else since, for one that has left', () => {
    const asked = active(aClarification({ blocking: false }));
    const judge = (engineer: AgentStatusEntry) => findAbandoned(asked, { statuses: { engineer }, runs: [] });
    const done = set('done', 42, EARLIER);
    expect(judge(set('working', 7, LATER, done))).toEqual([]);
    // It waited for another answer, and returned to the status before.
    const other = { issue: 42, clarificationId: 'CLR-42-002' };
    const blocked = applyStatusEvent(done, { ...other, type: 'block', at: EARLIER, waitingOn: 'architect' });
    expect(judge(applyStatusEvent(blocked, { ...other, type: 'unblock', at: LATER }))).toEqual([]);
    expect(judge(set('working', 7, LATER, set('done', 42, LATER)))).toHaveLength(1);
  });

  it.each([AT, LATER])(
    'does not take one that was idle all along for one that left when it worked elsewhere at %s',
    (at) => {
      const other = { issue: 42, clarificationId: 'CLR-42-002', at: EARLIER };
      const blocked = applyStatusEvent(undefined, { ...other, type: 'block', waitingOn: 'architect' });
      expect(isAbandoned(set('working', 7, at, applyStatusEvent(blocked, { ...other, type: 'unblock' })))).toBe(false);
    },
  );

  it('leaves a requester alone that waits for the answer', () => {
    const event = {
      type: 'block',
      issue: 42,
      at: LATER,
      clarificationId: 'CLR-42-001',
      waitingOn: 'architect',
    } as const;
    expect(isAbandoned(applyStatusEvent(set('idle', 42, EARLIER), event))).toBe(false);
  });

  it.each<[RunStatus, string, boolean]>([
    ['done', LATER, true],
    ['failed', LATER, true],
    ['stopped', AT, true],
    ['running', LATER, false],
    ['paused', LATER, false],
    ['done', EARLIER, false],
  ])('of a run that is %s since %s says %s [US-5.5/2]', (status, updatedAt, expected) => {
    const runs = [aRun({ issueNumber: 7, status: 'done', updatedAt: LATER }), aRun({ status, updatedAt })];
    expect(findAbandoned(active(aClarification()), { statuses: {}, runs })).toHaveLength(expected ? 1 : 0);
  });

  it('leaves alone what a person asked, or a program outside the run, when the run ends [US-5.5/2]', () => {
    const runs = [aRun({ status: 'done', updatedAt: LATER })];
    const judge = (record: ClarificationRecord) => findAbandoned(active(record), { statuses: {}, runs }).length > 0;
    const { thread } = aClarification();
    expect(judge(aClarification({ origin: 'run-42-1a2b3c4d/code/1/clarify/0' }))).toBe(true);
    expect(judge(aClarification({ origin: 'asked/1' }))).toBe(false);
    // A later round is the run's if the run asked it.
    const origin = 'run-42-1a2b3c4d/code/1/clarify/0';
    const later = thread.map((entry) => ({ ...entry, round: 2, origin }));
    expect(judge(aClarification({ origin: 'asked/1', round: 2, thread: later }))).toBe(true);
    expect(judge(aClarification({ thread: thread.map((entry) => ({ ...entry, from: 'human' })) }))).toBe(false);
    // What it asks while it answers, its target asked in the run.
    const outer = aClarification({ id: 'CLR-42-002' });
    const inner = aClarification({ origin: 'asked/1', within: outer.id });
    expect(findAbandoned(active(inner, outer), { statuses: {}, runs })).toHaveLength(2);
  });

  it('finds what a target waits for that need not answer any more', () => {
    const inner = aClarification({ within: 'CLR-42-002' });
    const judge = (status: ClarificationStatus) => {
      const outer = aClarification({ id: 'CLR-42-002', status });
      return findAbandoned(active(inner, outer), { statuses: {}, runs: [] }).map(({ record }) => record.id);
    };
    expect(judge('pending')).toEqual([]);
    expect(judge('resolved')).toEqual([inner.id]);
    expect(findAbandoned(active(inner), { statuses: {}, runs: [] })).toHaveLength(1);
    expect(findAbandoned(active({ ...inner, blocking: false }), { statuses: {}, runs: [] })).toEqual([]);
  });
});
