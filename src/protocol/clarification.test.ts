import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { AT, aClarification, aLedger } from '../../test/builders/clarification.js';
import { refusalOf } from '../../test/builders/refusal.js';
import {
  ClarificationLedger,
  ClarificationRecord,
  ClarificationStatus,
  emptyLedger,
  isActive,
  nextClarificationId,
  ThreadEntry,
} from './clarification.js';
import {
  CLARIFICATION_TRANSITIONS,
  type ClarificationEvent,
  type ClarificationRequest,
  openClarification,
  transition,
} from './clarification-transition.js';
import { AgentXError } from './errors.js';

const LATER = '2026-02-26T11:00:00.000Z';

const events: { [Type in ClarificationEvent['type']]: Extract<ClarificationEvent, { type: Type }> } = {
  answer: { type: 'answer', at: LATER, by: 'architect', body: 'PostgreSQL.' },
  'follow-up': { type: 'follow-up', at: LATER, by: 'engineer', body: 'Which version?' },
  resolve: { type: 'resolve', at: LATER, by: 'engineer', body: 'Clear.' },
  expire: { type: 'expire', at: LATER },
  retry: { type: 'retry', at: LATER },
  escalate: { type: 'escalate', at: LATER, reason: 'asked by hand' },
  'human-resolve': { type: 'human-resolve', at: LATER, by: 'human', body: 'Take PostgreSQL.' },
  abandon: { type: 'abandon', at: LATER },
};
const request: ClarificationRequest = {
  id: 'CLR-42-001',
  from: 'engineer',
  to: 'architect',
  topic: 'Adapter',
  question: 'SQLite or PostgreSQL?',
  blocking: true,
  at: AT,
};
const answered = () => transition(aClarification(), events.answer).record;
const ended = aClarification({ status: 'answered', round: 5, thread: answered().thread });

describe('the transition table', () => {
  it('leads every legal pair to its status and refuses every other, naming both [US-2.2/18]', () => {
    for (const status of ClarificationStatus.options) {
      for (const event of Object.values(events)) {
        const record = aClarification({ status });
        const next = CLARIFICATION_TRANSITIONS[status][event.type];
        if (next !== undefined) {
          expect([status, event.type, transition(record, event).record.status]).toEqual([status, event.type, next]);
          continue;
        }
        const refusal = refusalOf(() => transition(record, event));
        expect(refusal.code).toBe('INVALID_STATE');
        expect(refusal.message).toContain(`is ${status},`);
        expect(refusal.message).toContain(`'${event.type}'`);
        expect(refusal.details.allowed).toEqual(Object.keys(CLARIFICATION_TRANSITIONS[status]));
      }
    }
  });

  it('holds the edges of the specification and a late answer, and no more', () => {
    const edges = Object.entries(CLARIFICATION_TRANSITIONS).flatMap(([from, row]) =>
      Object.values(row).map((to) => `${from}>${to}`),
    );
    expect(edges.sort()).toEqual([
      'answered>escalated',
      'answered>pending',
      'answered>resolved',
      'escalated>resolved',
      'pending>abandoned',
      'pending>answered',
      'pending>escalated',
      'pending>stale',
      'stale>answered',
      'stale>escalated',
      'stale>pending',
    ]);
  });
});

