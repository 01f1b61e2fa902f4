import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { anIssue } from '../../test/builders/issue.js';
import { dependenciesOf, Issue, priorityOf, typeOf } from './issue.js';

describe('an issue', () => {
  it('loads with comments, also those without an author, and keeps unknown fields', () => {
    const issue = { ...anIssue({ comments: [{ body: 'hello', created: '2026-02-26T10:00:00Z' }] }), milestone: 'v1' };
    expect(z.parse(Issue, issue)).toEqual(issue);
  });

  it('refuses an unknown state, task status or number', () => {
    for (const wrong of [{ state: 'gone' }, { taskStatus: 'lost' }, { number: -1 }, { number: '42' }]) {
      expect(z.safeParse(Issue, { ...anIssue(), ...wrong }).success).toBe(false);
    }
  });
});

describe('labels and body', () => {
  it('give the type, a story by default', () => {
    expect(typeOf({ labels: ['x', 'type:bug'] })).toBe('bug');
    expect(typeOf({ labels: ['type:unknown'] })).toBe('story');
  });

  it('give the most urgent priority, or none', () => {
    expect(priorityOf({ labels: ['priority:p2', 'priority:p0'] })).toBe(0);
    expect(priorityOf({ labels: ['priority:p10', 'p1'] })).toBeUndefined();
  });

  it('give dependencies, each once', () => {
    const body = 'Text.\nBlocked-by: #3, #5\nblocked-by: #3\nBlocks: #9\nUnblocks: #1\nBlocked-by: later';
    expect(dependenciesOf({ body })).toEqual({ blockedBy: [3, 5], blocks: [9] });
    expect(dependenciesOf({ body: '- **Blocked-by:** #3' }).blockedBy).toEqual([3]);
  });

  it('are read from a very long body', () => {
    expect(dependenciesOf({ body: `Blocked-by: ${'#1 , '.repeat(50_000)}x` }).blockedBy).toEqual([1]);
    expect(dependenciesOf({ body: `Blocked-by:${' '.repeat(200_000)}` }).blockedBy).toEqual([]);
  });
});
