import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anAssumption } from '../../test/builders/assumption.js';
import { aClarification } from '../../test/builders/clarification.js';
import { fixedClock } from '../../test/builders/hub.js';
import { aQuestion } from '../../test/builders/question.js';
import { aRun } from '../../test/builders/run.js';
import { describeCycle } from '../hub/wait-graph.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { transition } from '../protocol/clarification-transition.js';
import { isQuiet, judge } from '../protocol/digest.js';
import { weekOf } from '../protocol/iso-week.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { digest, digestOf, type Records } from './digest.js';

const WEEK = '2026-W09';
const DURING = '2026-02-25T10:00:00.000Z';
const LATER = '2026-02-25T10:02:00.000Z';
const WEEK_BEFORE = '2026-02-18T10:00:00.000Z';
const WEEK_AFTER = '2026-03-02T00:00:00.000Z';

let sequence = 0;
const aRecord = (fields: Partial<ClarificationRecord> = {}): ClarificationRecord => {
  const id = `CLR-42-${String(++sequence).padStart(3, '0')}`;
  const { created = DURING, from = 'engineer' } = fields;
  const thread = [{ round: 1, from, type: 'question', body: 'Which?', timestamp: created } as const];
  return aClarification({ id, created, thread, staleAfter: '2026-02-25T10:30:00.000Z', ...fields });
};
const answered = (record: ClarificationRecord, at = LATER) =>
  transition(record, { type: 'answer', at, by: record.to, body: 'This one.' }).record;
const resolved = (record: ClarificationRecord, at = LATER) =>
  transition(answered(record, at), { type: 'resolve', at, by: record.from, body: 'Clear.' }).record;
const escalated = (record: ClarificationRecord, reason = 'no agreement', at = LATER) =>
  transition(record, { type: 'escalate', at, reason }).record;

const counted = (records: readonly ClarificationRecord[], more: Partial<Records> = {}, week = WEEK) =>
  digestOf(week, {
    clarifications: records,
    runs: [],
    questions: [],
    assumptions: [],
    ...more,
  });
const target = (id: string, digest: Pick<ReturnType<typeof digestOf>, 'targets'>) =>
  digest.targets.find((one) => one.id === id);

describe('the totals of a week', () => {
  it('count what was asked, resolved and escalated in it [US-7.1/1]', () => {
    const { totals } = counted([aRecord(), resolved(aRecord()), resolved(aRecord()), escalated(aRecord())]);
    expect(totals).toMatchObject({ clarifications: 4, resolved: 2, escalated: 1, abandoned: 0, rounds: 2 });
  });

  it('count an answer from memory unless a follow-up rejects it, also the one after the last round', () => {
    const remembered = (fields: Partial<ClarificationRecord> = {}) =>
      transition(aRecord(fields), { type: 'answer', at: LATER, by: 'memory', body: 'As before.' }).record;
    const followed = (record: ClarificationRecord) =>
      transition(record, { type: 'follow-up', at: LATER, by: 'engineer', body: 'Still?' }).record;
    const records = [remembered(), followed(remembered()), followed(remembered({ maxRounds: 1 }))];
    expect(counted(records).totals).toMatchObject({ rounds: 3, remembered: 1 });
  });

  it('leave out what happened in other weeks, down to the instant [US-7.1/1]', () => {
    const records = [
      resolved(aRecord({ created: WEEK_BEFORE }), WEEK_BEFORE),
      resolved(aRecord({ created: WEEK_BEFORE }), DURING),
      aRecord({ created: '2026-03-01T23:59:59.999Z' }),
      aRecord({ created: WEEK_AFTER }),
    ];
    expect(counted(records).totals).toMatchObject({ clarifications: 1, resolved: 1, rounds: 1 });
    expect(counted(records).before).toMatchObject({ week: '2026-W08', totals: { clarifications: 2, resolved: 1 } });
  });

  it('never count one event in two weeks, and lose none', () => {
    const instants = fc.date({ min: new Date('2025-12-20'), max: new Date('2026-01-20'), noInvalidDate: true });
    fc.assert(
      fc.property(fc.array(instants, { maxLength: 8 }), (dates) => {
        const records = dates.map((date) => aRecord({ created: date.toISOString() }));
        const weeks = new Set(dates.map((date) => weekOf(date.toISOString())));
        const sum = [...weeks].reduce((count, week) => count + counted(records, {}, week).totals.clarifications, 0);
        expect(sum).toBe(records.length);
      }),
    );
  });

  it('know clarifications that were abandoned', () => {
    expect(counted([transition(aRecord(), { type: 'abandon', at: LATER }).record]).totals.abandoned).toBe(1);
  });
});

