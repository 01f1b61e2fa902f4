import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { refusalOf } from '../../test/builders/refusal.js';
import { isUpstream, Workflow } from '../protocol/workflow.js';
import { downstreamOrder, findCycle, matchesCondition } from './step-order.js';

const aWorkflow = (needs: Readonly<Record<string, readonly string[]>>): Workflow =>
  z.parse(Workflow, {
    workflow: { name: 'any' },
    steps: Object.entries(needs).map(([id, needs]) => ({ id, title: id, agent: 'engineer', needs: [...needs] })),
  });

const idsOf = (workflow: Workflow): string[] => downstreamOrder(workflow).map(({ id }) => id);

describe('downstream order', () => {
  it('puts each step after what it needs and otherwise keeps the order of the file', () => {
    expect(idsOf(aWorkflow({ review: ['code'], docs: [], code: ['plan'], plan: [] }))).toEqual([
      'docs',
      'plan',
      'code',
      'review',
    ]);
  });

  it('never puts a step before one that is upstream of it', () => {
    const graph = fc.array(fc.array(fc.nat({ max: 7 }), { maxLength: 3 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(graph, fc.boolean(), (edges, isReversed) => {
        const entries = edges.map(
          (needs, index) =>
            [`s${index}`, needs.filter((needed) => needed < index).map((needed) => `s${needed}`)] as const,
        );
        const workflow = aWorkflow(Object.fromEntries(isReversed ? entries.toReversed() : entries));
        expect(findCycle(workflow)).toBeUndefined();
        const ids = idsOf(workflow);
        expect(ids.toSorted()).toEqual(workflow.steps.map(({ id }) => id).toSorted());
        for (const [position, id] of ids.entries()) {
          for (const laterId of ids.slice(position)) expect(isUpstream(workflow, laterId, id)).toBe(false);
        }
      }),
    );
  });

  it('ends on a cycle that was not refused', () => {
    expect(idsOf(aWorkflow({ a: ['b'], b: ['a'] }))).toEqual(['a', 'b']);
  });
});

describe('a cycle', () => {
  it('is named from its first step back to it', () => {
    expect(findCycle(aWorkflow({ start: ['b'], a: ['c'], b: ['a'], c: ['b'] }))).toEqual(['b', 'a', 'c', 'b']);
    expect(findCycle(aWorkflow({ a: ['a'] }))).toEqual(['a', 'a']);
    expect(findCycle(aWorkflow({ a: ['nowhere'], b: ['a'] }))).toBeUndefined();
  });

  it('is looked for in a chain of any length', () => {
    const chain = Array.from(
      { length: 5000 },
      (_, index) => [`s${index}`, index > 0 ? [`s${index - 1}`] : []] as const,
    );
    expect(findCycle(aWorkflow(Object.fromEntries(chain)))).toBeUndefined();
    expect(findCycle(aWorkflow(Object.fromEntries([...chain, ['s0', ['s4999']]])))).toHaveLength(5001);
  });
});

describe('a condition', () => {
  it.each([
    [undefined, [], true],
    ['label:ui', ['ui'], true],
    ['label:ui', ['UI', 'x'], true],
    ['label:ui', ['ux'], false],
    ['!label:ui', ['ui'], false],
    ['!label:ui', [], true],
    ['has_label:ui', ['ui'], true],
    ['has_label:needs design', ['needs design'], true],
    ['label:priority:p0', ['priority:p0'], true],
  ])('%s with labels %j is %s', (condition, labels, expected) => {
    expect(matchesCondition({ id: 'design', ...(condition === undefined ? {} : { condition }) }, labels)).toBe(
      expected,
    );
  });

  it.each(['ui', 'label:', 'label: ', 'labels:ui', 'not label:ui', ''])('%j is refused', (condition) => {
    const refusal = refusalOf(() => matchesCondition({ id: 'design', condition }, []));
    expect(refusal.code).toBe('CONFIG_ERROR');
    expect(refusal.message).toContain("step 'design' is not known. Allowed: label:x, !label:x.");
  });
});