describe('opening', () => {
  it('makes a pending record of round 1 that is not resolved [US-1.1/6] [US-2.2/5]', () => {
    const { record, effects } = openClarification(request);
    expect(record).toMatchObject({ status: 'pending', round: 1, resolvedAt: null, created: AT });
    expect(record.thread).toEqual([
      { round: 1, from: 'engineer', type: 'question', body: 'SQLite or PostgreSQL?', timestamp: AT },
    ]);
    expect(z.safeParse(ClarificationRecord, record).success).toBe(true);
    expect(effects.map((effect) => effect.type)).toEqual(['emit', 'invoke']);
  });

  it('gives five rounds when blocking and six when not, unless told otherwise [US-2.3/1] [US-2.3/2]', () => {
    expect(openClarification(request).record.maxRounds).toBe(5);
    expect(openClarification({ ...request, blocking: false }).record.maxRounds).toBe(6);
    expect(openClarification({ ...request, blocking: false, maxRounds: 2 }).record.maxRounds).toBe(2);
  });

  it('starts the SLA timer: thirty minutes unless told otherwise', () => {
    expect(openClarification(request).record.staleAfter).toBe('2026-02-26T10:30:00.000Z');
    expect(openClarification({ ...request, slaMinutes: 1 }).record.staleAfter).toBe('2026-02-26T10:01:00.000Z');
  });

  it('tells the bus in the words of the specification [US-6.3/6]', () => {
    expect(openClarification(request).effects[0]).toEqual({
      type: 'emit',
      name: 'clarification-requested',
      payload: {
        clarificationId: 'CLR-42-001',
        issueNumber: 42,
        fromAgent: 'engineer',
        toAgent: 'architect',
        topic: 'Adapter',
        blocking: true,
        round: 1,
        status: 'pending',
        timestamp: Date.parse(AT),
      },
    });
  });

  it.each([
    ['topic', { topic: 'x'.repeat(201) }],
    ['topic', { topic: ' ' }],
    ['question', { question: 'x'.repeat(2001) }],
    ['question', { question: '' }],
    ['agent name', { from: '__proto__' }],
    ['agent name', { to: 'Architect' }],
    ['reserved', { from: 'human' }],
    ['reserved', { to: 'memory' }],
    ['itself', { to: 'engineer' }],
    ['maxRounds', { maxRounds: 0 }],
    ['maxRounds', { maxRounds: 1.5 }],
    ['slaMinutes', { slaMinutes: Number.NaN }],
    ['clarification id', { id: 'CLR-42-1' }],
    ['is not a time', { at: 'now' }],
  ])('refuses a bad %s with INVALID_INPUT', (named, wrong) => {
    const refusal = refusalOf(() => openClarification({ ...request, ...wrong }));
    expect(refusal.code).toBe('INVALID_INPUT');
    expect(refusal.message).toContain(named);
  });

  it('takes a topic of 200 and a question of 2000 characters', () => {
    const widest = { ...request, topic: '\u{1f600}'.repeat(200), question: 'x'.repeat(2000) };
    expect(openClarification(widest).record.topic).toBe(widest.topic);
  });
});

describe('a round', () => {
  it("keeps the answer in its question's round", () => {
    expect(answered().thread.at(-1)).toEqual({
      round: 1,
      from: 'architect',
      type: 'answer',
      body: 'PostgreSQL.',
      timestamp: LATER,
    });
    expect(answered().round).toBe(1);
  });

  it('is followed by the next one, with a new SLA', () => {
    const { record, effects } = transition(answered(), events['follow-up']);
    expect(record).toMatchObject({ status: 'pending', round: 2, staleAfter: '2026-02-26T11:30:00.000Z' });
    expect(effects).toContainEqual({ type: 'invoke', agent: 'architect', clarificationId: 'CLR-42-001', round: 2 });
  });

  it('ends resolved with a resolution entry and the time of it', () => {
    const { record } = transition(answered(), events.resolve);
    expect(record).toMatchObject({ status: 'resolved', resolvedAt: LATER });
    expect(record.thread.map((entry) => entry.type)).toEqual(['question', 'answer', 'resolution']);
  });

  it('may be answered from memory, with the citation', () => {
    const { record } = transition(aClarification(), { ...events.answer, by: 'memory', source: 'CLR-12-003' });
    expect(record.thread.at(-1)).toMatchObject({ from: 'memory', source: 'CLR-12-003' });
  });

  it('refuses an answer to an earlier round as a CONFLICT', () => {
    const second = transition(answered(), events['follow-up']).record;
    expect(refusalOf(() => transition(second, { ...events.answer, round: 1 })).code).toBe('CONFLICT');
    expect(transition(second, { ...events.answer, round: 2 }).record.status).toBe('answered');
  });

  it('takes an answer of 2000 characters and refuses blank and longer ones', () => {
    expect(transition(aClarification(), { ...events.answer, body: 'x'.repeat(2000) }).record.status).toBe('answered');
    for (const body of ['', ' \n', 'x'.repeat(2001)]) {
      expect(refusalOf(() => transition(aClarification(), { ...events.answer, body })).code).toBe('INVALID_INPUT');
    }
  });
});

