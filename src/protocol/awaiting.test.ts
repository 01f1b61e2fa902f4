import { describe, expect, it } from 'vitest';
import { aClarification } from '../../test/builders/clarification.js';
import { findAwaiting } from './awaiting.js';
import { escalationQuestionId } from './ids.js';

const inner = aClarification({ id: 'CLR-42-002', questions: ['oq-old', 'oq-users'] });
const outer = aClarification({ id: 'CLR-42-001', awaits: ['CLR-42-002'] });
const open = [{ id: 'oq-users', blocking: true }];

describe('what waits for a human', () => {
  it('is every record of the chain, whichever is looked at first, with the question', () => {
    const outermost = aClarification({ id: 'CLR-42-003', awaits: ['CLR-42-001'] });
    expect([...findAwaiting([outermost, outer, inner], open)].toSorted()).toEqual([
      ['CLR-42-001', 'oq-users'],
      ['CLR-42-002', 'oq-users'],
      ['CLR-42-003', 'oq-users'],
    ]);
  });

  it('is what asked further and was escalated, but not what is escalated itself', () => {
    const escalated = aClarification({ id: 'CLR-42-002', status: 'escalated' });
    const id = escalationQuestionId('CLR-42-002', 1);
    expect([...findAwaiting([outer, escalated], [{ id, blocking: true }])]).toEqual([['CLR-42-001', id]]);
    expect(findAwaiting([outer, escalated], []).size).toBe(0);
  });

  it('is nothing once the question has ended, or if it holds no agent up', () => {
    expect(findAwaiting([outer, inner], []).size).toBe(0);
    expect(findAwaiting([outer, inner], [{ id: 'oq-users', blocking: false }]).size).toBe(0);
  });

  it('is nothing that was answered meanwhile, nor what waited for that', () => {
    expect(findAwaiting([outer, { ...inner, status: 'answered' }], open).size).toBe(0);
    expect([...findAwaiting([{ ...outer, status: 'escalated' }, inner], open).keys()]).toEqual(['CLR-42-002']);
  });

  it('comes to an end where an edited file leads in a circle', () => {
    const circle = aClarification({ id: 'CLR-42-002', awaits: ['CLR-42-001'] });
    expect(findAwaiting([outer, circle], open).size).toBe(0);
  });
});
