import { expect, it } from 'vitest';
import { statusOf } from '../../test/builders/hub.js';
import { aRunHub, steps } from '../../test/builders/run-ports.js';
import { answerQuestion } from '../inbox/answer-question.js';
import { AgentXError } from '../protocol/errors.js';
import type { Question } from '../protocol/question.js';
import { runIssue } from './run-issue.js';

const ONE = { issueNumber: 1, wait: false } as const;
const by = { principal: 'ada', channel: 'cli' } as const;

it('the settings are read anew when a question has ended, and not while it is open', async () => {
  let renewed = 0;
  const hub = {
    ...(await aRunHub({
      workflow: steps({ id: 'code', agent: 'engineer' }),
      turns: { engineer: [({ answers }) => (answers.length > 0 ? 'Built.' : { open_questions: ['Which colour?'] })] },
    })),
    renew: () => {
      renewed += 1;
    },
  };
  const { waitingOn } = await runIssue(hub, ONE);
  await runIssue(hub, ONE);
  expect(renewed).toBe(0);
  await answerQuestion(hub, { id: waitingOn[0] ?? '', text: 'Red', by });
  expect(await runIssue(hub, ONE)).toMatchObject({ status: 'done' });
  expect(renewed).toBe(1);
});

it('a question whose step is not in the workflow any more is superseded by the next try [X-1/1]', async () => {
  const named = (first: string) =>
    steps({ id: first, agent: 'architect' }, { id: 'code', agent: 'engineer', needs: [first] });
  let workflow = named('design');
  const asks = { status: 'done', open_questions: [{ text: 'Which colour?', blocking: false }] } as const;
  const hub = await aRunHub({
    turns: {
      architect: [asks, { text: 'Drafted.' }],
      engineer: [new Error('no network'), new Error('no network'), ''],
    },
  });
  const ports = { ...hub, workflows: { ...hub.workflows, forIssue: async () => workflow } };
  await runIssue(ports, ONE);
  const questionsBy = async () => {
    const { items } = await hub.store.questions.list();
    return new Map(items.map((question): [string, Question] => [question.kind, question]));
  };
  const before = await questionsBy();
  workflow = named('draft');
  await answerQuestion(ports, { id: before.get('agent_failed')?.id ?? '', optionIds: ['retry'], by });
  expect(before.get('open_question')?.status).toBe('open');
  expect(await runIssue(ports, ONE)).toMatchObject({ status: 'done' });
  expect((await questionsBy()).get('open_question')).toMatchObject({
    outcome: 'superseded',
    reason: "step 'design' is not in the workflow any more",
  });
});

it('a step that is skipped does not take the workflow of now', async () => {
  let workflow = steps({ id: 'code', agent: 'engineer' });
  const hub = await aRunHub({ turns: { engineer: [new Error('no network')] } });
  const ports = { ...hub, workflows: { ...hub.workflows, forIssue: async () => workflow } };
  const { waitingOn } = await runIssue(ports, ONE);
  workflow = steps({ id: 'code', agent: 'engineer' }, { id: 'review', agent: 'reviewer' });
  await answerQuestion(hub, { id: waitingOn[0] ?? '', optionIds: ['skip'], by });
  expect(await runIssue(ports, ONE)).toMatchObject({ status: 'done' });
  expect(hub.briefs.map(({ agent }) => agent)).toEqual(['engineer', 'engineer']);
});

it('a step that a human gives to another agent leaves the first one idle', async () => {
  let workflow = steps({ id: 'code', agent: 'engineer' });
  const hub = await aRunHub({
    turns: { engineer: [new Error('no network')], coder: [({ step }) => `${step?.id} built.`] },
  });
  const ports = { ...hub, workflows: { ...hub.workflows, forIssue: async () => workflow } };
  const { waitingOn } = await runIssue(ports, ONE);
  expect(await statusOf(hub, 'engineer')).toMatchObject({ status: 'stuck' });
  workflow = steps({ id: 'code', agent: 'coder' });
  await answerQuestion(ports, { id: waitingOn[0] ?? '', optionIds: ['retry'], by });
  expect(await runIssue(ports, ONE)).toMatchObject({ status: 'done' });
  expect(await statusOf(hub, 'engineer')).toMatchObject({ status: 'idle' });
  expect(await statusOf(hub, 'coder')).toMatchObject({ status: 'done' });
});

it.each([
  ['skip', 'done'],
  ['stop', 'failed'],
])('a step whose agent cannot be started any more can be given up: %s', async (option, status) => {
  const hub = await aRunHub({
    workflow: steps({ id: 'code', agent: 'engineer' }),
    turns: { engineer: [new Error('no')] },
  });
  const { waitingOn } = await runIssue(hub, ONE);
  const runnerFor: typeof hub.runnerFor = (agent) => {
    throw new AgentXError('CONFIG_ERROR', `Agent '${agent}' has no table.`);
  };
  const ports = { ...hub, runnerFor };
  await expect(runIssue(ports, ONE)).rejects.toThrow("Agent 'engineer' has no table.");
  await answerQuestion(hub, { id: waitingOn[0] ?? '', optionIds: [option], by });
  expect(await runIssue(ports, ONE)).toMatchObject({ status });
});
