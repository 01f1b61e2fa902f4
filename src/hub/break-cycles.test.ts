import { describe, expect, it } from 'vitest';
import { aHub, anAsk, aWorkflow, recordOf, statusOf, type TestHub } from '../../test/builders/hub.js';
import { escalationQuestionId } from '../protocol/ids.js';
import { openAsk } from './ask.js';
import { ask, followUp } from './conversation.js';

const everyone = ['product-manager', 'architect', 'engineer'];
const workflow = aWorkflow(
  everyone.map((agent, index) => ({
    id: agent,
    title: agent,
    agent,
    needs: everyone.slice(0, index).slice(-1),
    can_clarify: everyone.filter((other) => other !== agent),
  })),
);

const aDeadlockableHub = (): Promise<TestHub> => aHub({ workflow });

describe('a deadlock at the time of asking', () => {
  it('escalates the new request of the downstream agent without routing it [X-10/1] [US-5.3/3]', async () => {
    const hub = await aDeadlockableHub();
    const kept = await openAsk(hub, anAsk({ issueNumber: 2, from: 'architect', to: 'engineer' }));
    const result = await ask(hub, anAsk({ from: 'engineer', to: 'architect' }));
    expect(result.status).toBe('escalated');
    expect(hub.briefs).toEqual([]);
    expect((await recordOf(hub, kept.id)).status).toBe('pending');
    const entry = result.record.thread.at(-1);
    expect(entry?.body).toContain('deadlock: engineer waits for architect waits for engineer');
    expect(await hub.store.questions.read(escalationQuestionId('CLR-1-001', 1))).toMatchObject({ status: 'open' });
    expect(await statusOf(hub, 'engineer', 1)).toMatchObject({ status: 'blocked-clarification', waitingOn: 'human' });
  });

  it('escalates the older request of the downstream agent and routes the new one [US-5.3/4]', async () => {
    const hub = await aDeadlockableHub();
    const older = await openAsk(hub, anAsk({ issueNumber: 2, from: 'engineer', to: 'architect' }));
    const result = await ask(hub, anAsk({ from: 'architect', to: 'engineer' }));
    expect(result).toMatchObject({ status: 'answered', answer: 'The engineer has spoken.' });
    expect((await recordOf(hub, older.id)).status).toBe('escalated');
    expect((await hub.store.questions.list({ status: 'open' })).items).toMatchObject([{ sourceId: older.id }]);
  });

  it('is told to the target as it stands once it is broken', async () => {
    const hub = await aDeadlockableHub();
    const { id } = await openAsk(hub, anAsk({ from: 'engineer', to: 'architect' }));
    await ask(hub, anAsk({ from: 'architect', to: 'engineer' }));
    expect(hub.briefs).toMatchObject([{ agent: 'engineer', clarifications: [{ id, status: 'escalated' }] }]);
  });

  it('breaks a cycle of three across three issues [US-5.3/6]', async () => {
    const hub = await aDeadlockableHub();
    const first = await openAsk(hub, anAsk({ issueNumber: 1, from: 'engineer', to: 'architect' }));
    const second = await openAsk(hub, anAsk({ issueNumber: 2, from: 'architect', to: 'product-manager' }));
    const third = await openAsk(hub, anAsk({ issueNumber: 3, from: 'product-manager', to: 'engineer' }));
    const statuses = await Promise.all([first, second, third].map(async ({ id }) => (await recordOf(hub, id)).status));
    expect(statuses).toEqual(['escalated', 'pending', 'pending']);
  });

  it('escalates every record that would keep the cycle closed', async () => {
    const hub = await aDeadlockableHub();
    const one = await openAsk(hub, anAsk({ issueNumber: 1, from: 'engineer', to: 'architect' }));
    const two = await openAsk(hub, anAsk({ issueNumber: 2, from: 'engineer', to: 'architect' }));
    const last = await openAsk(hub, anAsk({ issueNumber: 3, from: 'architect', to: 'engineer' }));
    expect([(await recordOf(hub, one.id)).status, (await recordOf(hub, two.id)).status, last.status]).toEqual([
      'escalated',
      'escalated',
      'pending',
    ]);
  });

  it('is not seen where one of them does not block', async () => {
    const hub = await aDeadlockableHub();
    await openAsk(hub, anAsk({ issueNumber: 2, from: 'architect', to: 'engineer', blocking: false }));
    expect((await ask(hub, anAsk())).status).toBe('answered');
  });

  it('is broken once when both ask at the same time', async () => {
    const hub = await aDeadlockableHub();
    const [down, up] = await Promise.all([
      openAsk(hub, anAsk({ issueNumber: 1, from: 'engineer', to: 'architect' })),
      openAsk(hub, anAsk({ issueNumber: 2, from: 'architect', to: 'engineer' })),
    ]);
    expect((await recordOf(hub, down.id)).status).toBe('escalated');
    expect((await recordOf(hub, up.id)).status).toBe('pending');
    expect((await recordOf(hub, down.id)).thread.filter(({ type }) => type === 'escalation')).toHaveLength(1);
  });

  it('is found when a follow-up closes the cycle', async () => {
    const hub = await aDeadlockableHub();
    const { clarificationId } = await ask(hub, anAsk({ from: 'engineer', to: 'architect' }));
    await openAsk(hub, anAsk({ issueNumber: 2, from: 'architect', to: 'engineer' }));
    const result = await followUp(hub, { clarificationId, question: 'And in tests?', by: 'engineer' });
    expect(result.status).toBe('escalated');
    expect(hub.briefs).toHaveLength(1);
  });

  it('goes by the workflow of the issues where that decides', async () => {
    const reversed = aWorkflow([
      { id: 'build', title: 'Build', agent: 'engineer', can_clarify: ['architect'] },
      { id: 'document', title: 'Document', agent: 'architect', needs: ['build'], can_clarify: ['engineer'] },
    ]);
    const hub = await aHub({ workflow: reversed });
    const kept = await openAsk(hub, anAsk({ issueNumber: 2, from: 'engineer', to: 'architect' }));
    expect((await openAsk(hub, anAsk({ from: 'architect', to: 'engineer' }))).status).toBe('escalated');
    expect((await recordOf(hub, kept.id)).status).toBe('pending');
  });
});
