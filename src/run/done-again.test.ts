import { describe, expect, it } from 'vitest';
import { aRunHub, steps, type TestRun } from '../../test/builders/run-ports.js';
import { answerQuestion } from '../inbox/answer-question.js';
import type { QuestionKind } from '../protocol/question.js';
import { runIssue } from './run-issue.js';

const ONE = { issueNumber: 1, wait: false } as const;
const by = { principal: 'ada', channel: 'cli' } as const;
const rejected = (body: string) => ({ review: { verdict: 'rejected', body } }) as const;
const APPROVED = { review: { verdict: 'approved' } } as const;
/** The documents are written beside the review, which sends the code back. */
const SIDE_BY_SIDE = steps(
  { id: 'code', agent: 'engineer' },
  { id: 'docs', agent: 'analyst', needs: ['code'] },
  { id: 'review', agent: 'reviewer', needs: ['code'] },
);

const ended = async (hub: TestRun, kind: QuestionKind) =>
  (await hub.store.questions.list()).items
    .filter((question) => question.kind === kind)
    .map(({ status, outcome, reason }) => [status, outcome, reason]);

describe('a step that is done again before it was done', () => {
  it('waits for what its agent asked a human before', async () => {
    const hub = await aRunHub({
      workflow: SIDE_BY_SIDE,
      turns: {
        analyst: [{ open_questions: ['Which tone should the documents have?'] }, 'Written.'],
        reviewer: [rejected('No tests.'), APPROVED],
      },
    });
    const { status, waitingOn } = await runIssue(hub, ONE);
    expect(status).toBe('paused');
    const [id = ''] = waitingOn;
    await answerQuestion(hub, { id, text: 'A dry one.', by });
    expect(await runIssue(hub, ONE)).toMatchObject({ status: 'done' });
    const [, again] = hub.briefs.filter(({ agent }) => agent === 'analyst');
    expect(again).toMatchObject({ step: { attempt: 2 }, answers: [{ answer: 'A dry one.' }] });
  });

  it('is handed to its person once: the earlier question ends', async () => {
    const hub = await aRunHub({
      workflow: SIDE_BY_SIDE,
      turns: { reviewer: [rejected('No tests.'), APPROVED] },
    });
    const runnerFor: typeof hub.runnerFor = (agent) =>
      agent === 'analyst' ? { ...hub.runnerFor(agent), isHuman: true } : hub.runnerFor(agent);
    expect(await runIssue({ ...hub, runnerFor }, ONE)).toMatchObject({ status: 'paused' });
    expect(await ended(hub, 'approval')).toEqual([
      ['resolved', 'superseded', "step 'docs' is done again"],
      ['open', undefined, undefined],
    ]);
  });

  it('asks nobody any more how its earlier attempt goes on', async () => {
    const hub = await aRunHub({
      workflow: steps(
        { id: 'code', agent: 'engineer' },
        { id: 'docs', agent: 'analyst', needs: ['code'] },
        { id: 'lint', agent: 'tester', needs: ['code'] },
        { id: 'review', agent: 'reviewer', needs: ['code', 'lint'] },
      ),
      turns: {
        analyst: [new Error('no network'), new Error('no network'), 'Written.'],
        reviewer: [rejected('No tests.'), APPROVED],
      },
    });
    expect(await runIssue(hub, ONE)).toMatchObject({ status: 'done' });
    expect(await ended(hub, 'agent_failed')).toEqual([['resolved', 'superseded', "step 'docs' is done again"]]);
  });
});

it('a step that two reviews send back at once is told what both said', async () => {
  const hub = await aRunHub({
    workflow: steps(
      { id: 'code', agent: 'engineer' },
      { id: 'security', agent: 'tester', needs: ['code'] },
      { id: 'style', agent: 'reviewer', needs: ['code'] },
    ),
    turns: { tester: [rejected('It stores passwords.'), APPROVED], reviewer: [rejected('No tests.'), APPROVED] },
  });
  expect(await runIssue(hub, ONE)).toMatchObject({ status: 'done' });
  const [first, second] = hub.briefs.filter(({ agent }) => agent === 'engineer');
  expect(first?.step).not.toHaveProperty('review');
  expect(second?.step?.reviews).toEqual([
    { by: 'security', body: 'It stores passwords.' },
    { by: 'style', body: 'No tests.' },
  ]);
  expect(second?.step?.review).toEqual({ by: 'style', body: 'No tests.' });
  expect(second?.prompt).toContain("The review in step 'security' rejected the work. It stores passwords.");
  expect(second?.prompt).toContain("The review in step 'style' rejected the work. No tests.");
});

it('a step that is done stays done where a human adds a need to it and has a later one tried again', async () => {
  const before = steps({ id: 'code', agent: 'engineer' }, { id: 'review', agent: 'reviewer', needs: ['code'] });
  const after = steps(
    { id: 'threats', agent: 'analyst' },
    { id: 'code', agent: 'engineer', needs: ['threats'] },
    { id: 'review', agent: 'reviewer', needs: ['code'] },
  );
  let workflow = before;
  const hub = await aRunHub({
    turns: { reviewer: [new Error('no network'), new Error('no network'), 'Good.'] },
  });
  const ports = { ...hub, workflows: { ...hub.workflows, forIssue: async () => workflow } };
  const { waitingOn } = await runIssue(ports, ONE);
  workflow = after;
  await answerQuestion(ports, { id: waitingOn[0] ?? '', optionIds: ['retry'], by });
  expect(await runIssue(ports, ONE)).toMatchObject({ status: 'done' });
  const turns = hub.briefs.map(({ step }) => `${step?.id} ${step?.turn}`);
  expect(turns.toSorted()).toEqual(['code 1', 'review 1', 'review 2', 'review 3', 'threats 1']);
});