describe('who may do what', () => {
  it.each([
    [aClarification(), events.answer, ['architect', 'human', 'memory']],
    [answered(), events['follow-up'], ['engineer', 'human']],
    [answered(), events.resolve, ['engineer', 'human']],
    [aClarification({ status: 'escalated' }), events['human-resolve'], ['human']],
  ] as const)('is bound to the two sides and humans (%#)', (record, event, allowed) => {
    for (const by of ['engineer', 'architect', 'human', 'memory', 'reviewer', 'agent-x']) {
      const attempt = () => transition(record, { ...event, by });
      if (allowed.some((name) => name === by)) expect(attempt().record.id).toBe('CLR-42-001');
      else expect(refusalOf(attempt).code).toBe('UNAUTHORIZED');
    }
  });
});

describe('the last round', () => {
  const result = transition(ended, { ...events['follow-up'], body: 'But why?' });

  it('is followed by an escalation instead of a question [US-2.3/4] [US-2.2/13]', () => {
    expect(result.record).toMatchObject({ status: 'escalated', round: 5 });
    expect(result.effects.map((effect) => effect.type)).toEqual(['emit']);
    expect(result.record.thread.filter((entry) => entry.type === 'question')).toHaveLength(1);
  });

  it('carries MAX_ROUNDS_EXCEEDED with the id and the limit as data [CL-3/3]', () => {
    expect(result.error).toBeInstanceOf(AgentXError);
    expect(result.error?.code).toBe('MAX_ROUNDS_EXCEEDED');
    expect(result.error?.message).toBe('CLR-42-001 has used all 5 rounds and is escalated to a human.');
    expect(result.error?.details).toEqual({ clarificationId: 'CLR-42-001', maxRounds: 5 });
  });

  it("writes topic, both last words and this thread's own options [US-2.3/6] [US-2.3/7] [US-2.3/8]", () => {
    const entry = result.record.thread.at(-1);
    expect(entry).toMatchObject({ from: 'agent-x', type: 'escalation', round: 5 });
    expect(entry?.positions).toEqual({ requester: 'But why?', target: 'PostgreSQL.' });
    expect(entry?.options?.map((option) => [option.id, option.action])).toEqual([
      ['a', 'target'],
      ['b', 'requester'],
      ['c', 'assume'],
    ]);
    for (const text of ['Which database adapter', 'But why?', 'PostgreSQL.', 'a) '])
      expect(entry?.body).toContain(text);
  });

  it('offers to ask again where there is no answer yet', () => {
    const entry = transition(aClarification(), events.escalate).record.thread.at(-1);
    expect(entry?.options?.map((option) => option.action)).toEqual(['retry', 'assume']);
    expect(entry?.options?.[0]?.label).toContain('SQLite or PostgreSQL?');
  });
});

it('refuses a reason that is too long from a person, who can shorten it', () => {
  const event = { ...events.escalate, by: 'engineer', reason: 'x'.repeat(2001) };
  expect(refusalOf(() => transition(aClarification(), event)).code).toBe('INVALID_INPUT');
});

it('cleans a reason of the hub, which may be the output of a program', () => {
  const { record } = transition(aClarification(), { ...events.escalate, reason: 'It crashed:\0 \ud83d' });
  expect(record.thread.at(-1)?.reason).toBe('It crashed: ');
});

it('cuts a reason that is too long and refuses a blank one', () => {
  const { record } = transition(aClarification(), { ...events.escalate, reason: 'x'.repeat(1_000_000) });
  expect(record.thread.at(-1)?.body.length).toBeLessThan(2500);
  expect(refusalOf(() => transition(aClarification(), { ...events.escalate, reason: ' ' })).code).toBe('INVALID_INPUT');
});

