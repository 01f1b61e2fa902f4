import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { until } from '../support/until.js';
import { agentx, aRepository } from './support/agentx.js';
import { callTool, connect, REVISIONS } from './support/mcp.js';

const QUESTIONS = [
  {
    text: 'Which region?',
    header: 'Region',
    options: [
      { label: 'EU', description: 'Near most users' },
      { label: 'US', recommended: true },
    ],
  },
];

const repository = () => aRepository({ issues: [{ title: 'Health endpoint', labels: ['type:feature'] }] });
const inboxOf = (cwd: string) =>
  (agentx(cwd, ['inbox', '--all', '--json']).json() as { questions: readonly Record<string, unknown>[] }).questions;

/** A person who sees the forms and reacts as the test says. */
function aPerson(reaction: ElicitResult | (() => Promise<ElicitResult>)) {
  const forms: ElicitRequestFormParams[] = [];
  const person = async (form: ElicitRequestFormParams) => {
    forms.push(form);
    return typeof reaction === 'function' ? reaction() : reaction;
  };
  return { forms, person };
}

/** A person needs some time to decide; a client that declines by itself does not. */
const afterAWhile = (reaction: ElicitResult) => () =>
  new Promise<ElicitResult>((resolve) => setTimeout(resolve, 1_500, reaction));

