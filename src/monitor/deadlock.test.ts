import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aClarification } from '../../test/builders/clarification.js';
import { aWorkflow } from '../../test/builders/hub.js';
import { active, aHubWith } from '../../test/builders/ports.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { AGENT_PRECEDENCE, KNOWN_AGENTS, makeClarificationId } from '../protocol/ids.js';
import { breakDeadlocks } from './break-deadlock.js';
import { findDeadlocks } from './deadlock.js';

/** Every agent waits for the next, the last for the first, each on an issue of its own. */
function ring(agents: readonly string[]): ClarificationRecord[] {
  return agents.map((from, index) =>
    aClarification({
      id: makeClarificationId(index + 1, 1),
      from,
      to: agents[(index + 1) % agents.length] ?? from,
      topic: `Topic ${index}`,
    }),
  );
}

describe('findDeadlocks', () => {
  it('finds two agents that wait for each other [US-5.3/1]', () => {
    const [cycle] = findDeadlocks(active(...ring(['engineer', 'architect'])));
    expect(cycle?.records.map(({ id }) => id).toSorted()).toEqual(['CLR-1-001', 'CLR-2-001']);
  });

  it.each([['non-blocking', { blocking: false }] as const, ['escalated', { status: 'escalated' }] as const])(
    'leaves %s records out [US-5.3/7]',
    (_what, fields) => {
      const [first, ...others] = ring(['engineer', 'architect', 'product-manager']);
      expect(findDeadlocks(active({ ...aClarification(), ...first, ...fields }, ...others))).toEqual([]);
    },
  );

  it('finds a ring of any length, and none in a chain', () => {
    const agents = fc.uniqueArray(fc.constantFrom(...KNOWN_AGENTS), { minLength: 2 });
    fc.assert(
      fc.property(agents, (names) => {
        const records = ring(names);
        expect(findDeadlocks(active(...records)).map((cycle) => cycle.records.length)).toEqual([names.length]);
        expect(findDeadlocks(active(...records.slice(1)))).toEqual([]);
      }),
    );
  });
});

describe('breakDeadlocks', () => {
  const noOrder = aWorkflow([{ id: 'implement', title: 'Implement', agent: 'engineer' }]);

  it('escalates the record of the downstream agent and says which goes on [US-5.3/2] [US-5.3/5]', async () => {
    const records = ring(['architect', 'engineer']);
    const hub = await aHubWith(records, { workflow: noOrder });
    expect(await breakDeadlocks(hub, active(...records))).toEqual([
      { escalated: ['CLR-2-001'], continued: ['CLR-1-001'] },
    ]);
    expect((await hub.record('CLR-1-001'))?.status).toBe('pending');
  });

  it('breaks a ring of any length, across issues, at its most downstream agent [US-5.3/6]', async () => {
    const agents = fc.uniqueArray(fc.constantFrom(...AGENT_PRECEDENCE), { minLength: 2 });
    await fc.assert(
      fc.asyncProperty(agents, async (names) => {
        const records = ring(names);
        const hub = await aHubWith(records, { workflow: noOrder });
        await breakDeadlocks(hub, active(...records));
        const { items } = await hub.store.ledgers.list({ active: true });
        const escalated = items.filter(({ record }) => record.status === 'escalated');
        const last = AGENT_PRECEDENCE.findLast((agent) => names.includes(agent));
        expect(escalated.map(({ record }) => record.from)).toEqual([last]);
      }),
      { numRuns: 30 },
    );
  });

  it('leaves no cycle whatever waits for whatever', async () => {
    const edge = fc.uniqueArray(fc.constantFrom(...KNOWN_AGENTS), { minLength: 2, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(fc.array(edge, { maxLength: 12 }), async (edges) => {
        const records = edges.map(([from = '', to = ''], index) =>
          aClarification({ id: makeClarificationId(index + 1, 1), from, to, topic: `Topic ${index}` }),
        );
        const hub = await aHubWith(records, { workflow: noOrder });
        await breakDeadlocks(hub, active(...records));
        expect(findDeadlocks((await hub.store.ledgers.list({ active: true })).items)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it("goes by the workflow's own order where that decides [US-5.3/8]", async () => {
    const records = ring(['architect', 'engineer']);
    const workflow = aWorkflow([
      { id: 'spike', title: 'Spike', agent: 'engineer' },
      { id: 'design', title: 'Design', agent: 'architect', needs: ['spike'] },
    ]);
    const hub = await aHubWith(records, { workflow });
    expect(await breakDeadlocks(hub, active(...records))).toEqual([
      { escalated: ['CLR-1-001'], continued: ['CLR-2-001'] },
    ]);
  });
});
