import { expect, it } from 'vitest';
import { agentProgram, commandAgent } from './support/agents.js';
import { agentx, aRepository } from './support/agentx.js';
import { openInbox } from './support/inbox.js';
import { letTimeRunOut, storeOf } from './support/runs.js';
import { startServer } from './support/server.js';

const STEPS = `[workflow]
name = "story"

[[steps]]
id = "design"
title = "Design"
agent = "architect"
[[steps]]
id = "implement"
title = "Implement"
agent = "engineer"
needs = ["design"]
can_clarify = ["architect"]
`;

it('a thread keeps who said what in the name of the human, whatever verb they used [X-8/1]', async () => {
  const cwd = await aRepository({
    issues: [{ title: 'Health endpoint' }],
    config: commandAgent('architect'),
    files: {
      '.agentx/workflows/story.toml': STEPS,
      'architect.mjs': agentProgram("reply({ answer: 'The adapter.' });"),
    },
  });
  const as = (user: string, ...args: readonly string[]) => agentx(cwd, args, { env: { USER: user } });
  const ask = (topic: string) =>
    as('ada', 'ask', '--issue', '1', '--from', 'engineer', '--to', 'architect', '--topic', topic, '-q', 'Which?');
  ask('Database');
  expect(as('bob', 'clarify', 'follow-up', 'CLR-1-001', '-q', 'In tests too?').status).toBe(0);
  expect(as('carol', 'clarify', 'resolve', 'CLR-1-001', '-m', 'Clear.').status).toBe(0);
  ask('Cache');
  const escalated = as('dave', 'clarify', 'escalate', 'CLR-1-002', '-m', 'Nobody knows.', '--json');
  expect(escalated.status).toBe(3);
  const [question] = (await storeOf(cwd).questions.list({ status: 'open' })).items;
  expect(as('erin', 'inbox', 'answer', question?.id ?? '', '-m', 'None at all.').status).toBe(0);

  const { clarifications } = await storeOf(cwd).ledgers.read(1);
  const answers = clarifications.flatMap(({ thread }) =>
    thread.map(({ type, from, principal }) => [type, from, principal]),
  );
  expect(answers).toEqual([
    ['question', 'engineer', undefined],
    ['answer', 'architect', undefined],
    ['question', 'human', 'bob'],
    ['answer', 'architect', undefined],
    ['resolution', 'human', 'carol'],
    ['question', 'engineer', undefined],
    ['answer', 'architect', undefined],
    ['escalation', 'agent-x', 'dave'],
    ['resolution', 'human', 'erin'],
  ]);
  expect(as('ada', 'clarify', 'show', 'CLR-1-002').stdout).toContain('[RESOLVED] human (erin)');
});

const PARTS = [
  { id: 'q1', text: 'Which region?', options: [{ id: 'a', label: 'EU' }] },
  { id: 'q2', text: 'Which currency?' },
];

it('two people who answer two parts through two surfaces each stay the author of theirs [X-8/1] [OQ-6/4]', async () => {
  const cwd = await aRepository({ issues: [{ title: 'Checkout' }] });
  const { id } = await (await openInbox(cwd)).ask({ parts: PARTS });
  const server = await startServer(cwd, { env: { USER: 'bob' } });
  const first = agentx(cwd, ['inbox', 'answer', id, '--question', 'q1', '--option', 'a'], { env: { USER: 'ada' } });
  expect(first.status).toBe(0);
  const body = { revision: 2, responses: [{ questionId: 'q2', answer: 'CHF', answeredBy: { principal: 'eve' } }] };
  expect((await server.call('PATCH', `/notifications/${id}`, body)).status).toBe(400);
  const request = { revision: 2, responses: [{ questionId: 'q2', answer: 'CHF' }] };
  expect((await server.call('PATCH', `/notifications/${id}`, request)).status).toBe(200);

  expect(await storeOf(cwd).questions.read(id)).toMatchObject({
    outcome: 'answered',
    answeredBy: { principal: 'bob', channel: 'web' },
    responses: [{ questionId: 'q1', answeredBy: { principal: 'ada', channel: 'cli' } }, { questionId: 'q2' }],
  });
  expect(agentx(cwd, ['inbox', 'show', id]).stdout).toMatch(
    /Answered by ada \(cli\): EU[\s\S]*Answered by bob \(web\): CHF/,
  );
  expect((await storeOf(cwd).issues.read(1))?.comments).toMatchObject([
    { author: 'ada', body: 'Which region? EU' },
    { author: 'bob', body: 'Which currency? CHF' },
  ]);
});

it('a person and the clock: each part says which, and only what fell back takes a late answer [X-8/1] [OQ-6/4]', async () => {
  const cwd = await aRepository({ issues: [{ title: 'Checkout' }] });
  const { id } = await (await openInbox(cwd)).ask({ parts: PARTS, fallback: { text: 'EUR' } });
  const answer = (user: string, ...words: string[]) =>
    agentx(cwd, ['inbox', 'answer', id, ...words], { env: { USER: user } });
  expect(answer('ada', '--question', 'q1', '--option', 'a').status).toBe(0);
  await letTimeRunOut(cwd, id);
  expect(agentx(cwd, ['inbox', '--all']).stdout).toContain('fallback_applied');
  expect(agentx(cwd, ['inbox', 'show', id]).stdout).toMatch(/Answered by ada \(cli\): EU[\s\S]*Fallback taken: EUR/);
  expect((await storeOf(cwd).issues.read(1))?.comments).toMatchObject([
    { author: 'ada', body: 'Which region? EU' },
    { author: 'agent-x', body: expect.stringMatching(/^Which currency\? EUR \(the fallback/) },
  ]);
  const refused = answer('bob', '--question', 'q1', '-m', 'Asia');
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('ada gave in time') });
  expect(answer('ada', '--question', 'q1', '--option', 'a').status).toBe(0);
  for (const _ of ['once', 'and the same again']) {
    expect(answer('bob', '-m', 'JPY')).toMatchObject({ status: 0, stdout: expect.stringContaining('You say: JPY') });
    expect((await storeOf(cwd).issues.read(1))?.comments.slice(2)).toMatchObject([
      { author: 'bob', body: 'Which currency? JPY (late, after the fallback)' },
    ]);
  }
});

it('a part that was answered names its answerer, also while others are open and when the asker is gone [X-8/1]', async () => {
  const cwd = await aRepository({ issues: [{ title: 'Checkout' }] });
  const { id } = await (await openInbox(cwd)).ask({ parts: PARTS });
  const as = (user: string, ...args: readonly string[]) => agentx(cwd, args, { env: { USER: user } });
  expect(as('ada', 'inbox', 'answer', id, '--question', 'q1', '--option', 'a').status).toBe(0);
  expect(as('bob', 'inbox', 'show', id).stdout).toContain('Answered by ada (cli): EU');
  expect(as('eve', 'issue', 'close', '1').status).toBe(0);
  expect(as('bob', 'inbox', 'show', id).stdout).toMatch(
    /Answered by ada \(cli\): EU[\s\S]*superseded: issue #1 is closed/,
  );
  const late = as('bob', 'inbox', 'answer', id, '--question', 'q2', '-m', 'CHF');
  expect(late).toMatchObject({ status: 1, stderr: expect.stringContaining('is already superseded.') });
});
