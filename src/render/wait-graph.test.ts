import { describe, expect, it } from 'vitest';
import { aClarification } from '../../test/builders/clarification.js';
import { renderWaitGraph, waitsOf } from './wait-graph.js';

const waiting = (id: string, from: string, to: string) => aClarification({ id, from, to, topic: `T${id.slice(4, 6)}` });

describe('the wait-for graph', () => {
  it('draws who waits for whom on which issue', () => {
    const waits = waitsOf([
      waiting('CLR-42-001', 'reviewer', 'engineer'),
      waiting('CLR-57-001', 'engineer', 'architect'),
      waiting('CLR-42-002', 'engineer', 'product-manager'),
      { ...waiting('CLR-60-001', 'architect', 'product-manager'), status: 'escalated' },
      { ...waiting('CLR-61-001', 'tester', 'engineer'), blocking: false },
    ]);
    expect(renderWaitGraph(waits).split('\n')).toEqual([
      'reviewer',
      '`-- engineer  #42  CLR-42-001  pending  T42',
      '    +-- architect  #57  CLR-57-001  pending  T57',
      '    |   `-- you  #60  CLR-60-001  escalated  T60',
      '    `-- product-manager  #42  CLR-42-002  pending  T42',
    ]);
    expect(waits.some(({ isInCycle }) => isInCycle)).toBe(false);
  });

  it('keeps names and words readable far to the right', () => {
    const agents = Array.from({ length: 12 }, (_, place) => `agent-${place}`);
    const chain = agents.slice(1).map((to, place) => ({
      ...waiting(`CLR-42-${100 + place}`, agents[place] ?? '', to),
      topic: 'Retention of audit logs in every region',
    }));
    const drawing = renderWaitGraph(waitsOf(chain), { width: 40 });
    for (const agent of agents) expect(drawing).toContain(agent);
    expect(drawing.split('\n').length).toBeLessThan(5 * agents.length);
  });

  it('cuts a topic to fit a terminal, and nothing else', () => {
    const topic = 'Retention of audit logs in every region of the world';
    const waits = waitsOf([
      { ...waiting('CLR-42-001', 'reviewer', 'engineer'), topic },
      { ...waiting('CLR-57-001', 'engineer', 'reviewer'), topic },
    ]);
    expect(renderWaitGraph(waits, { width: 70 }).split('\n')).toEqual([
      'reviewer',
      '`-- engineer  #42  CLR-42-001  pending  Retention of a..  (in a cycle)',
      '    `-- reviewer  #57  CLR-57-001  pending  Retention of a..  <- CYCLE',
    ]);
    expect(renderWaitGraph(waits, { width: 40 }).split('\n')).toEqual([
      'reviewer',
      '`-- engineer',
      '      CLR-42-001  pending',
      '      Retention of audit logs in every',
      '      region of the world',
      '      (in a cycle)',
      '    `-- reviewer',
      '          CLR-57-001  pending',
      '          Retention of audit logs in',
      '          every region of the world',
      '          <- CYCLE',
    ]);
  });

  it('marks a cycle across issues, and draws every wait once', () => {
    const waits = waitsOf([
      waiting('CLR-42-001', 'engineer', 'architect'),
      waiting('CLR-57-001', 'architect', 'reviewer'),
      waiting('CLR-58-001', 'reviewer', 'engineer'),
      waiting('CLR-59-001', 'tester', 'reviewer'),
    ]);
    expect(waits.map(({ isInCycle }) => isInCycle)).toEqual([true, true, true, false]);
    expect(renderWaitGraph(waits).split('\n')).toEqual([
      'tester',
      '`-- reviewer  #59  CLR-59-001  pending  T59',
      '    `-- engineer  #58  CLR-58-001  pending  T58  (in a cycle)',
      '        `-- architect  #42  CLR-42-001  pending  T42  (in a cycle)',
      '            `-- reviewer  #57  CLR-57-001  pending  T57  <- CYCLE',
    ]);
  });
});