describe('time', () => {
  it('does not expire a record before its SLA is over', () => {
    const early = { type: 'expire', at: '2026-02-26T10:29:59.999Z' } as const;
    expect(refusalOf(() => transition(aClarification(), early)).code).toBe('INVALID_STATE');
    expect(transition(aClarification(), { type: 'expire', at: '2026-02-26T10:30:00Z' }).record.status).toBe('stale');
  });

  it('renews the SLA with every question and with the retry, which is counted [US-5.1/10]', () => {
    const at = (time: string) => `2026-02-26T${time}:00.000Z`;
    const opened = aClarification({ slaMinutes: 10, created: at('10:00'), staleAfter: at('10:10') });
    const stale = transition(opened, { ...events.expire, at: at('10:10') }).record;
    expect(stale).toMatchObject({ status: 'stale', staleAfter: at('10:10') });
    const retried = transition(stale, { ...events.retry, at: at('10:20') }).record;
    expect(retried).toMatchObject({ status: 'pending', staleAfter: at('10:30'), retries: 1 });
    const answered = transition(retried, { ...events.answer, at: at('10:25') }).record;
    expect(answered).toMatchObject({ status: 'answered', staleAfter: at('10:30'), retries: 1 });
    const followed = transition(answered, { ...events['follow-up'], at: at('10:40') }).record;
    expect(followed).toMatchObject({ status: 'pending', round: 2, staleAfter: at('10:50') });
  });

  it('refuses a second retry of one question', () => {
    const stale = transition(aClarification({ slaMinutes: 10 }), events.expire).record;
    const retried = transition(stale, events.retry);
    expect(retried.record).toMatchObject({ status: 'pending', retries: 1, staleAfter: '2026-02-26T11:10:00.000Z' });
    expect(retried.effects).toEqual([{ type: 'invoke', agent: 'architect', clarificationId: 'CLR-42-001', round: 1 }]);
    const again = transition(retried.record, { type: 'expire', at: '2026-02-26T11:10:00Z' }).record;
    expect(refusalOf(() => transition(again, events.retry)).code).toBe('INVALID_STATE');
    expect(transition(again, events.escalate).record.status).toBe('escalated');
    const followed = transition(transition(again, events.answer).record, events['follow-up']).record;
    expect(followed).toMatchObject({ status: 'pending', staleAfter: '2026-02-26T11:10:00.000Z' });
  });

  it('takes an answer to a stale record [US-5.1/12]', () => {
    expect(transition(aClarification({ status: 'stale' }), events.answer).record.status).toBe('answered');
  });

  it('lets a record of the seeds, without our fields, be retried', () => {
    const { retries: _retries, slaMinutes: _sla, ...literal } = aClarification({ status: 'stale' });
    expect(transition(literal, events.retry).record).toMatchObject({
      retries: 1,
      staleAfter: '2026-02-26T11:30:00.000Z',
    });
  });
});

it("keeps the outcome of a human's word", () => {
  const { record } = transition(aClarification({ status: 'escalated' }), {
    ...events['human-resolve'],
    outcome: 'declined',
  });
  expect(record).toMatchObject({ status: 'resolved', outcome: 'declined', resolvedAt: LATER });
});

it('fires the event that belongs to each transition, in epoch milliseconds', () => {
  const fired = (record: ClarificationRecord, event: ClarificationEvent) =>
    transition(record, event).effects.flatMap((effect) => (effect.type === 'emit' ? [effect] : []));
  expect(fired(aClarification(), events.answer).map(({ name }) => name)).toEqual(['clarification-answered']);
  expect(fired(aClarification(), events.expire).map(({ name }) => name)).toEqual(['clarification-stale']);
  expect(fired(answered(), events.resolve).map(({ name }) => name)).toEqual(['clarification-resolved']);
  expect(fired(answered(), events.escalate).map(({ name }) => name)).toEqual(['clarification-escalated']);
  const [abandoned] = fired(aClarification(), events.abandon);
  expect(abandoned).toMatchObject({ name: 'clarification-abandoned', payload: { timestamp: Date.parse(LATER) } });
});

