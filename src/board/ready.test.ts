import { describe, expect, it } from 'vitest';
import { aBoard } from '../../test/builders/board.js';
import { aClarification } from '../../test/builders/clarification.js';
import { anIssue } from '../../test/builders/issue.js';
import { active } from '../../test/builders/ports.js';
import { aQuestion } from '../../test/builders/question.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { escalationQuestionId } from '../protocol/ids.js';
import { type Issue, summaryOf } from '../protocol/issue.js';
import type { Question } from '../protocol/question.js';
import { type BoardState, queueOf, readyQueue, readySummaries } from './ready.js';

const EMPTY: BoardState = { issues: [], active: [], openQuestions: [] };

/** `#1` for a ready issue, `#1 reason` for a blocked one. */
function shown({
  issues = [],
  ...state
}: Partial<Omit<BoardState, 'issues'>> & { readonly issues?: readonly Issue[] }) {
  const summaries = issues.flatMap((issue) => summaryOf(issue) ?? []);
  const { ready, blocked } = queueOf({ ...EMPTY, ...state, issues: summaries });
  return {
    ready: ready.map(({ number }) => `#${number}`),
    blocked: blocked.map(({ issue, reason }) => `#${issue.number} ${reason}`),
  };
}

const open = (number: number, fields: Partial<Issue> = {}) => anIssue({ number, ...fields });

describe('the ready queue', () => {
  it('lists open issues by priority, then by number [US-3.2/6]', () => {
    const issues = [
      open(1),
      open(2, { labels: ['priority:p2'] }),
      open(3, { labels: ['priority:p0'] }),
      open(4, { labels: ['priority:p2', 'priority:p0'] }),
      open(5, { labels: ['priority:p9'] }),
    ];
    expect(shown({ issues })).toEqual({ ready: ['#3', '#4', '#2', '#5', '#1'], blocked: [] });
  });

  it('leaves out what is closed, done or in progress', () => {
    const issues = [
      open(1, { state: 'closed' }),
      open(2, { taskStatus: 'done' }),
      open(3, { taskStatus: 'in_progress' }),
    ];
    expect(shown({ issues })).toEqual({ ready: [], blocked: [] });
  });

  it('blocks what waits for other open issues, as either side says [US-3.2/6]', () => {
    const issues = [
      open(1, { body: 'Blocks: #3' }),
      open(2, { body: 'Blocked-by: #1, #4, #77, #2' }),
      open(3),
      open(4, { state: 'closed', body: 'Blocks: #1' }),
      open(5, { body: 'Blocked-by: #6' }),
      open(6, { taskStatus: 'done' }),
    ];
    expect(shown({ issues })).toEqual({ ready: ['#1', '#5'], blocked: ['#2 BLOCKED: #1', '#3 BLOCKED: #1'] });
  });

  it('does not hang on issues that block each other', () => {
    const issues = [
      open(1, { body: 'Blocked-by: #2' }),
      open(2, { body: 'Blocked-by: #3' }),
      open(3, { body: 'Blocked-by: #1' }),
    ];
    expect(shown({ issues }).blocked).toEqual(['#1 BLOCKED: #2', '#2 BLOCKED: #3', '#3 BLOCKED: #1']);
  });

  it.each<[Partial<ClarificationRecord>, string | undefined]>([
    [{ status: 'pending' }, 'BLOCKED: Clarification CLR-42-001 pending from architect'],
    [{ status: 'stale' }, 'BLOCKED: Clarification CLR-42-001 pending from architect'],
    [{ status: 'escalated' }, 'BLOCKED: Clarification CLR-42-001 pending from you'],
    [{ status: 'answered' }, undefined],
    [{ status: 'pending', blocking: false }, undefined],
  ])('with a clarification %o says %s [US-3.2/5]', (fields, reason) => {
    const state = { issues: [open(42)], active: active(aClarification(fields)) };
    expect(shown(state)).toEqual(
      reason === undefined ? { ready: ['#42'], blocked: [] } : { ready: [], blocked: [`#42 ${reason}`] },
    );
  });

  it('shows work in progress that waits', () => {
    const state = { issues: [open(42, { taskStatus: 'in_progress' })], active: active(aClarification()) };
    expect(shown(state).blocked).toHaveLength(1);
  });

  it('names the clarification and the question to be answered', () => {
    const questionId = escalationQuestionId('CLR-42-001', 1);
    const issues = [open(42)];
    const escalated = active(aClarification({ status: 'escalated' }));
    const openQuestions = [aQuestion({ id: questionId, kind: 'escalation' })];
    expect(queueOf({ issues, active: escalated, openQuestions }).blocked).toMatchObject([
      { clarificationId: 'CLR-42-001', questionId },
    ]);
    expect(queueOf({ issues, active: escalated, openQuestions: [] }).blocked[0]).not.toHaveProperty('questionId');
  });

  it('is pending from you where the target waits for your answer', () => {
    const issues = [open(42)];
    const pending = active(aClarification({ questions: ['oq-1', 'oq-2'] }));
    const asked = (fields: Partial<Question>) =>
      queueOf({ issues, active: pending, openQuestions: [aQuestion({ id: 'oq-2', ...fields })] }).blocked;
    const clarification = { issue: { number: 42 }, clarificationId: 'CLR-42-001' };
    expect(asked({})).toMatchObject([
      { ...clarification, reason: 'BLOCKED: Clarification CLR-42-001 pending from you', questionId: 'oq-2' },
    ]);
    const others = [{ ...clarification, reason: 'BLOCKED: Clarification CLR-42-001 pending from architect' }];
    expect(asked({ blocking: false })).toMatchObject(others);
    expect(asked({ id: 'oq-3' })).toMatchObject(others);
  });

  it('blocks on an open question that blocks, and on nothing else of that kind', () => {
    const issues = [open(42), open(43)];
    const openQuestions = [aQuestion(), aQuestion({ id: 'oq-2', issueNumber: 43, blocking: false })];
    expect(shown({ issues, openQuestions })).toEqual({
      ready: ['#43'],
      blocked: ['#42 BLOCKED: Question oq-1a2b3c4d pending from you'],
    });
  });

  it('gives the reason of a blocked task', () => {
    const issues = [
      open(1, { taskStatus: 'blocked', block_reason: 'Open Question' }),
      open(2, { taskStatus: 'blocked' }),
    ];
    expect(shown({ issues }).blocked).toEqual(['#1 BLOCKED: Open Question', '#2 BLOCKED: no reason given']);
  });

  it('is read from the store', async () => {
    const { store } = aBoard();
    await store.issues.create(open(0));
    await store.issues.create(open(0));
    const record = aClarification({ id: 'CLR-1-001' });
    await store.ledgers.update(1, (ledger) => ({ next: { ...ledger, clarifications: [record] }, result: undefined }));
    await store.questions.create(aQuestion({ issueNumber: 2 }));
    await store.issues.create(open(0, { body: 'It is long.' }));
    const queue = {
      ready: [{ number: 3 }],
      blocked: [
        { issue: { number: 1 }, clarificationId: 'CLR-1-001' },
        { issue: { number: 2 }, questionId: 'oq-1a2b3c4d' },
      ],
      damaged: [],
    };
    expect(await readySummaries({ store })).toMatchObject(queue);
    expect(await readyQueue({ store })).toMatchObject(queue);
    expect((await readyQueue({ store })).ready).toEqual([await store.issues.read(3)]);
    expect((await readySummaries({ store }, [])).blocked).toMatchObject([{ issue: { number: 2 } }]);
  });
});
