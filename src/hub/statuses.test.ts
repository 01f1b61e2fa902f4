import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AT, aClarification } from '../../test/builders/clarification.js';
import { aHub, anAsk, atWork, fixedClock, statusOf } from '../../test/builders/hub.js';
import { type AgentStatusFile, applyStatusEvent, statusForIssue } from '../protocol/agent-status.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { answer } from './answer.js';
import { openAsk } from './ask.js';
import { escalate } from './escalate.js';
import { hasMovedOn, reconcileStatuses, refreshStatuses } from './statuses.js';

const issueNumber = 42;
const wanted = (...records: ClarificationRecord[]) => ({ issueNumber, records, at: AT });
const working: AgentStatusFile = {
  engineer: applyStatusEvent(undefined, { type: 'assign', issue: issueNumber, at: AT }),
};

const asked = aClarification();
const askedBack = aClarification({
  id: 'CLR-42-002',
  from: 'reviewer',
  to: 'engineer',
  thread: [{ round: 1, from: 'reviewer', type: 'question', body: 'Why?', timestamp: '2026-02-26T10:05:00Z' }],
});

const askedToo = aClarification({
  id: 'CLR-42-003',
  thread: [{ round: 1, from: 'engineer', type: 'question', body: 'And?', timestamp: '2026-02-26T10:03:00Z' }],
});

describe('statuses that follow from a ledger', () => {
  it('name the clarification, who is waited for and who asked [US-3.1/2] [US-3.1/3]', () => {
    const file = reconcileStatuses(working, wanted(asked));
    expect(file.engineer).toMatchObject({
      status: 'blocked-clarification',
      clarificationId: asked.id,
      waitingOn: 'architect',
      respondingTo: null,
    });
    expect(file.architect).toMatchObject({
      status: 'clarifying',
      clarificationId: asked.id,
      waitingOn: null,
      respondingTo: 'engineer',
    });
  });

  it('are left as they are when they are right already', () => {
    const file = reconcileStatuses(working, wanted(asked, askedBack));
    expect(reconcileStatuses(file, wanted(asked, askedBack))).toBe(file);
    expect(reconcileStatuses(working, wanted())).toBe(working);
  });

  it.each(['answered', 'resolved', 'abandoned'] as const)('return to what was before once it is %s', (status) => {
    const file = reconcileStatuses(reconcileStatuses(working, wanted(asked)), wanted({ ...asked, status }));
    expect(statusForIssue(file.engineer, issueNumber)).toEqual(statusForIssue(working.engineer, issueNumber));
    expect(statusForIssue(file.architect, issueNumber).status).toBe('idle');
  });

  it('keep the requester of an escalation waiting for a human, and free its target', () => {
    const before = reconcileStatuses(working, wanted(asked));
    const file = reconcileStatuses(before, wanted({ ...asked, status: 'escalated' }));
    expect(file.engineer).toMatchObject({ status: 'blocked-clarification', waitingOn: 'human' });
    expect(file.architect?.status).toBe('idle');
  });

  it('show what began last, and come back to the rest', () => {
    const both = reconcileStatuses(working, wanted(asked, askedBack));
    expect(both.engineer).toMatchObject({ status: 'clarifying', clarificationId: askedBack.id });
    const one = reconcileStatuses(
      both,
      wanted({ ...asked, status: 'escalated' }, { ...askedBack, status: 'answered' }),
    );
    expect(one.engineer).toMatchObject({ status: 'blocked-clarification', waitingOn: 'human' });
    const none = reconcileStatuses(one, wanted({ ...asked, status: 'resolved' }));
    expect(none.engineer?.status).toBe('working');
  });

  it('drop interruptions that no record accounts for', () => {
    const foreign: AgentStatusFile = {
      engineer: { status: 'blocked-clarification', issue: issueNumber, lastActivity: AT },
      reviewer: { status: 'clarifying', clarificationId: 'CLR-42-009', issue: issueNumber, lastActivity: AT },
    };
    const file = reconcileStatuses(foreign, wanted());
    expect([file.engineer?.status, file.reviewer?.status]).toEqual(['working', 'working']);
  });

  it('leave other issues alone', () => {
    const elsewhere = reconcileStatuses({}, { issueNumber: 7, records: [aClarification({ id: 'CLR-7-001' })], at: AT });
    const file = reconcileStatuses(elsewhere, wanted());
    expect(file).toBe(elsewhere);
    const both = reconcileStatuses(elsewhere, wanted(asked));
    expect(statusForIssue(both.engineer, 7)).toMatchObject({
      status: 'blocked-clarification',
      clarificationId: 'CLR-7-001',
    });
    expect(statusForIssue(both.engineer, 42)).toMatchObject({
      status: 'blocked-clarification',
      clarificationId: asked.id,
    });
  });

  it.each(['done', 'idle'] as const)('do not bring back a requester that was set to %s after it asked', (status) => {
    const at = '2026-02-26T10:10:00.000Z';
    const done = {
      engineer: applyStatusEvent(working.engineer, { type: 'set', issue: issueNumber, at, status }),
    };
    expect(hasMovedOn(done.engineer, issueNumber, asked)).toBe(true);
    expect(hasMovedOn(working.engineer, issueNumber, asked)).toBe(false);
    expect(reconcileStatuses(done, wanted(asked)).engineer).toBe(done.engineer);
    expect(reconcileStatuses(done, wanted({ ...asked, status: 'escalated' })).engineer?.status).toBe(
      'blocked-clarification',
    );
  });

  it('end the same whether every change was written or a crash left some out', () => {
    const states = ['pending', 'stale', 'answered', 'escalated', 'resolved'] as const;
    const state = fc.constantFrom(...states);
    const ledgers = fc.array(fc.tuple(state, state, state), { minLength: 1 });
    const statusesOf = (file: AgentStatusFile) =>
      ['engineer', 'architect', 'reviewer'].map((agent) => statusForIssue(file[agent], issueNumber));
    fc.assert(
      fc.property(ledgers, fc.array(fc.boolean()), (history, written) => {
        const records = history.map(([one, two, three]) =>
          wanted({ ...asked, status: one }, { ...askedBack, status: two }, { ...askedToo, status: three }),
        );
        const last = records.at(-1) ?? wanted();
        const every = records.reduce(reconcileStatuses, working);
        const some = records.filter((_, index) => written[index]).reduce(reconcileStatuses, working);
        expect(statusesOf(reconcileStatuses(some, last))).toEqual(statusesOf(every));
      }),
    );
  });
});

