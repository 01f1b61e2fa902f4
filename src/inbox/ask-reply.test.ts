import { describe, expect, it } from 'vitest';
import { anInbox, type TestInbox } from '../../test/builders/inbox.js';
import { transition } from '../protocol/question-transition.js';
import type { Reply } from '../protocol/reply.js';
import { answerQuestion } from './answer-question.js';
import { askHumans } from './ask.js';
import { declineQuestion } from './end-question.js';

const by = { principal: 'ada', channel: 'cli' as const };

function take(inbox: TestInbox, agent: string, reply: Reply, turn = 1) {
  const origin = `run-1-aa/step/${turn}/question/0`;
  return askHumans(inbox, { origin, issueNumber: 1, agent, reply, runId: 'run-1-aa', phase: 'planning' });
}

describe('the questions of a reply', () => {
  it('are one notification, under either name of the field [OQ-1/1] [OQ-1/2] [OQ-4/1]', async () => {
    const inbox = await anInbox();
    const { question } = await take(inbox, 'coder', {
      open_questions: ['Which database?'],
      openQuestions: [{ question: 'Pagination?', options: [{ label: 'Yes' }, { label: 'No' }] }],
    });
    expect(question?.questions).toMatchObject([
      { id: 'q1', text: 'Which database?', createdAt: inbox.clock.now() },
      { id: 'q2', text: 'Pagination?', options: [{ id: 'a', label: 'Yes' }, { id: 'b' }] },
    ]);
    expect(inbox.bus.names()).toEqual(['notification-added']);
    expect((await inbox.store.questions.list({ status: 'open' })).items).toEqual([question]);
  });

  it('are none where there are none', async () => {
    const inbox = await anInbox();
    expect(await take(inbox, 'coder', { status: 'done', text: 'Nothing needs clarification.' })).toEqual({});
  });

  it.each([
    ['analyst', 'eval'],
    ['dreamer', 'prd'],
    ['planner', 'plan'],
    ['coder', 'execute'],
  ] as const)('of the %s have the source %s [OQ-2/1] [OQ-2/2] [OQ-2/3] [OQ-2/4]', async (agent, source) => {
    const inbox = await anInbox();
    const { question } = await take(inbox, agent, { open_questions: ['Why?'] });
    expect(question).toMatchObject({ source, sourceId: '1' });
    const kind = source;
    const result = await take(inbox, agent, { open_questions: ['What for?'], source: { kind, id: 'its-own-7' } }, 2);
    expect(result.question).toMatchObject({ source, sourceId: 'its-own-7' });
  });

  it('take the source that the reply gives [OQ-2/5]', async () => {
    const inbox = await anInbox();
    const reply: Reply = { open_questions: ['Why?'], source: { kind: 'eval', id: 'fb-3' } };
    expect((await take(inbox, 'coder', reply)).question).toMatchObject({ source: 'eval', sourceId: 'fb-3' });
  });

  it('may say that they block nothing, cannot be taken back, or fall back', async () => {
    const inbox = await anInbox();
    const options = ['Yes', 'No'];
    const light = { text: 'A logo?', options, blocking: false, fallback: { option: 'b', reasoning: 'later' } };
    expect((await take(inbox, 'coder', { open_questions: [light] })).question).toMatchObject({
      blocking: false,
      fallback: { optionId: 'b', reasoning: 'later' },
      expiresAt: '2026-02-26T10:05:00.000Z',
    });
    const grave = { text: 'Delete the old orders?', options, consequence: 'irreversible' };
    const { question } = await take(inbox, 'coder', { open_questions: [grave] }, 2);
    expect(question).toMatchObject({ consequence: 'irreversible', blocking: true });
    expect(question).not.toHaveProperty('expiresAt');
  });

  it('keep the arguments for and against each option [OQ-9/1] [OQ-9/3]', async () => {
    const inbox = await anInbox();
    const options = [
      { label: 'Queue', pros: ['decoupled'], cons: 'one more service', recommended: true },
      'Direct call',
    ];
    const { question } = await take(inbox, 'analyst', {
      open_questions: [{ text: 'How?', options, multiSelect: true }],
    });
    expect(question?.questions[0]).toMatchObject({
      multiSelect: true,
      options: [{ label: 'Queue', pros: ['decoupled'], cons: ['one more service'], recommended: true }, { id: 'b' }],
    });
  });

  it.each([
    ['without text [OQ-1/4]', [{ id: 'q1' }], /Open question 1 has no text/],
    ['too many [OQ-1/7]', Array.from({ length: 21 }, (_, index) => `Question ${index}?`), /has 21 questions/],
    ['with too many options [OQ-1/7]', [{ text: 'Which?', options: 'abcdefghijklm'.split('') }], /13 options/],
  ])('are refused where they are %s, and nothing is written', async (_, open_questions, message) => {
    const inbox = await anInbox();
    const { refused, question } = await take(inbox, 'coder', { open_questions });
    expect(refused).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringMatching(message) });
    expect(question).toBeUndefined();
    expect((await inbox.store.questions.list()).items).toEqual([]);
  });
});

