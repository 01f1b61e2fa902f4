import { describe, expect, it } from 'vitest';
import { aHub, anAsk, atWork, recordOf, statusOf, type TestHub } from '../../test/builders/hub.js';
import { answerQuestion } from '../inbox/answer-question.js';
import { decidedBy } from '../memory/decided.js';
import { escalationQuestionId } from '../protocol/ids.js';
import { openAsk } from './ask.js';
import { ask, route } from './conversation.js';
import { escalate } from './escalate.js';
import { whoWaitsFor } from './who-waits.js';

const clarificationId = 'CLR-1-001';
const id = escalationQuestionId(clarificationId, 1);
const by = { principal: 'ada', channel: 'cli' as const };

async function escalated({ isAnswered }: { readonly isAnswered: boolean }): Promise<TestHub> {
  const hub = await aHub({ turns: { architect: ['PostgreSQL.'] } });
  await atWork(hub, 'engineer');
  await (isAnswered ? ask(hub, anAsk()) : openAsk(hub, anAsk()));
  await escalate(hub, { clarificationId, reason: 'a human wants to decide' });
  return hub;
}

const assumptionsOf = async (hub: TestHub) => (await hub.store.assumptions.read(1)).assumptions_made;

describe('the choice to ask again', () => {
  it('has the target asked again, in a record of its own, by whoever routes what waited for the human', async () => {
    const hub = await escalated({ isAnswered: false });
    const { record } = await answerQuestion(hub, { id, optionIds: ['a'], by });
    expect(record).toMatchObject({ status: 'resolved', outcome: 'answered' });
    expect(record?.thread.at(-1)).toMatchObject({ body: 'architect is asked again in CLR-1-002.', principal: 'ada' });
    expect(record && decidedBy(record)).toBeUndefined();
    expect(await recordOf(hub, 'CLR-1-002')).toMatchObject({
      from: 'engineer',
      to: 'architect',
      topic: 'Database adapter',
      blocking: true,
      status: 'pending',
      maxRounds: 5,
      thread: [{ round: 1, body: 'SQLite or PostgreSQL?' }],
    });
    expect(await statusOf(hub, 'engineer')).toMatchObject({ status: 'blocked-clarification', waitingOn: 'architect' });
    expect(await whoWaitsFor(hub, id)).toEqual(['CLR-1-002']);
    expect(await route(hub, { clarificationId: 'CLR-1-002' })).toMatchObject({
      status: 'answered',
      answer: 'PostgreSQL.',
    });
    expect(await assumptionsOf(hub)).toEqual([]);
  });

  it('may be made in words', async () => {
    const hub = await escalated({ isAnswered: false });
    await answerQuestion(hub, { id, text: 'Please ask architect again', by });
    expect(await recordOf(hub, 'CLR-1-002')).toMatchObject({ status: 'pending', to: 'architect' });
  });

  it('passes on what the human wrote beside it', async () => {
    const hub = await escalated({ isAnswered: false });
    await answerQuestion(hub, { id, optionIds: ['a'], text: 'Think of the tests.', by });
    const { thread } = await recordOf(hub, 'CLR-1-002');
    expect(thread[0]?.body).toBe('SQLite or PostgreSQL?\n\nThink of the tests.');
  });

  it('is made once, however often it is carried out, and can be made again', async () => {
    const hub = await escalated({ isAnswered: false });
    await answerQuestion(hub, { id, optionIds: ['a'], by });
    await answerQuestion(hub, { id, optionIds: ['a'], by });
    await escalate(hub, { clarificationId: 'CLR-1-002', reason: 'silence' });
    await answerQuestion(hub, { id: escalationQuestionId('CLR-1-002', 1), optionIds: ['a'], by });
    const { clarifications } = await hub.store.ledgers.read(1);
    expect(clarifications.map(({ status }) => status)).toEqual(['resolved', 'resolved', 'pending']);
  });
});

describe('the choice to go on with an assumption', () => {
  it.each([
    ['c', true, 'Database adapter: PostgreSQL.'],
    ['b', false, 'Database adapter: engineer decides, as architect has not answered'],
  ])('records one: option %s', async (option, isAnswered, decision) => {
    const hub = await escalated({ isAnswered });
    const { record } = await answerQuestion(hub, { id, optionIds: [option], by });
    expect(await assumptionsOf(hub)).toMatchObject([
      { id: 'ASM-1-001', decision, agent: 'engineer', questionId: id, status: 'standing' },
    ]);
    expect(record).toMatchObject({ status: 'resolved', outcome: 'answered' });
    expect(record?.thread.at(-1)?.body).toBe(`engineer goes on with assumption ASM-1-001: ${decision}`);
    expect(record && decidedBy(record)).toBeUndefined();
  });

  it('may be made in words', async () => {
    const hub = await escalated({ isAnswered: true });
    await answerQuestion(hub, { id, text: 'Proceed on an assumption.', by });
    expect(await assumptionsOf(hub)).toMatchObject([{ decision: 'Database adapter: PostgreSQL.' }]);
  });

  it('takes what the human wrote beside it for the assumption', async () => {
    const hub = await escalated({ isAnswered: true });
    await answerQuestion(hub, { id, optionIds: ['c'], text: 'SQLite until June.', by });
    expect(await assumptionsOf(hub)).toMatchObject([{ decision: 'Database adapter: SQLite until June.' }]);
  });
});

describe('any other answer', () => {
  it.each([
    [{ optionIds: ['a'] }, 'Follow architect: PostgreSQL.'],
    [{ optionIds: ['b'] }, 'Follow engineer: SQLite or PostgreSQL?'],
    [{ text: 'MySQL.' }, 'MySQL.'],
  ])('is the decision: %j', async (given, body) => {
    const hub = await escalated({ isAnswered: true });
    const { record } = await answerQuestion(hub, { id, ...given, by });
    expect(record?.thread.at(-1)?.body).toBe(body);
    expect(await assumptionsOf(hub)).toEqual([]);
    expect((await hub.store.ledgers.read(1)).clarifications).toHaveLength(1);
  });
});