describe('the rates of a week', () => {
  it('give the rounds that a resolution took against two to three [US-7.1/2]', () => {
    const second = transition(answered(aRecord()), {
      type: 'follow-up',
      at: LATER,
      by: 'engineer',
      body: 'And?',
    }).record;
    const third = transition(answered(second), { type: 'follow-up', at: LATER, by: 'engineer', body: 'But?' }).record;
    const digest = counted([resolved(third), resolved(aRecord()), aRecord(), escalated(aRecord())]);
    expect(digest.rates.averageRounds).toBe(2);
    expect(target('averageRounds', digest)).toMatchObject({ value: 2, target: '2 to 3', isMet: true, before: null });
  });

  it.each([
    [1, false],
    [1.5, false],
    [1.99, false],
    [1.996, true],
    [2, true],
    [3, true],
    [3.004, true],
    [3.01, false],
  ])('take %d rounds on average for what it is shown to be against two to three [US-7.1/2]', (averageRounds, isMet) => {
    const { totals, rates } = counted([]);
    const figures = { totals, rates: { ...rates, averageRounds } };
    expect(target('averageRounds', { targets: judge(figures, figures) })).toMatchObject({ isMet });
  });

  it('give the share that was resolved without a human against more than 80 percent [US-7.1/5]', () => {
    const byHuman = transition(escalated(aRecord()), {
      type: 'human-resolve',
      at: LATER,
      by: 'human',
      body: 'A.',
    }).record;
    const digest = counted([...[1, 2, 3].map(() => resolved(aRecord())), byHuman, aRecord()]);
    expect(digest.rates.autoResolution).toBe(0.75);
    expect(target('autoResolution', digest)).toMatchObject({ isMet: false, target: '> 80 %' });
    expect(target('autoResolution', counted([resolved(aRecord())]))).toMatchObject({ value: 1, isMet: true });
  });

  it('take an answer that a human gave in the place of the agent for a human answer', () => {
    const answer = transition(aRecord(), { type: 'answer', at: LATER, by: 'human', body: 'A.' }).record;
    const record = transition(answer, { type: 'resolve', at: LATER, by: 'engineer', body: 'Clear.' }).record;
    expect(counted([record]).rates.autoResolution).toBe(0);
  });

  it('give the share that was escalated against less than 20 percent [US-7.1/6]', () => {
    const digest = counted([escalated(aRecord()), ...[1, 2, 3].map(() => aRecord())]);
    expect(digest.rates.escalation).toBe(0.25);
    expect(target('escalation', digest)).toMatchObject({ isMet: false, target: '< 20 %' });
    const before = counted([escalated(aRecord({ created: WEEK_BEFORE }))]);
    expect(before.rates.escalation).toBe(1);
  });

  it('are empty where there is nothing to measure', () => {
    const digest = counted([]);
    expect(Object.values(digest.rates)).toEqual(Array(8).fill(null));
    expect(target('escalation', digest)).toMatchObject({ value: null, isMet: null });
    expect(isQuiet(digest)).toBe(true);
  });
});

