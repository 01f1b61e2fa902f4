import { describe, expect, it } from 'vitest';
import { anAsk, recordOf, statusOf } from '../../test/builders/hub.js';
import { anInbox, type TestInbox, type TestInboxOptions } from '../../test/builders/inbox.js';
import { answerQuestion } from '../inbox/answer-question.js';
import { askHumans } from '../inbox/ask.js';
import type { Humans } from '../ports/humans.js';
import { escalationQuestionId } from '../protocol/ids.js';
import { ask, route } from './conversation.js';
import { whoWaitsFor } from './who-waits.js';

const ASKS = { text: 'I cannot say.', open_questions: ['How many users?'] };

/** A hub whose agents reach the inbox. */
async function aTeam(turns: NonNullable<TestInboxOptions['turns']>): Promise<TestInbox> {
  const inbox = await anInbox({ turns });
  const humans: Humans = { ask: (asking) => askHumans(inbox, asking) };
  return { ...inbox, humans };
}

async function answerOf(team: TestInbox, text = 'A hundred.') {
  const [question] = (await team.store.questions.list({ status: 'open' })).items;
  const id = question?.id ?? '';
  await answerQuestion(team, { id, text, by: { principal: 'ada', channel: 'cli' } });
  return id;
}

const asked = (team: TestInbox) => team.briefs.map(({ agent }) => agent);