describe.each(REVISIONS)('asking the person at a client of revision %s', (revision) => {
  it('shows our options as a form, and closes the question everywhere with the answer [X-6/2] [X-7/1]', async () => {
    const cwd = await repository();
    const { forms, person } = aPerson({ action: 'accept', content: { answer: 'EU', own_words: 'Near the users.' } });
    const client = await connect(cwd, { revision, person, env: { AGENTX_AGENT: 'engineer', AGENTX_ISSUE: '1' } });
    const result = await callTool(client, 'ask_human', { questions: QUESTIONS });
    expect(result.data).toMatchObject({
      status: 'answered',
      answers: [{ part: 'q1', question: 'Which region?', answer: 'EU\nNear the users.', optionIds: ['a'] }],
      answeredBy: { principal: 'ada', channel: 'mcp' },
    });
    expect(forms).toMatchObject([
      {
        message: 'Engineer asks about issue #1.\n\nWhich region?\n- EU: Near most users',
        requestedSchema: {
          properties: {
            answer: { type: 'string', title: 'Region', enum: ['US (recommended)', 'EU'] },
            own_words: { type: 'string' },
          },
        },
      },
    ]);
    // The only question stands in the message, and is not repeated beside its field.
    expect(JSON.stringify(forms[0]).match(/Which region/g)).toHaveLength(1);
    expect(inboxOf(cwd)).toMatchObject([
      { status: 'resolved', outcome: 'answered', answeredBy: { principal: 'ada', channel: 'mcp', revision: 1 } },
    ]);
    expect(agentx(cwd, ['inbox', 'answer', String(inboxOf(cwd)[0]?.id), '--option', 'b']).stderr).toContain('ada');
    // Asked again, the agent gets the answer, and no person is bothered.
    expect((await callTool(client, 'ask_human', { questions: QUESTIONS })).data).toMatchObject({ status: 'answered' });
    expect(forms).toHaveLength(1);
  });

  it('asks several things at once, with several choices', async () => {
    const cwd = await repository();
    const content = { answer_1: ['CSV', 'PDF'], answer_2: 'By the end of May.' };
    const { forms, person } = aPerson({ action: 'accept', content });
    const client = await connect(cwd, { revision, person });
    const questions = [
      { text: 'Which formats?', options: ['CSV', 'PDF', 'XLS'], multiSelect: true },
      'When must it be done?',
    ];
    const result = await callTool(client, 'ask_human', { questions });
    expect(result.data).toMatchObject({
      status: 'answered',
      answers: [{ answer: 'CSV, PDF', optionIds: ['a', 'b'] }, { answer: 'By the end of May.' }],
    });
    expect(forms[0]?.requestedSchema).toMatchObject({
      properties: { answer_1: { type: 'array', items: { enum: ['CSV', 'PDF', 'XLS'] } }, answer_2: { type: 'string' } },
      required: ['answer_2'],
    });
  });

  it.each(['decline', 'cancel'] as const)(
    'takes a %s at once for no decision, and leaves the question open [X-6/3]',
    async (action) => {
      const cwd = await repository();
      const { person } = aPerson({ action });
      const client = await connect(cwd, { revision, person, options: ['--wait', '1'] });
      const result = await callTool(client, 'ask_human', { questions: QUESTIONS });
      expect(result.data).toMatchObject({ status: 'pending', link: expect.stringContaining('/inbox/oq-') });
      // The server recognises an empty chair by the time that the form took, on which a test of a process cannot rely.
      expect(result.data.next).toMatch(/No person is at this client|did not answer here/);
      expect(inboxOf(cwd)).toMatchObject([{ status: 'open' }]);
    },
  );

  it('takes a decline by a person for no decision: the question stays open for others', async () => {
    const cwd = await repository();
    const { person } = aPerson(afterAWhile({ action: 'decline' }));
    const client = await connect(cwd, { revision, person });
    const result = await callTool(client, 'ask_human', { questions: QUESTIONS });
    expect(result.data).toMatchObject({ status: 'pending' });
    expect(result.data.next).toContain('did not answer here');
    expect(inboxOf(cwd)).toMatchObject([{ status: 'open' }]);
  });

  it('tells the client what was answered elsewhere while its form was shown [X-7/1]', async () => {
    const cwd = await repository();
    let submit = (_: ElicitResult) => {};
    const { forms, person } = aPerson(
      () =>
        new Promise<ElicitResult>((resolve) => {
          submit = resolve;
        }),
    );
    const client = await connect(cwd, { revision, person });
    const call = callTool(client, 'ask_human', { questions: QUESTIONS });
    await until(() => forms.length > 0);
    agentx(cwd, ['inbox', 'answer', String(inboxOf(cwd)[0]?.id), '--option', 'a']);
    // A newer client has no request of ours that could be taken back: it learns of it when its person submits.
    if (revision === '2026-07-28') submit({ action: 'accept', content: { answer: 'US (recommended)' } });
    expect((await call).data).toMatchObject({
      status: 'answered',
      answers: [{ answer: 'EU' }],
      answeredBy: { channel: 'cli' },
    });
  });

  it('leaves the question open for others while the form hangs [X-6/3]', async () => {
    const cwd = await repository();
    const { forms, person } = aPerson(() => new Promise(() => {}));
    const client = await connect(cwd, { revision, person, options: ['--wait', '1'] });
    const call = callTool(client, 'ask_human', { questions: QUESTIONS });
    call.catch(() => {}); // The client of 2026-07-28 waits for its person until it is closed.
    await until(() => forms.length > 0);
    if (revision !== '2026-07-28') expect((await call).data).toMatchObject({ status: 'pending' });
    const [question] = inboxOf(cwd);
    expect(question).toMatchObject({ status: 'open' });
    agentx(cwd, ['inbox', 'answer', String(question?.id), '--option', 'a']);
    const other = await connect(cwd, { revision, options: ['--wait', '1'] });
    expect((await callTool(other, 'get_question', { id: question?.id, wait_seconds: 3600 })).data).toMatchObject({
      status: 'answered',
      answers: [{ answer: 'EU' }],
    });
  });

  it('asks no person where AGENTX_HEADLESS says that there is none', async () => {
    const cwd = await repository();
    const { forms, person } = aPerson({ action: 'accept', content: { answer: 'EU' } });
    const client = await connect(cwd, { revision, person, env: { AGENTX_HEADLESS: '1' }, options: ['--wait', '1'] });
    expect((await callTool(client, 'ask_human', { questions: QUESTIONS })).data).toMatchObject({ status: 'pending' });
    expect(forms).toEqual([]);
    expect(inboxOf(cwd)).toMatchObject([{ status: 'open' }]);
  });

  it('lets the person decide what agents could not settle', async () => {
    const cwd = await aRepository({
      issues: [{ title: 'Health endpoint', labels: ['type:feature'] }],
      config: '[agents.architect]\nrunner = "human"',
    });
    const { forms, person } = aPerson({ action: 'accept', content: { own_words: 'Two adapters.' } });
    const client = await connect(cwd, { revision, person });
    const ask = {
      to: 'architect',
      topic: 'Database',
      question: 'Two adapters, or migrate?',
      from: 'engineer',
      issue: 1,
    };
    const result = await callTool(client, 'request_clarification', ask);
    expect(forms).toHaveLength(1);
    expect(result.data).toMatchObject({
      id: 'CLR-1-001',
      status: 'resolved',
      answer: expect.stringContaining('Two adapters.'),
    });
  });
});