describe('reviews and rework', () => {
  const reviewed = (verdict: 'approved' | 'rejected', cause?: string, at = DURING) =>
    ({
      type: 'turn-ended',
      at,
      step: 'review',
      turn: 1,
      status: 'done',
      acts: [],
      review: cause === undefined ? { verdict } : { verdict, cause },
    }) as const;
  const reopened = (at = DURING) => ({ type: 'reopened', at, steps: ['implement'], by: 'review' }) as const;

  it('give the share of reviews rejected for misunderstanding against less than 15 percent [US-7.1/7]', () => {
    const journal = [
      reviewed('rejected', 'misunderstanding'),
      reviewed('rejected', 'defect'),
      reviewed('approved'),
      reviewed('approved'),
      reviewed('rejected', 'misunderstanding', WEEK_AFTER),
    ];
    const digest = counted([], { runs: [aRun({ journal })] });
    expect(digest.reviews).toEqual({ total: 4, rejected: 2, misunderstood: 1 });
    expect(target('misunderstanding', digest)).toMatchObject({ value: 0.25, target: '< 15 %', isMet: false });
  });

  it('give how often an answer was other than what the agent would have done [X-11/1]', () => {
    const ended = (response: object, fields = {}) =>
      aQuestion({
        status: 'resolved',
        outcome: 'answered',
        answeredBy: { principal: 'ada', channel: 'cli' },
        createdAt: DURING,
        resolvedAt: DURING,
        questions: [
          {
            ...aQuestion().questions[0],
            id: 'q1',
            text: 'How long?',
            createdAt: DURING,
            multiSelect: false,
            allowText: true,
            options: [
              { id: 'a', label: '30 days', recommended: true },
              { id: 'b', label: 'A year' },
            ],
          },
        ],
        responses: [{ questionId: 'q1', ...response }],
        ...fields,
      });
    const questions = [
      ended({ optionIds: ['a'] }),
      ended({ answer: ' 30 Days' }),
      ended({ optionIds: ['b'] }),
      ended({ answer: 'For ever.' }),
      ended({ answer: 'For ever.' }, { kind: 'approval' }),
      ended({ optionIds: ['b'] }, { resolvedAt: WEEK_AFTER }),
    ];
    expect(target('askPrecision', counted([], { questions }))).toMatchObject({
      value: 0.5,
      target: '> 50 %',
      isMet: false,
    });
    expect(target('askPrecision', counted([]))).toMatchObject({ value: null, isMet: null });
  });

  it('take the fallback of each part for what the agent had planned [X-11/1]', () => {
    const options = [
      { id: 'a', label: '30 days' },
      { id: 'b', label: 'A year' },
    ];
    const part = (id: string, optionId: string) => ({ id, text: `${id}?`, options, fallback: { optionId } });
    const question = aQuestion({
      status: 'resolved',
      outcome: 'answered',
      resolvedAt: DURING,
      answeredBy: { principal: 'ada', channel: 'cli' },
      questions: [part('q1', 'a'), part('q2', 'b')],
      fallback: { text: '30 days; A year' },
      responses: [
        { questionId: 'q1', optionIds: ['a'], answer: '30 days' },
        { questionId: 'q2', optionIds: ['a'], answer: '30 days' },
      ],
    });
    expect(target('askPrecision', counted([], { questions: [question] }))).toMatchObject({ value: 0.5 });
  });

  it('count a late answer in the week in which it came, unless the assumption was kept [X-11/1]', () => {
    const question = aQuestion({
      status: 'resolved',
      outcome: 'fallback_applied',
      resolvedAt: DURING,
      answeredBy: { principal: 'agent-x', channel: 'timeout' },
      fallback: { optionId: 'b' },
      responses: [{ questionId: 'q1', optionIds: ['b'], answer: 'SQLite' }],
      lateResponses: [
        {
          responses: [{ questionId: 'q1', optionIds: ['a'], answer: 'PostgreSQL' }],
          answeredBy: { principal: 'ada', channel: 'cli' },
          at: WEEK_AFTER,
        },
      ],
    });
    const precision = (week: string, fields = {}) =>
      counted([], { questions: [{ ...question, ...fields }] }, week).rates.askPrecision;
    expect(precision(WEEK)).toBeNull();
    expect(precision('2026-W10')).toBe(1);
    expect(precision('2026-W10', { kept: ['q1'] })).toBeNull();
  });

  it('take a proposal, a failed step and an escalated clarification for nothing more that was asked about [X-11/2]', () => {
    const questions = (['approval', 'agent_failed', 'late_answer', 'escalation'] as const).map((kind) =>
      aQuestion({ kind, createdAt: DURING }),
    );
    const runs = [aRun({ journal: [reviewed('rejected', 'misunderstanding')] })];
    expect(counted([], { questions, runs }).rates.askRecall).toBe(0);
    expect(counted([escalated(aRecord())], { questions, runs }).rates.askRecall).toBe(0.5);
    const askedQuestions = [...questions, aQuestion({ createdAt: DURING })];
    expect(counted([], { questions: askedQuestions, runs }).rates.askRecall).toBe(0.5);
  });

  it('give how much was asked about instead of found out later, and how often an assumption was regretted [X-11/2] [X-11/3]', () => {
    const digest = counted([aRecord(), aRecord(), aRecord()], {
      runs: [aRun({ journal: [reviewed('rejected', 'misunderstanding')] })],
    });
    expect(target('askRecall', digest)).toMatchObject({ value: 0.75, target: '> 80 %', isMet: false });
    expect(target('regret', digest)).toMatchObject({ value: null, isMet: null });
    const judged = (status: 'confirmed' | 'rejected') => anAssumption({ status, decidedAt: DURING });
    const assumptions = [judged('confirmed'), judged('confirmed'), judged('confirmed'), judged('rejected')];
    const digestWithRegret = counted([aRecord()], { assumptions: [...assumptions, anAssumption()] });
    expect(target('regret', digestWithRegret)).toMatchObject({ value: 0.25, target: '< 20 %', isMet: false });
    expect(target('askRecall', digestWithRegret)).toMatchObject({ value: 0.5 });
  });

  it('give rework cycles per issue that was worked on against less than 1.5 [US-7.1/8]', () => {
    const runs = [
      aRun({ journal: [reviewed('rejected', 'defect'), reopened(), reopened(), reopened(WEEK_BEFORE)] }),
      aRun({ issueNumber: 43, journal: [reviewed('approved')] }),
      aRun({ issueNumber: 44, journal: [{ type: 'created', at: DURING }] }),
    ];
    const digest = counted([], { runs });
    expect(digest.rework).toEqual({ cycles: 2, issues: 2 });
    expect(target('reworkPerIssue', digest)).toMatchObject({ value: 1, target: '< 1.5', isMet: true, before: 1 });
  });
});

