import { describe, expect, it } from 'vitest';
import { AT, aClarification } from '../../test/builders/clarification.js';
import { active } from '../../test/builders/ports.js';
import type { ClarificationRecord, ThreadEntry } from '../protocol/clarification.js';
import { findStuck } from './stuck.js';

const LATER = '2026-02-26T10:05:00.000Z';

function threadOf(...questions: readonly string[]): readonly ThreadEntry[] {
  return questions.flatMap((body, index) => [
    { round: index + 1, from: 'engineer', type: 'question', body, timestamp: AT },
    { round: index + 1, from: 'architect', type: 'answer', body: 'It depends.', timestamp: AT },
  ]);
}

const stuckIds = (...records: readonly ClarificationRecord[]) =>
  findStuck(active(...records)).map(({ record }) => record.id);

describe('a thread that repeats itself', () => {
  it.each<[string, readonly string[], boolean]>([
    ['two questions that say the same', ['SQLite or PostgreSQL?', 'PostgreSQL, or SQLite?'], true],
    ['a repetition after other questions', ['Which port?', 'SQLite or PostgreSQL?', 'sqlite or postgresql'], true],
    ['a repetition that was left behind', ['SQLite or PostgreSQL?', 'SQLite or PostgreSQL?', 'Which port?'], false],
    ['the same question two rounds apart', ['Which port?', 'SQLite or PostgreSQL?', 'Which port?'], false],
    ['questions that differ in substance', ['Which database in production?', 'Which database in the tests?'], false],
    ['one question', ['SQLite or PostgreSQL?'], false],
  ])('%s [US-5.2/1]', (_what, questions, isStuck) => {
    const record = aClarification({ round: questions.length, thread: threadOf(...questions) });
    expect(stuckIds(record)).toEqual(isStuck ? [record.id] : []);
  });

  it("is the requester's to judge once the repetition is answered, and a human's once it is escalated", () => {
    const thread = threadOf('SQLite or PostgreSQL?', 'SQLite or PostgreSQL?');
    expect(stuckIds(aClarification({ status: 'stale', thread }))).toEqual(['CLR-42-001']);
    expect(stuckIds(aClarification({ status: 'answered', thread }))).toEqual([]);
    expect(stuckIds(aClarification({ status: 'escalated', thread }))).toEqual([]);
  });
});

describe('two agents that ask each other', () => {
  const asked = aClarification({ topic: 'Which database adapter' });
  const back = aClarification({
    id: 'CLR-42-002',
    from: 'architect',
    to: 'engineer',
    topic: 'which database adapter?',
    created: LATER,
  });

  it('about one topic are stuck in the later thread [US-5.2/2]', () => {
    const [found] = findStuck(active(asked, back));
    expect(found?.record.id).toBe('CLR-42-002');
    expect(found?.reason).toBe('architect asks engineer what engineer asks architect in CLR-42-001');
    expect(stuckIds(back, asked)).toEqual(['CLR-42-002']);
  });

  it('at the same instant are stuck in the one with the higher id', () => {
    expect(stuckIds({ ...back, id: 'CLR-42-1000', created: AT }, asked)).toEqual(['CLR-42-1000']);
  });

  it.each(['answered', 'escalated'] as const)('are not stuck once the earlier thread is %s', (status) => {
    expect(stuckIds({ ...asked, status }, back)).toEqual([]);
  });

  it.each<[string, Partial<ClarificationRecord>]>([
    ['about different topics', { topic: 'Retention of audit logs' }],
    ['on different issues', { id: 'CLR-43-001' }],
    ['after one was answered', { status: 'answered' }],
    ['after one was escalated', { status: 'escalated' }],
    ['in the same direction', { from: 'engineer', to: 'architect' }],
  ])('%s are not stuck [US-5.2/4]', (_what, fields) => {
    expect(stuckIds(asked, { ...back, ...fields })).toEqual([]);
  });
});
