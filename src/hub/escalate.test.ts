import { describe, expect, it } from 'vitest';
import { aHub, anAsk, recordOf, refused } from '../../test/builders/hub.js';
import { AgentXError } from '../protocol/errors.js';
import { escalationQuestionId } from '../protocol/ids.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { abandon } from './abandon.js';
import { openAsk } from './ask.js';
import { ask, followUp } from './conversation.js';
import { escalate } from './escalate.js';

const clarificationId = 'CLR-1-001';
const questionId = escalationQuestionId(clarificationId, 1);

describe('escalating', () => {
  it('turns the record escalated and asks a human what was said [US-2.3/13]', async () => {
    const hub = await aHub({ turns: { architect: ['PostgreSQL.'] } });
    await ask(hub, anAsk());
    const result = await escalate(hub, { clarificationId, reason: 'they go in circles' });
    expect(result.status).toBe('escalated');
    expect(await hub.store.questions.read(questionId)).toEqual({
      id: questionId,
      projectId: 'shop',
      issueNumber: 1,
      kind: 'escalation',
      source: 'clarification',
      sourceId: clarificationId,
      askedBy: { agent: 'engineer', chain: ['engineer'] },
      questions: [
        {
          id: 'q1',
          header: 'Database adapter',
          text: 'Topic: Database adapter\nReason: they go in circles\nengineer: SQLite or PostgreSQL?\narchitect: PostgreSQL.',
          createdAt: hub.clock.now(),
          multiSelect: false,
          allowText: true,
          options: [
            { id: 'a', label: 'Follow architect: PostgreSQL.', recommended: true },
            { id: 'b', label: 'Follow engineer: SQLite or PostgreSQL?' },
            { id: 'c', label: 'Proceed on an assumption about "Database adapter" that engineer states and records' },
          ],
        },
      ],
      blocking: true,
      consequence: 'reversible',
      status: 'open',
      responses: [],
      createdAt: hub.clock.now(),
      revision: 1,
    });
  });

  it('tells once of the question that two callers open at the same moment', async () => {
    const hub = await aHub();
    await openAsk(hub, anAsk());
    const reason = 'they go in circles';
    await Promise.all([escalate(hub, { clarificationId, reason }), escalate(hub, { clarificationId, reason })]);
    expect(hub.bus.names().filter((name) => name === 'notification-added')).toHaveLength(1);
    expect(hub.log.lines.filter(({ message }) => message === 'question opened')).toHaveLength(1);
  });

  it('offers to ask again where nothing was answered', async () => {
    const hub = await aHub();
    await openAsk(hub, anAsk({ blocking: false }));
    await escalate(hub, { clarificationId, reason: 'nobody answers' });
    const question = await hub.store.questions.read(questionId);
    expect(question?.blocking).toBe(false);
    expect(question?.questions[0]?.options?.map(({ label }) => label)).toEqual([
      'Ask architect again: SQLite or PostgreSQL?',
      'Proceed on an assumption about "Database adapter" that engineer states and records',
    ]);
  });

  it('is for the two who talk and for humans [US-2.2/27]', async () => {
    const hub = await aHub();
    await openAsk(hub, anAsk());
    const reason = 'nobody answers';
    expect(await refused(escalate(hub, { clarificationId, reason, by: 'reviewer' }))).toMatchObject({
      code: 'UNAUTHORIZED',
      message: "'reviewer' may not escalate CLR-1-001. Allowed: engineer, architect, human.",
    });
    expect((await recordOf(hub, clarificationId)).status).toBe('pending');
    for (const by of ['engineer', 'architect', 'human']) {
      const other = await aHub();
      await openAsk(other, anAsk());
      expect((await escalate(other, { clarificationId, reason, by })).status).toBe('escalated');
    }
  });

  it('a second time is no error and opens no second question [US-2.3/15]', async () => {
    const hub = await aHub();
    await ask(hub, anAsk());
    const first = await escalate(hub, { clarificationId, reason: 'they go in circles' });
    expect(await escalate(hub, { clarificationId, reason: 'again' })).toEqual(first);
    expect((await hub.store.questions.list()).items).toHaveLength(1);
    expect(hub.bus.names().filter((name) => name === 'notification-added')).toHaveLength(1);
  });

  it('stands even when the question cannot be stored; the next call stores it', async () => {
    const store = openInMemoryStore();
    let isFull = true;
    const questions: typeof store.questions = {
      ...store.questions,
      create: async (question) => {
        if (isFull) throw new AgentXError('STORE_ERROR', 'The disk is full.');
        return store.questions.create(question);
      },
    };
    const hub = await aHub({ store: { ...store, questions } });
    await ask(hub, anAsk());
    expect((await escalate(hub, { clarificationId, reason: 'they go in circles' })).status).toBe('escalated');
    expect(hub.log.lines).toContainEqual(expect.objectContaining({ level: 'error' }));
    isFull = false;
    await escalate(hub, { clarificationId, reason: 'they go in circles' });
    expect(await hub.store.questions.read(questionId)).toMatchObject({ status: 'open' });
  });

  it('is logged with its whole summary [CL-7/4]', async () => {
    const hub = await aHub();
    await ask(hub, anAsk());
    const { record } = await escalate(hub, { clarificationId, reason: 'they go in circles' });
    expect(hub.log.lines).toContainEqual({
      level: 'warn',
      message: 'clarification-escalated',
      fields: expect.objectContaining({
        clarificationId,
        issueNumber: 1,
        fromAgent: 'engineer',
        toAgent: 'architect',
        round: 1,
        status: 'escalated',
        summary: record.thread.at(-1)?.body,
      }),
    });
  });
});

describe('abandoning', () => {
  it('ends a pending clarification and frees both agents [US-2.2/15] [US-2.2/17]', async () => {
    const hub = await aHub();
    await openAsk(hub, anAsk());
    expect((await abandon(hub, { clarificationId })).status).toBe('abandoned');
    expect((await hub.store.statuses.read()).engineer?.status).toBe('idle');
    expect((await hub.store.statuses.read()).architect?.status).toBe('idle');
    expect((await abandon(hub, { clarificationId })).status).toBe('abandoned');
    expect((await refused(escalate(hub, { clarificationId, reason: 'no' }))).code).toBe('INVALID_STATE');
    expect(hub.bus.names().filter((name) => name === 'clarification-abandoned')).toHaveLength(1);
  });

  it('leaves a round alone that began after it was decided', async () => {
    const hub = await aHub();
    await ask(hub, anAsk());
    const workless = { ...hub, runnerFor: () => ({ run: () => Promise.reject(new Error('no')), isHuman: false }) };
    void followUp(
      { ...workless, clock: { ...hub.clock, sleep: () => new Promise<never>(() => {}) } },
      {
        clarificationId,
        question: 'And in CI?',
        by: 'engineer',
      },
    );
    await expect.poll(async () => (await recordOf(hub, clarificationId)).round).toBe(2);
    expect((await abandon(hub, { clarificationId, round: 1 })).status).toBe('pending');
    expect((await abandon(hub, { clarificationId, round: 2 })).status).toBe('abandoned');
  });

  it('is for pending ones only', async () => {
    const hub = await aHub();
    await ask(hub, anAsk());
    expect((await refused(abandon(hub, { clarificationId }))).code).toBe('INVALID_STATE');
    expect((await recordOf(hub, clarificationId)).status).toBe('answered');
  });
});