describe('the health of a week', () => {
  it('counts clarifications that went stale in it, answered since or not [US-7.1/9]', () => {
    const staleRecord = transition(aRecord(), { type: 'expire', at: '2026-02-25T10:40:00.000Z' }).record;
    const retriedRecord = transition(staleRecord, { type: 'retry', at: '2026-02-25T10:41:00.000Z' }).record;
    const twice = transition(retriedRecord, { type: 'expire', at: '2026-03-03T10:00:00.000Z' }).record;
    const { expiredAt: _, ...foreignRecord } = transition(aRecord(), {
      type: 'expire',
      at: '2026-02-25T10:40:00.000Z',
    }).record;
    const digest = counted([resolved(retriedRecord), twice, foreignRecord, aRecord()]);
    expect(target('stale', digest)).toMatchObject({ value: 3, target: '0', isMet: false });
    expect(counted([twice], {}, '2026-W10').totals.stale).toBe(1);
  });

  it('counts what was escalated because of a deadlock [US-7.1/10]', () => {
    const reason = describeCycle({ agents: ['engineer', 'architect'], records: [] });
    const { thread, ...older } = escalated(aRecord(), reason);
    const without = { ...older, thread: thread.map(({ reason: _, ...entry }) => entry) };
    const digest = counted([escalated(aRecord(), reason), without, escalated(aRecord())]);
    expect(target('deadlocks', digest)).toMatchObject({ value: 2, target: '0', isMet: false });
  });

  it('says how long agents and humans took to answer', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((minutes) =>
      answered(aRecord(), new Date(Date.parse(DURING) + minutes * 60_000).toISOString()),
    );
    const questions = [
      aQuestion({ status: 'resolved', outcome: 'answered', createdAt: WEEK_BEFORE, resolvedAt: DURING }),
      aQuestion({ id: 'oq-2', status: 'resolved', outcome: 'fallback_applied', createdAt: DURING, resolvedAt: LATER }),
    ];
    const digest = counted(waits, { questions });
    expect(digest.timeToAnswer.agents).toEqual({ count: 10, medianMs: 300_000, p90Ms: 540_000 });
    expect(digest.timeToAnswer.humans).toEqual({ count: 1, medianMs: 604_800_000, p90Ms: 604_800_000 });
    expect(digest.questions).toEqual({ asked: 1, answered: 1, fallbackApplied: 1, otherwiseEnded: 0 });
  });
});

