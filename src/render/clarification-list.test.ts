import { describe, expect, it } from 'vitest';
import { aClarification } from '../../test/builders/clarification.js';
import { findAwaiting } from '../protocol/awaiting.js';
import { renderClarificationList } from './clarification-list.js';
import { UNPAINTED } from './conversation.js';

const view = { width: 200, paint: UNPAINTED, now: '2026-02-26T10:31:00.000Z', isRelative: true };

describe('the list of clarifications', () => {
  it('shows status, round and age, and who waits for you', () => {
    const records = [
      aClarification({ id: 'CLR-42-002', status: 'escalated', round: 5, topic: 'Retention' }),
      aClarification({ id: 'CLR-57-001', from: 'tester', to: 'engineer', topic: 'Flaky login', retries: 1 }),
      aClarification({ id: 'CLR-58-001', staleAfter: '2026-02-26T10:40:00.000Z', topic: 'A\u001b[31m\nB' }),
    ];
    expect(renderClarificationList(records, view).split('\n')).toEqual([
      'ID          ISSUE  FROM      TO         TOPIC        STATUS     ROUND  AGE',
      'CLR-42-002  #42    engineer  architect  Retention    escalated  5/5    31 min',
      'CLR-57-001  #57    tester    engineer   Flaky login  pending    1/5    31 min  stale for 1 min, retried once',
      'CLR-58-001  #58    engineer  architect  A B          pending    1/5    31 min  stale in 9 min',
      '3 active, 1 waits for you: agentx inbox',
    ]);
  });

  it('counts no time against a target that waits for a human, at whatever depth', () => {
    const records = [
      aClarification({ id: 'CLR-42-001', topic: 'Database', awaits: ['CLR-42-002'] }),
      aClarification({
        id: 'CLR-42-002',
        from: 'architect',
        to: 'ux-designer',
        topic: 'Load',
        questions: ['oq-users'],
      }),
      aClarification({ id: 'CLR-42-003', topic: 'Port' }),
    ];
    const awaiting = findAwaiting(records, [{ id: 'oq-users', blocking: true }]);
    const [, outer, inner, other, end] = renderClarificationList(records, { ...view, awaiting }).split('\n');
    expect(outer).toMatch(/31 min {2}waits for you$/);
    expect(inner).toMatch(/31 min {2}waits for you$/);
    expect(other).toMatch(/31 min {2}stale for 1 min$/);
    expect(end).toBe('3 active, 1 waits for you: agentx inbox');
  });

  it('cuts the topic to fit a terminal, and nothing else', () => {
    const record = aClarification({ topic: 'Retention of audit logs in every region', retries: 1 });
    const [, row] = renderClarificationList([record], { ...view, width: 107 }).split('\n');
    expect(row).toBe(
      'CLR-42-001  #42    engineer  architect  Retention ..  pending  1/5    31 min  stale for 1 min, retried once',
    );
  });

  it('shows times as they are stored to programs, and counts what is closed', () => {
    const [head, row, end] = renderClarificationList([aClarification({ status: 'resolved', retries: 1 })], {
      ...view,
      isRelative: false,
    }).split('\n');
    expect(head).toMatch(/CREATED$/);
    expect(row).toMatch(/resolved {2}1\/5 {4}2026-02-26T10:00:00\.000Z$/);
    expect(end).toBe('0 active, 1 closed');
  });
});
