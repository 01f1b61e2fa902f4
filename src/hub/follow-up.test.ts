import { describe, expect, it } from 'vitest';
import { aHub, anAsk, atWork, recordOf, refused, statusOf, type TestHub } from '../../test/builders/hub.js';
import { AgentXError } from '../protocol/errors.js';
import { escalationQuestionId } from '../protocol/ids.js';
import { openAsk } from './ask.js';
import { ask, followUp } from './conversation.js';
import { openFollowUp } from './follow-up.js';

const clarificationId = 'CLR-1-001';
const more = (hub: TestHub, question = 'And in tests?') => followUp(hub, { clarificationId, question, by: 'engineer' });

async function afterAllRounds(): Promise<TestHub> {
  const hub = await aHub({ turns: { architect: ['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.'] } });
  await atWork(hub, 'engineer');
  await ask(hub, anAsk());
  for (const question of ['2?', '3?', '4?', '5?']) await more(hub, question);
  return hub;
}

describe('a follow-up', () => {
  it('opens the next round and comes back with its answer [US-2.2/3] [US-2.2/7]', async () => {
    const hub = await aHub({ turns: { architect: ['PostgreSQL.', 'SQLite in memory.'] } });
    await ask(hub, anAsk());
    expect(await more(hub)).toMatchObject({ status: 'answered', round: 2, answer: 'SQLite in memory.' });
    expect((await recordOf(hub, clarificationId)).thread.map(({ round, type }) => [round, type])).toEqual([
      [1, 'question'],
      [1, 'answer'],
      [2, 'question'],
      [2, 'answer'],
    ]);
  });

  it('gives the target the whole thread', async () => {
    const hub = await aHub({ turns: { architect: ['PostgreSQL.', 'SQLite in memory.'] } });
    await ask(hub, anAsk());
    await more(hub);
    const brief = hub.briefs[1];
    expect(brief?.clarification).toMatchObject({ round: 2, question: 'And in tests?' });
    expect(brief?.clarification?.thread.map(({ body }) => body)).toEqual([
      'SQLite or PostgreSQL?',
      'PostgreSQL.',
      'And in tests?',
    ]);
    expect(brief?.prompt).toContain('PostgreSQL.');
  });

  it('is for the requester or a human', async () => {
    const hub = await aHub();
    await ask(hub, anAsk());
    const error = await refused(followUp(hub, { clarificationId, question: 'Me too?', by: 'reviewer' }));
    expect(error.code).toBe('UNAUTHORIZED');
    expect((await followUp(hub, { clarificationId, question: 'Sure?', by: 'human' })).round).toBe(2);
  });

  it('waits for the answer to the round before', async () => {
    const hub = await aHub();
    await ask(hub, anAsk());
    await hub.store.ledgers.update(1, (ledger) => ({
      next: {
        ...ledger,
        clarifications: ledger.clarifications.map((record) => ({ ...record, status: 'pending' as const })),
      },
      result: undefined,
    }));
    expect((await refused(more(hub))).code).toBe('INVALID_STATE');
  });

  it.each([
    ['CLR-1-009', 'NOT_FOUND', 'Clarification CLR-1-009 is not in the ledger of issue #1.'],
    ['CLR-42-009', 'NOT_FOUND', 'Clarification CLR-42-009 is not in the ledger of issue #42.'],
    ['../etc', 'INVALID_INPUT', expect.stringContaining("'../etc' is not a valid clarification id")],
  ])('on %s is %s [CL-3/4] [CL-2/6]', async (id, code, message) => {
    const hub = await aHub();
    const error = await refused(followUp(hub, { clarificationId: id, question: '?', by: 'engineer' }));
    expect([error.code, error.message]).toEqual([code, message]);
  });
});

describe('a follow-up after the last round', () => {
  it('is not routed: the record is escalated and the asker told [US-2.3/4] [US-2.3/5] [US-2.2/13] [CL-3/3]', async () => {
    const hub = await afterAllRounds();
    const error = await refused(more(hub, '6?'));
    expect(error.code).toBe('MAX_ROUNDS_EXCEEDED');
    expect(error.message).toBe('CLR-1-001 has used all 5 rounds and is escalated to a human.');
    expect((await recordOf(hub, clarificationId)).status).toBe('escalated');
    expect(hub.briefs).toHaveLength(5);
  });

  it("opens the human's question and keeps the requester waiting [US-2.3/6] [US-2.3/7] [US-2.3/8] [US-2.3/10]", async () => {
    const hub = await afterAllRounds();
    await refused(more(hub, 'Then why not SQLite?'));
    const question = await hub.store.questions.read(escalationQuestionId(clarificationId, 5));
    expect(question).toMatchObject({ status: 'open', kind: 'escalation', sourceId: clarificationId });
    const [part] = question?.questions ?? [];
    expect(part?.text).toBe(
      'Topic: Database adapter\nReason: all 5 rounds are used\nengineer: Then why not SQLite?\narchitect: Five.',
    );
    expect(part?.options?.map(({ label }) => label)).toEqual([
      'Follow architect: Five.',
      'Follow engineer: Then why not SQLite?',
      'Proceed on an assumption about "Database adapter" that engineer states and records',
    ]);
    expect(await statusOf(hub, 'engineer')).toMatchObject({ status: 'blocked-clarification', waitingOn: 'human' });
  });

  it('needs no target, so that it does not matter whether the target can be started', async () => {
    const hub = await afterAllRounds();
    const runnerFor = () => {
      throw new AgentXError('CONFIG_ERROR', 'The architect has no runner.');
    };
    expect((await refused(more({ ...hub, runnerFor }, '6?'))).code).toBe('MAX_ROUNDS_EXCEEDED');
    const waiting = await aHub();
    await openAsk(waiting, anAsk());
    expect((await refused(more({ ...waiting, runnerFor }))).code).toBe('INVALID_STATE');
  });

  it('is told of with its reason, and with the words in the escalation, to who does not wait for the target', async () => {
    const hub = await afterAllRounds();
    const request = { clarificationId, question: 'Then why not SQLite?', by: 'engineer' };
    const { record, error } = await openFollowUp(hub, request);
    expect(error?.code).toBe('MAX_ROUNDS_EXCEEDED');
    expect(record.thread.at(-1)?.positions?.requester).toBe('Then why not SQLite?');
  });

  it('ends two agents that would go on for ever [US-2.3/12]', async () => {
    const hub = await aHub();
    await ask(hub, anAsk({ blocking: false }));
    let rounds = 1;
    for (let stopped = false; !stopped && rounds < 20; rounds++) {
      stopped = await more(hub, `Round ${rounds + 1}?`).then(
        () => false,
        () => true,
      );
    }
    expect([rounds - 1, hub.briefs.length]).toEqual([6, 6]);
  });
});