describe('refreshing statuses', () => {
  it('tells the bus of those that changed and of no others', async () => {
    const hub = await aHub();
    await atWork(hub, 'engineer');
    await openAsk(hub, anAsk());
    const changes = hub.bus.events.filter(({ name }) => name === 'agent-status-changed').map(({ payload }) => payload);
    expect(changes).toEqual([
      {
        agent: 'engineer',
        issueNumber: 1,
        status: 'blocked-clarification',
        clarificationId: 'CLR-1-001',
        waitingOn: 'architect',
        respondingTo: null,
        timestamp: Date.parse(AT),
      },
      {
        agent: 'architect',
        issueNumber: 1,
        status: 'clarifying',
        clarificationId: 'CLR-1-001',
        waitingOn: null,
        respondingTo: 'engineer',
        timestamp: Date.parse(AT),
      },
    ]);
    await refreshStatuses(hub, 1);
    expect(hub.bus.events.filter(({ name }) => name === 'agent-status-changed')).toHaveLength(2);
  });

  it('goes by the newest ledger when somebody answers while it writes', async () => {
    const hub = await aHub();
    await openAsk(hub, anAsk());
    const { statuses } = hub.store;
    let isFirst = true;
    const slow: typeof statuses = {
      read: () => statuses.read(),
      update: async (agents, update) => {
        if (isFirst) {
          isFirst = false;
          await answer(hub, { clarificationId: 'CLR-1-001', answer: 'PostgreSQL.', by: 'architect' });
        }
        return statuses.update(agents, update);
      },
    };
    const idle = applyStatusEvent(undefined, { type: 'set', issue: 1, at: AT, status: 'idle' });
    await statuses.update(['engineer', 'architect'], () => ({
      next: { engineer: idle, architect: idle },
      result: undefined,
    }));
    await refreshStatuses({ ...hub, store: { ...hub.store, statuses: slow } }, 1);
    expect((await statusOf(hub, 'engineer')).status).toBe('idle');
    expect((await statusOf(hub, 'architect')).status).toBe('idle');
  });

  it('keeps two issues of one agent apart', async () => {
    const clock = fixedClock();
    const hub = await aHub({ clock });
    await openAsk(hub, anAsk({ issueNumber: 1 }));
    clock.advance(1000);
    await openAsk(hub, anAsk({ issueNumber: 2 }));
    await escalate(hub, { clarificationId: 'CLR-1-001', reason: 'now' });
    expect(await statusOf(hub, 'engineer', 1)).toMatchObject({ clarificationId: 'CLR-1-001', waitingOn: 'human' });
    expect(await statusOf(hub, 'engineer', 2)).toMatchObject({ clarificationId: 'CLR-2-001', waitingOn: 'architect' });
  });
});
