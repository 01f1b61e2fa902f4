import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { agentProgram, commandAgent } from '../scenarios/support/agents.js';
import { agentx } from '../scenarios/support/agentx.js';
import { aRunnable, fileOf, storeOf } from '../scenarios/support/runs.js';
import { aPerson, eventually, pressAnswer, says } from './support/people.js';
import { type Served, serveRepository } from './support/server.js';

const CODER = agentProgram(`
  const [answer] = brief.answers ?? [];
  if (answer === undefined) {
    reply({ status: 'failed', open_questions: [{ id: 'q1', text: 'Which endpoint?', options: [{ label: '/health' }, { label: '/status' }] }] });
  } else {
    reply({ status: 'done', artifacts: [{ path: 'endpoint.txt', content: answer.answer }] });
  }
`);

describe('a coder that cannot go on, and a person at the page', () => {
  it('is blocked, answered in the browser, ready again and goes on with the answer [OQ-5/1] [OQ-5/2] [OQ-5/3] [OQ-6/1] [OQ-6/2] [OQ-6/3] [OQ-6/4] [OQ-6/5] [OQ-6/6]', async () => {
    const cwd = await aRunnable({
      steps: '[[steps]]\nid = "implement"\ntitle = "Implement"\nagent = "coder"\n',
      config: commandAgent('coder'),
      files: { 'coder.mjs': CODER },
    });
    // Nothing goes on by itself, so that the test can look at the states in between.
    const served = await serveRepository(cwd, { args: ['--no-run'] });
    const told = await listen(served);
    const { page } = await aPerson(served);
    await says(page, 'Nothing waits for you.');

    expect(agentx(cwd, ['run', '1', '--no-wait']).status).toBe(3);
    await says(page, 'Which endpoint?');
    const { questions } = agentx(cwd, ['inbox', '--json']).json() as { questions: { id: string }[] };
    const id = questions[0]?.id ?? '';
    await told.until('notification.added');
    expect(told.of('notification.added')).toMatchObject([{ notification: { id, source: 'execute', sourceId: '1' } }]);
    await page.keyboard.press('2');
    await page.getByRole('link', { name: /^waits for you: / }).waitFor();
    expect(agentx(cwd, ['ready', '--json']).json()).toMatchObject({ ready: [], blocked: [{ questionId: id }] });
    expect(await storeOf(cwd).issues.read(1)).toMatchObject({
      taskStatus: 'blocked',
      block_reason: 'Open Question',
      assignee: null,
    });

    await page.getByRole('link', { name: /^waits for you/ }).click();
    await page.getByRole('radio', { name: '/status' }).click();
    await pressAnswer(page);
    await says(page, 'Answered. The agent goes on.');

    await told.until('notification.resolved');
    expect(told.of('notification.resolved')).toMatchObject([
      { notificationId: id, source: 'execute', sourceId: '1', outcome: 'answered' },
    ]);
    await eventually(
      async () => told.of('task.updated').map(({ status }) => status),
      expect.arrayContaining(['blocked', 'open']),
    );
    const issue = await storeOf(cwd).issues.read(1);
    expect(issue).toMatchObject({ taskStatus: 'open', block_reason: null });
    expect(issue?.comments.map(({ author, body }) => ({ author, body }))).toEqual([
      { author: 'ada', body: expect.stringContaining('/status') },
    ]);
    expect(agentx(cwd, ['ready', '--json']).json()).toMatchObject({ ready: [{ number: 1 }], blocked: [] });
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(fileOf(cwd, 'endpoint.txt')).toContain('/status');
    told.close();
  });
});

it('follows agents that ask each other, and reads nothing that is not there', async () => {
  const step = (id: string, agent: string, more: string) =>
    `[[steps]]\nid = "${id}"\ntitle = "${id}"\nagent = "${agent}"\n${more}\n`;
  const cwd = await aRunnable({
    steps: step('design', 'architect', '') + step('code', 'coder', 'needs = ["design"]\ncan_clarify = ["architect"]'),
    config: commandAgent('architect') + commandAgent('coder'),
    files: { 'architect.mjs': agentProgram("reply({ answer: 'Use the adapter.' });"), 'coder.mjs': CODER },
  });
  const { page } = await aPerson(await serveRepository(cwd));
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  await says(page, 'Nothing waits for you.');
  const ask = ['ask', '--issue', '1', '--from', 'coder', '--to', 'architect', '--topic', 'Database', '-q', 'Which?'];
  expect(agentx(cwd, ask).status).toBe(0);
  await page.keyboard.press('3');
  await says(page, 'Database');
  expect(agentx(cwd, ['clarify', 'resolve', 'CLR-1-001', '-m', 'Clear.']).status).toBe(0);
  await page.getByRole('combobox', { name: 'Status' }).selectOption('resolved');
  await says(page, 'CLR-1-001');
  expect(refused).toEqual([]);
  expect(await page.locator('.notice.problem').count()).toBe(0);
});

interface Told {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A program at the other end of the WebSocket. */
async function listen({ url, token }: Served) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { authorization: `Bearer ${token}` } });
  const messages: Told[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  const of = (type: string) => messages.filter((message) => message.type === type);
  const until = (type: string) => eventually(async () => of(type).length > 0, true);
  await until('hello');
  return { of, until, close: () => socket.close() };
}
