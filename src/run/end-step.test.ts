import { describe, expect, it } from 'vitest';
import { aClarification } from '../../test/builders/clarification.js';
import { anAsk } from '../../test/builders/hub.js';
import { aRunHub, steps, type TestRun } from '../../test/builders/run-ports.js';
import { ask } from '../hub/conversation.js';
import { escalate } from '../hub/escalate.js';
import { answerQuestion } from '../inbox/answer-question.js';
import { escalationQuestionId } from '../protocol/ids.js';
import { runIssue } from './run-issue.js';

const ONE = { issueNumber: 1, wait: false } as const;
const by = { principal: 'ada', channel: 'cli' } as const;
const CODE = steps({ id: 'code', agent: 'engineer', can_clarify: ['architect'], output: 'a.md' });

const openIds = async (hub: TestRun) => (await hub.store.questions.list({ status: 'open' })).items.map(({ id }) => id);

/** The declared output is missing, and its agent asks while a person is asked about that. */
async function askedAfterTheLastTurn() {
  const hub = await aRunHub({
    workflow: CODE,
    turns: { engineer: ['', { text: 'Built.' }], architect: ['SQLite.'] },
  });
  await runIssue(hub, ONE);
  const [id = ''] = await openIds(hub);
  await ask(hub, anAsk());
  return { hub, id };
}

describe('a step that says it is done', () => {
  it('goes on with what its agent was told after the last turn', async () => {
    const { hub, id } = await askedAfterTheLastTurn();
    hub.files.set('a.md', 'x');
    await answerQuestion(hub, { id, optionIds: ['there'], by });
    expect(await runIssue(hub, ONE)).toMatchObject({ status: 'done' });
    expect(hub.briefs.at(-1)?.clarifications).toMatchObject([{ status: 'answered', answer: 'SQLite.' }]);
    expect((await hub.store.ledgers.read(1)).clarifications).toMatchObject([{ status: 'resolved' }]);
  });

  it('waits for what its agent asked after the last turn', async () => {
    const { hub, id } = await askedAfterTheLastTurn();
    await escalate(hub, { clarificationId: 'CLR-1-001', reason: 'I decide' });
    hub.files.set('a.md', 'x');
    await answerQuestion(hub, { id, optionIds: ['there'], by });
    const escalation = escalationQuestionId('CLR-1-001', 1);
    expect(await runIssue(hub, ONE)).toMatchObject({ status: 'paused', waitingOn: [escalation] });
    await answerQuestion(hub, { id: escalation, text: 'MySQL.', by });
    expect(await runIssue(hub, ONE)).toMatchObject({ status: 'done' });
    expect(hub.briefs.at(-1)?.clarifications).toMatchObject([{ status: 'resolved' }]);
  });
});

it('a run that ends accepts only answers to what was asked in it', async () => {
  const hub = await aRunHub({ workflow: steps({ id: 'code', agent: 'engineer' }) });
  const record = aClarification({ id: 'CLR-1-001', from: 'reviewer', status: 'answered' });
  await hub.store.ledgers.update(1, (ledger) => ({ next: { ...ledger, clarifications: [record] }, result: undefined }));
  expect(await runIssue(hub, ONE)).toMatchObject({ status: 'done' });
  expect((await hub.store.ledgers.read(1)).clarifications).toMatchObject([{ status: 'answered' }]);
});

it('a run that ends leaves alone what a human takes up at that moment', async () => {
  const asking = {
    text: 'Done.',
    status: 'done' as const,
    clarify: [{ to: 'architect', topic: 'Cache', question: 'How long?', blocking: false }],
  };
  const hub = await aRunHub({
    workflow: steps({ id: 'code', agent: 'engineer', can_clarify: ['architect'] }),
    turns: { engineer: [asking], architect: ['An hour.'] },
  });
  const writeAnswers = async () => {
    const { clarifications } = await hub.store.ledgers.read(1);
    if (clarifications[0]?.status === 'answered')
      await escalate(hub, { clarificationId: 'CLR-1-001', reason: 'I decide' });
  };
  expect(await runIssue({ ...hub, writeAnswers }, ONE)).toMatchObject({ status: 'done' });
  expect((await hub.store.ledgers.read(1)).clarifications).toMatchObject([{ status: 'escalated' }]);
});

it('a run that ends first asks again whom a human has asked again, though nobody waits for it', async () => {
  const beside = { to: 'architect', topic: 'Cache', question: 'How long?', blocking: false };
  const hub = await aRunHub({
    workflow: steps(
      { id: 'code', agent: 'engineer', can_clarify: ['architect'] },
      { id: 'review', agent: 'reviewer', needs: ['code'] },
    ),
    turns: {
      engineer: [{ status: 'done', clarify: [beside] }],
      architect: [new Error('no network'), new Error('no network'), 'An hour.'],
      reviewer: [{ open_questions: ['Is that the whole change?'] }, 'Good.'],
    },
  });
  const { waitingOn } = await runIssue(hub, ONE);
  await answerQuestion(hub, { id: escalationQuestionId('CLR-1-001', 1), optionIds: ['a'], by });
  await answerQuestion(hub, { id: waitingOn[0] ?? '', text: 'Yes.', by });
  expect(await runIssue(hub, ONE)).toMatchObject({ status: 'done' });
  const { clarifications } = await hub.store.ledgers.read(1);
  expect(clarifications.map(({ id, status }) => [id, status])).toEqual([
    ['CLR-1-001', 'resolved'],
    ['CLR-1-002', 'resolved'],
  ]);
  expect(clarifications[1]?.thread).toMatchObject([
    { type: 'question' },
    { body: 'An hour.' },
    { body: 'Proceeding.' },
  ]);
});