describe('confirmations', () => {
  const ask = (...open_questions: readonly string[]): Reply => ({
    open_questions: [...open_questions],
    source: { kind: 'eval', id: 'fb-1' },
  });

  it('are asked once for each piece of feedback [OQ-8/1]', async () => {
    const inbox = await anInbox();
    const first = await take(
      inbox,
      'analyst',
      ask('Are you sure you want a new page?', 'Should I proceed?', 'Which colour?'),
    );
    expect(first.question?.questions.map(({ text }) => text)).toEqual([
      'Are you sure you want a new page?',
      'Which colour?',
    ]);
    await declineQuestion(inbox, { id: first.question?.id ?? '', by });
    const second = await take(inbox, 'analyst', ask('Please confirm: a blue page?'), 2);
    expect(second.question).toMatchObject({ id: first.question?.id, outcome: 'declined' });
    const third = await take(
      inbox,
      'analyst',
      ask('Please confirm: a blue page?', 'Which blue should the page have?'),
      3,
    );
    expect(third.question?.questions.map(({ text }) => text)).toEqual(['Which blue should the page have?']);
  });

  it('are asked once, also when two ask at the same moment [OQ-8/1]', async () => {
    const inbox = await anInbox();
    const both = await Promise.all([
      take(inbox, 'analyst', ask('Are you sure you want a new page?')),
      take(inbox, 'analyst', ask('Please confirm: everything in blue?'), 2),
    ]);
    expect(new Set(both.map(({ question }) => question?.id)).size).toBe(1);
    expect((await inbox.store.questions.list({ status: 'open' })).items).toHaveLength(1);
  });

  it('are asked for each decision that cannot be taken back', async () => {
    const inbox = await anInbox();
    const { question } = await take(inbox, 'analyst', ask('Are you sure that the button is to go?'));
    await answerQuestion(inbox, { id: question?.id ?? '', text: 'Yes.', by });
    const grave = { ...ask('Please confirm: the old orders are dropped.'), ...{ irreversible: true } };
    const second = await take(inbox, 'analyst', grave, 2);
    expect(second.question).toMatchObject({ status: 'open', consequence: 'irreversible' });
  });

  it('are asked again if the step that asked was given up: nobody confirmed anything', async () => {
    const inbox = await anInbox();
    const { question } = await take(inbox, 'analyst', ask('Are you sure you want a new page?'));
    await inbox.store.questions.update(question?.id ?? '', (current) => {
      const { question: next } = transition(current, { type: 'supersede', at: inbox.clock.now(), reason: 'given up' });
      return { next, result: undefined };
    });
    const again = await take(inbox, 'analyst', ask('Please confirm: a new page?'), 2);
    expect(again.question).toMatchObject({ status: 'open', questions: [{ text: 'Please confirm: a new page?' }] });
  });

  it('are asked again about other feedback', async () => {
    const inbox = await anInbox();
    const { question } = await take(inbox, 'analyst', ask('Are you sure?'));
    await answerQuestion(inbox, { id: question?.id ?? '', text: 'Yes.', by });
    const source = { kind: 'eval', id: 'fb-2' } as const;
    const other = await take(
      inbox,
      'analyst',
      { open_questions: ['Do you want me to remove the whole page?'], source },
      2,
    );
    expect(other.question?.status).toBe('open');
  });
});