describe('any sequence of events', () => {
  const anyEvents = fc.array(fc.constantFrom(...Object.values(events)), { maxLength: 60 });
  const anyMaxRounds = fc.integer({ min: 1, max: 6 });

  it('reaches defined statuses only, never passes the round limit and bounds the thread [US-1.1/11]', () => {
    fc.assert(
      fc.property(anyEvents, anyMaxRounds, (sequence, maxRounds) => {
        let record = openClarification({ ...request, maxRounds }).record;
        for (const event of sequence) {
          record = attempt(record, event);
          expect(z.safeParse(ClarificationRecord, record).success).toBe(true);
          expect(record.round).toBeLessThanOrEqual(maxRounds);
          expect(record.thread.every((entry) => entry.round <= maxRounds)).toBe(true);
        }
        expect(record.thread.length).toBeLessThanOrEqual(2 * maxRounds + 2);
      }),
    );
  });

  it('leaves a finished record as it is [US-2.2/16] [US-2.2/17]', () => {
    fc.assert(
      fc.property(fc.constantFrom('resolved', 'abandoned'), anyEvents, (status, sequence) => {
        const record = aClarification({ status });
        for (const event of sequence) expect(attempt(record, event)).toBe(record);
      }),
    );
  });

  function attempt(record: ClarificationRecord, event: ClarificationEvent): ClarificationRecord {
    const before = structuredClone(record);
    try {
      return transition(record, event).record;
    } catch (error) {
      expect(error).toBeInstanceOf(AgentXError);
      return record;
    } finally {
      expect(record).toEqual(before);
    }
  }
});

describe('the ledger', () => {
  it('numbers after the highest it ever gave, repaired ledgers included', () => {
    expect(nextClarificationId(emptyLedger(42))).toBe('CLR-42-001');
    expect(nextClarificationId(aLedger())).toBe('CLR-42-002');
    expect(nextClarificationId(aLedger({ lastSequence: 999 }))).toBe('CLR-42-1000');
    expect(
      nextClarificationId(aLedger({ lastSequence: 1, clarifications: [aClarification({ id: 'CLR-42-007' })] })),
    ).toBe('CLR-42-008');
  });

  it('numbers a ledger of any size', () => {
    const record = aClarification();
    const clarifications = Array.from({ length: 200_000 }, () => record);
    expect(nextClarificationId(aLedger({ clarifications }))).toBe('CLR-42-002');
  });

  it('refuses an id twice, and an id of another issue', () => {
    const twice = z.safeParse(ClarificationLedger, aLedger({ clarifications: [aClarification(), aClarification()] }));
    expect(twice.error?.issues[0]).toMatchObject({ path: ['clarifications', 1, 'id'], message: 'repeats CLR-42-001' });
    expect(z.safeParse(ClarificationLedger, aLedger({ issueNumber: 4 })).success).toBe(false);
  });

  it('knows six statuses and four kinds of thread entry and refuses any other [US-1.1/3] [US-1.1/4]', () => {
    expect(ClarificationStatus.options).toEqual(['pending', 'answered', 'resolved', 'stale', 'escalated', 'abandoned']);
    expect(z.safeParse(ClarificationRecord, { ...aClarification(), status: 'open' }).success).toBe(false);
    const entry = { round: 1, from: 'engineer', type: 'question', body: 'x', timestamp: AT };
    expect(ThreadEntry.shape.type.options).toEqual(['question', 'answer', 'resolution', 'escalation']);
    expect(z.safeParse(ThreadEntry, entry).success).toBe(true);
    expect(z.safeParse(ThreadEntry, { ...entry, type: 'comment' }).success).toBe(false);
    for (const field of ['round', 'from', 'type', 'body', 'timestamp']) {
      expect(z.safeParse(ThreadEntry, { ...entry, [field]: undefined }).success).toBe(false);
    }
  });

  it('counts pending, answered, stale and escalated records as active', () => {
    expect(ClarificationStatus.options.filter((status) => isActive({ status }))).toEqual([
      'pending',
      'answered',
      'stale',
      'escalated',
    ]);
  });

  it('refuses hostile content and never touches the object prototype', () => {
    const hostile: unknown = JSON.parse('{"issueNumber":42,"clarifications":[],"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(z.parse(ClarificationLedger, hostile))).toBe(Object.prototype);
    for (const wrong of [
      { from: '__proto__' },
      { to: 'constructor' },
      { round: 0 },
      { round: 1e300 },
      { thread: {} },
    ]) {
      const clarifications = [{ ...aClarification(), ...wrong }];
      expect(z.safeParse(ClarificationLedger, { issueNumber: 42, clarifications }).success).toBe(false);
    }
  });
});
