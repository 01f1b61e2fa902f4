import { describe, expect, it } from 'vitest';
import { aClarification } from '../../test/builders/clarification.js';
import { aWorkflow } from '../../test/builders/hub.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { precedenceOf } from './precedence.js';
import { cycleWith, describeCycle, findCycles, mostDownstream, recordsToEscalate } from './wait-graph.js';

let sequence = 0;
const waiting = (from: string, to: string, fields: Partial<ClarificationRecord> = {}): ClarificationRecord =>
  aClarification({ id: `CLR-${(sequence % 5) + 1}-${String(++sequence).padStart(3, '0')}`, from, to, ...fields });

describe('the wait-for graph', () => {
  it('finds two agents that wait for each other, across issues [US-5.3/1]', () => {
    const records = [waiting('engineer', 'architect'), waiting('architect', 'engineer', { status: 'stale' })];
    const [cycle, ...others] = findCycles(records);
    expect(cycle?.agents).toEqual(['architect', 'engineer']);
    expect(cycle?.records).toEqual(records.toReversed());
    expect(others).toEqual([]);
  });

  it('finds cycles of any length, each once', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const records = names.map((name, index) => waiting(name, names[(index + 1) % names.length] ?? ''));
    expect(findCycles(records)).toEqual([{ agents: names, records }]);
    expect(findCycles([...records, waiting('x', 'y'), waiting('y', 'x'), waiting('z', 'a')])).toHaveLength(2);
  });

  it('finds none in a line, among non-blocking records, or where somebody has answered [US-5.3/7]', () => {
    expect(findCycles([waiting('a', 'b'), waiting('b', 'c')])).toEqual([]);
    expect(findCycles([waiting('a', 'b'), waiting('b', 'a', { blocking: false })])).toEqual([]);
    for (const status of ['answered', 'escalated', 'resolved', 'abandoned'] as const) {
      expect(findCycles([waiting('a', 'b'), waiting('b', 'a', { status })])).toEqual([]);
    }
  });

  it('finds the cycle that a candidate closes and no other', () => {
    const records = [waiting('a', 'b'), waiting('b', 'c'), waiting('x', 'y'), waiting('y', 'x')];
    const candidate = waiting('c', 'a');
    expect(cycleWith(records, candidate)?.agents).toEqual(['c', 'a', 'b']);
    expect(cycleWith([...records, candidate], candidate)?.records).toHaveLength(3);
    expect(cycleWith(records, waiting('c', 'd'))).toBeUndefined();
    expect(cycleWith(records, { ...candidate, blocking: false })).toBeUndefined();
  });

  it('says who waits for whom', () => {
    const [cycle] = findCycles([waiting('a', 'b'), waiting('b', 'a')]);
    expect(cycle && describeCycle(cycle)).toBe('deadlock: a waits for b waits for a');
  });
});

describe('who gives way', () => {
  const general = precedenceOf([], ['tester', 'coder']);

  it('is the most downstream agent of the general list [US-5.3/2]', () => {
    expect(mostDownstream(['engineer', 'architect', 'product-manager'], general)).toBe('engineer');
    expect(mostDownstream(['architect', 'product-manager'], general)).toBe('architect');
    expect(mostDownstream(['reviewer', 'tester', 'engineer'], general)).toBe('tester');
    expect(mostDownstream(['coder', 'tester'], general)).toBe('coder');
    expect(mostDownstream(['stranger', 'coder'], general)).toBe('stranger');
  });

  it('is decided by the workflow where that orders two agents [US-5.3/8]', () => {
    const { workflow } = aWorkflow([
      { id: 'build', title: 'Build', agent: 'engineer' },
      { id: 'check', title: 'Check', agent: 'tester', needs: ['build'] },
      { id: 'document', title: 'Document', agent: 'architect', needs: ['check'] },
    ]);
    const precedence = precedenceOf([workflow], ['tester']);
    expect(mostDownstream(['engineer', 'architect'], precedence)).toBe('architect');
    expect(mostDownstream(['engineer', 'reviewer', 'architect'], precedence)).toBe('reviewer');
  });

  it('is left to the list by workflows that contradict each other', () => {
    const [first, second] = [
      ['engineer', 'architect'],
      ['architect', 'engineer'],
    ].map(([one = '', two = '']) =>
      aWorkflow([
        { id: 'one', title: 'One', agent: one },
        { id: 'two', title: 'Two', agent: two, needs: ['one'] },
      ]),
    );
    const workflows = [first, second].flatMap((located) => (located === undefined ? [] : [located.workflow]));
    expect(mostDownstream(['engineer', 'architect'], precedenceOf(workflows, []))).toBe('engineer');
  });

  it('gives up every record that keeps it in the cycle', () => {
    const records = [
      waiting('engineer', 'architect'),
      waiting('engineer', 'architect'),
      waiting('architect', 'engineer'),
    ];
    const [cycle] = findCycles(records);
    expect(cycle && recordsToEscalate(cycle, general)).toEqual(records.slice(0, 2));
  });
});