describe('a coder that fails with questions', () => {
  const failed: Reply = { status: 'failed', open_questions: ['Which endpoint?'] };
  const issue = (inbox: TestInbox) => inbox.store.issues.read(1);

  it('blocks its task and takes its assignee off [OQ-6/1] [OQ-6/2]', async () => {
    const inbox = await anInbox();
    await inbox.store.issues.update(1, (current) => ({
      next: { ...current, taskStatus: 'in_progress', assignee: 'coder' },
      result: undefined,
    }));
    const { question } = await take(inbox, 'coder', failed);
    expect(question).toMatchObject({ source: 'execute', sourceId: '1', blocksTask: true });
    expect(await issue(inbox)).toMatchObject({ taskStatus: 'blocked', block_reason: 'Open Question', assignee: null });
    expect(inbox.bus.events.at(-1)).toMatchObject({
      name: 'task-updated',
      payload: { taskId: '1', status: 'blocked', assignee: null, block_reason: 'Open Question' },
    });
  });

  it('has it back when the last of its questions has ended, with the answer in the conversation [OQ-6/4] [OQ-6/5]', async () => {
    const inbox = await anInbox();
    const first = await take(inbox, 'coder', failed);
    const second = await take(inbox, 'coder', { ...failed, open_questions: ['Which port does it use?'] }, 2);
    await answerQuestion(inbox, { id: first.question?.id ?? '', text: '/health', by });
    expect(await issue(inbox)).toMatchObject({ taskStatus: 'blocked' });
    await answerQuestion(inbox, { id: second.question?.id ?? '', text: '8080', by });
    expect(await issue(inbox)).toMatchObject({
      taskStatus: 'open',
      block_reason: null,
      comments: [{ author: 'ada', body: 'Which endpoint? /health' }, { body: 'Which port does it use? 8080' }],
    });
    expect(inbox.bus.names().filter((name) => name === 'task-updated')).toHaveLength(2);
  });

  it('blocks nothing where it has none, or has not failed [OQ-6/7]', async () => {
    const inbox = await anInbox();
    await take(inbox, 'coder', { status: 'failed', text: 'The tests do not pass.' });
    await take(inbox, 'coder', { status: 'continue', open_questions: ['Which endpoint?'] }, 2);
    expect(await issue(inbox)).toMatchObject({ taskStatus: 'open', block_reason: null });
  });

  it('leaves a task alone that is blocked for another reason', async () => {
    const inbox = await anInbox();
    await inbox.store.issues.update(1, (current) => ({
      next: { ...current, taskStatus: 'blocked', block_reason: 'Waits for legal' },
      result: undefined,
    }));
    const { question } = await take(inbox, 'coder', failed);
    await answerQuestion(inbox, { id: question?.id ?? '', text: '/health', by });
    expect(await issue(inbox)).toMatchObject({ taskStatus: 'blocked', block_reason: 'Waits for legal' });
  });
});

describe('confirmations and repeats in one reply', () => {
  it.each([
    [['Are you sure?', 'Do you really want me to delete it?', 'Please confirm the deletion.', 'Really delete it?'], 1],
    [['Is it okay to delete it?', "You're sure?", 'To confirm: all of them?', 'OK to go?'], 1],
    [
      [
        'Are you sure?',
        'Do you approve?',
        'Does this look right?',
        'Any objections?',
        'All good?',
        'Is everything right?',
      ],
      1,
    ],
    [['Which database should be used?', 'Which database should be used here?', 'Which cache?'], 2],
    [
      [
        'May I empty the orders of the test shop on the first host?',
        'May I empty the orders of the live shop on the first host?',
      ],
      2,
    ],
    [['Right-to-left support?', 'Do you want to support mobile?'], 2],
    [['Proceed?', 'Are you certain?', 'Is that what you want?', 'Do you agree?'], 1],
    [['Do you want me to use PostgreSQL or SQLite?', 'Do you want me to page the list?', 'Are you sure?'], 3],
    [['Please confirm which database it is.', 'Can you confirm how long logs are kept?', 'Are you sure?'], 3],
    [['Should we continue to support old browsers?', 'Should we continue to support old phones?'], 2],
    [['Are you sure?', 'Is it okay to store passwords as text?', 'Do you agree to charging customers?'], 3],
  ])('%j are asked as %i [OQ-8/1] [OQ-8/2]', async (open_questions, count) => {
    const { question } = await take(await anInbox(), 'analyst', { open_questions });
    expect(question?.questions).toHaveLength(count);
  });
});