describe('topics and agents', () => {
  it('groups topics that share most of their words, the most common first [US-7.1/3]', () => {
    const topics = [
      'Retention of audit logs',
      'Database adapter',
      'The database adapter?',
      'which DATABASE adapter',
      'Theme',
    ];
    const [first, ...rest] = counted(topics.map((topic) => aRecord({ topic }))).topics;
    expect(first).toMatchObject({ topic: 'Database adapter', count: 3 });
    expect(first?.clarifications).toHaveLength(3);
    expect(rest.map(({ topic }) => topic)).toEqual(['Retention of audit logs', 'Theme']);
  });

  it('gives the same groups in whatever order the records come', () => {
    const records = ['A b c', 'B c d', 'C d e', 'A b c d', 'E f'].map((topic) => aRecord({ topic }));
    const groups = counted(records).topics;
    fc.assert(
      fc.property(fc.shuffledSubarray(records, { minLength: records.length }), (shuffledRecords) => {
        expect(counted(shuffledRecords).topics).toEqual(groups);
      }),
    );
  });

  it('copes with a week of thousands of topics', () => {
    const records = Array.from({ length: 5000 }, (_, index) => aRecord({ topic: `Topic ${index} alpha${index}` }));
    expect(counted(records).topics).toHaveLength(5000);
  });

  it('names the agents that ask most first [US-7.1/4]', () => {
    const records = [
      aRecord(),
      aRecord({ from: 'reviewer', to: 'engineer' }),
      escalated(aRecord()),
      resolved(aRecord()),
    ];
    expect(counted(records).agents).toEqual([
      { agent: 'engineer', asked: 3, answered: 0, escalated: 1 },
      { agent: 'reviewer', asked: 1, answered: 0, escalated: 0 },
      { agent: 'architect', asked: 0, answered: 1, escalated: 0 },
    ]);
  });

  it('shows each day of the week', () => {
    const { days } = counted([aRecord(), resolved(aRecord()), escalated(aRecord())]);
    expect(days).toHaveLength(7);
    expect(days[2]).toEqual({ date: '2026-02-25', asked: 3, resolved: 1, escalated: 1 });
    expect(days[0]).toEqual({ date: '2026-02-23', asked: 0, resolved: 0, escalated: 0 });
  });
});

describe('a digest', () => {
  it('is of the present week unless another is named', async () => {
    const ports = { store: openInMemoryStore(), clock: fixedClock('2027-01-01T00:00:00.000Z') };
    expect((await digest(ports)).digest.week).toBe('2026-W53');
    expect((await digest(ports, { week: WEEK })).digest).toMatchObject({
      week: WEEK,
      from: '2026-02-23T00:00:00.000Z',
      to: '2026-03-02T00:00:00.000Z',
    });
    await expect(digest(ports, { week: '2026-W54' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