describe('a target that has to hear from a human first', () => {
  it('leaves the record pending, and answers with what was said when it is routed again', async () => {
    const team = await aTeam({ architect: [ASKS, 'SQLite.'] });
    const result = await ask(team, anAsk());
    const [question] = (await team.store.questions.list({ status: 'open' })).items;
    expect(result).toMatchObject({ status: 'pending', waitingOn: [question?.id] });
    expect(question).toMatchObject({
      source: 'clarification',
      sourceId: 'CLR-1-001',
      askedBy: { chain: ['engineer', 'architect'] },
    });
    expect(await statusOf(team, 'engineer')).toMatchObject({ status: 'blocked-clarification', waitingOn: 'architect' });
    expect(await whoWaitsFor(team, question?.id ?? '')).toEqual([]);
    const id = await answerOf(team);
    expect(await whoWaitsFor(team, id)).toEqual(['CLR-1-001']);
    expect(await route(team, { clarificationId: 'CLR-1-001' })).toMatchObject({
      status: 'answered',
      answer: 'SQLite.',
    });
    expect(team.briefs[1]?.answers).toEqual([
      { questionId: 'q1', question: id, text: 'How many users?', answer: 'A hundred.', outcome: 'answered' },
    ]);
    expect(team.briefs[1]?.prompt).toContain('How many users? -> A hundred.');
    expect(await whoWaitsFor(team, id)).toEqual([]);
  });

  it('is not started while the question is open, and asks once', async () => {
    const team = await aTeam({ architect: [ASKS, 'SQLite.'] });
    const { waitingOn } = await ask(team, anAsk());
    expect(await route(team, { clarificationId: 'CLR-1-001' })).toMatchObject({ status: 'pending', waitingOn });
    expect(asked(team)).toEqual(['architect']);
    expect((await team.store.questions.list()).items).toHaveLength(1);
  });

  it('that asks the same again has its answer already', async () => {
    const team = await aTeam({ architect: [ASKS, ASKS, 'SQLite.'] });
    await ask(team, anAsk());
    await answerOf(team);
    expect(await route(team, { clarificationId: 'CLR-1-001' })).toMatchObject({
      status: 'answered',
      answer: 'SQLite.',
    });
    expect((await team.store.questions.list()).items).toHaveLength(1);
  });

  it('may ask something else with what it heard from others', async () => {
    const further = { clarify: [{ to: 'product-manager', topic: 'Load', question: 'How much?' }] };
    const again = { clarify: [{ to: 'product-manager', topic: 'Budget', question: 'How much?' }] };
    const team = await aTeam({ architect: [further, again, 'SQLite.'], 'product-manager': [ASKS, 'Little.', 'None.'] });
    await ask(team, anAsk());
    expect(await whoWaitsFor(team, await answerOf(team))).toEqual(['CLR-1-001']);
    expect(await route(team, { clarificationId: 'CLR-1-001' })).toMatchObject({ status: 'answered' });
    expect(asked(team)).toEqual([
      ...['architect', 'product-manager'],
      ...['product-manager', 'architect', 'product-manager', 'architect'],
    ]);
    const { clarifications } = await team.store.ledgers.read(1);
    expect(clarifications.map(({ topic, status, within }) => [topic, status, within])).toEqual([
      ['Database adapter', 'answered', undefined],
      ['Load', 'resolved', 'CLR-1-001'],
      ['Budget', 'resolved', 'CLR-1-001'],
    ]);
  });

  it('that asks again and again has no answer: the record goes to a human as a whole', async () => {
    const things = ['How many users?', 'Which currency?', 'What budget is there?', 'Who hosts it?', 'Where to log?'];
    const team = await aTeam({ architect: things.map((thing) => ({ ...ASKS, open_questions: [thing] })) });
    await ask(team, anAsk());
    for (let turn = 0; turn < 2; turn++) {
      await answerOf(team);
      expect(await route(team, { clarificationId: 'CLR-1-001' })).toMatchObject({ status: 'pending' });
    }
    await answerOf(team);
    expect(await route(team, { clarificationId: 'CLR-1-001' })).toMatchObject({ status: 'escalated' });
    expect((await team.store.questions.list({ status: 'open' })).items).toMatchObject([{ kind: 'escalation' }]);
  });

  it('may go on in an older thread, round after round, and settles it with its answer', async () => {
    const followUp = (question: string) => ({
      clarify: [{ id: 'CLR-1-001', to: 'product-manager', topic: 'Load', question }],
    });
    const team = await aTeam({
      architect: [followUp('In a year?'), followUp('On a Monday?'), 'SQLite.'],
      'product-manager': ['Little.', ASKS, 'Much.', 'None.'],
    });
    await ask(team, anAsk({ from: 'architect', to: 'product-manager', topic: 'Load' }));
    await ask(team, anAsk());
    await answerOf(team);
    expect(await route(team, { clarificationId: 'CLR-1-002' })).toMatchObject({
      status: 'answered',
      answer: 'SQLite.',
    });
    const { status, thread } = await recordOf(team, 'CLR-1-001');
    expect(status).toBe('resolved');
    expect(thread.map(({ body }) => body)).toEqual([
      ...['SQLite or PostgreSQL?', 'Little.', 'In a year?', 'Much.', 'On a Monday?', 'None.'],
      'Proceeding.',
    ]);
  });

  it('is told what cannot be asked, and answers without', async () => {
    const team = await aTeam({ architect: [{ open_questions: [{ options: ['a'] }] }, 'SQLite.'] });
    expect(await ask(team, anAsk())).toMatchObject({ status: 'answered', answer: 'SQLite.' });
    expect(team.briefs[1]?.refused).toMatchObject([{ code: 'INVALID_INPUT' }]);
    expect((await team.store.questions.list()).items).toEqual([]);
  });

  it('gives its answer at once where it has one, and its question is asked all the same', async () => {
    const team = await aTeam({ architect: [{ ...ASKS, answer: 'SQLite, for now.' }] });
    expect(await ask(team, anAsk())).toMatchObject({ status: 'answered', answer: 'SQLite, for now.' });
    expect((await team.store.questions.list({ status: 'open' })).items).toHaveLength(1);
    expect((await recordOf(team, 'CLR-1-001')).questions).toHaveLength(1);
  });

  it('names everybody who waits when its own question is escalated', async () => {
    const further = { clarify: [{ to: 'product-manager', topic: 'Load', question: 'How much?' }] };
    const team = await aTeam({ architect: [further, 'SQLite.'], 'product-manager': [new Error('no network')] });
    await ask(team, anAsk());
    expect((await team.store.questions.list({ status: 'open' })).items.map(({ askedBy }) => askedBy)).toEqual([
      { agent: 'architect', chain: ['engineer', 'architect'] },
    ]);
  });
});

it('a target that a human has asked again knows what it was told before', async () => {
  const fails = new Error('no network');
  const team = await aTeam({ architect: [ASKS, fails, fails, ({ answers }) => `For ${answers[0]?.answer}: SQLite.`] });
  await ask(team, anAsk());
  await answerOf(team, 'a hundred');
  expect(await route(team, { clarificationId: 'CLR-1-001' })).toMatchObject({ status: 'escalated' });
  const id = escalationQuestionId('CLR-1-001', 1);
  await answerQuestion(team, { id, optionIds: ['a'], by: { principal: 'ada', channel: 'cli' } });
  expect(await route(team, { clarificationId: 'CLR-1-002' })).toMatchObject({ answer: 'For a hundred: SQLite.' });
});
