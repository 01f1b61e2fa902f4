import { expect, it } from 'vitest';
import { agentProgram, commandAgent } from '../scenarios/support/agents.js';
import { agentx } from '../scenarios/support/agentx.js';
import { aRunnable, fileOf, storeOf } from '../scenarios/support/runs.js';
import { onTerminal } from '../scenarios/support/terminal.js';
import { aPerson, says, textOf } from './support/people.js';
import { serveRepository } from './support/server.js';

const STEPS = `
[[steps]]
id = "plan"
title = "Plan"
agent = "project-manager"
[[steps]]
id = "implement"
title = "Implement"
agent = "engineer"
needs = ["plan"]
`;

const REQUEST = {
  blocker_type: 'mutually_exclusive_requirements',
  evidence: {
    codebase_search: 'no session store in any file of the repository',
    similar_features: 'no other endpoint keeps anything between two requests',
    attempted_inference: 'the issue asks for a stateless API and for sessions',
  },
  question: 'Which of the two shall the API be?',
  options: ['Stateless, with signed tokens', 'Sessions on the server', 'Both'],
  fallback: { option: 'a', reasoning: 'it is less to run', risk: 'medium' },
};

const WHICH_DATABASE = {
  ...REQUEST,
  blocker_type: 'missing_external_data',
  question: 'What is the connection string?',
  options: ['The test database', 'The string, given in words'],
  fallback: { option: 'a', reasoning: 'nothing of value can be lost there', risk: 'low' },
};

it('a manager with requirements that exclude each other is answered in the browser, while its run waits in the terminal [PM-8/2] [PM-8/6] [PM-4/5] [X-7/1]', async () => {
  const cwd = await aRunnable({
    steps: STEPS,
    issues: [{ title: 'Make the API stateless and maintain user sessions' }],
    config: `${commandAgent('project-manager', 'manager.mjs')}\n${commandAgent('engineer')}`,
    files: {
      'manager.mjs': agentProgram(`
        const [answer] = brief.answers;
        if (answer === undefined) reply({ needs_clarification: ${JSON.stringify(REQUEST)} });
        else reply({ artifacts: [{ path: 'plan.md', content: answer.answer }] });`),
      'engineer.mjs': agentProgram(
        "reply({ artifacts: [{ path: 'code.txt', content: readFileSync('plan.md', 'utf8') }] });",
      ),
    },
  });
  const { page } = await aPerson(await serveRepository(cwd));
  await says(page, 'Nothing waits for you.');
  const terminal = onTerminal(cwd, ['run', '1']);
  await says(page, 'Which of the two shall the API be?');
  await says(page, 'until the agent goes on with "Stateless, with signed tokens"');
  const why = await textOf(page, '.why');
  for (const part of [
    'Planning needs a decision that nothing in the repository gives.',
    'Stateless, with signed tokens, risk medium it is less to run',
    'step plan of run-1-',
    'mutually exclusive requirements',
    'no session store in any file of the repository',
  ]) {
    expect(why).toContain(part);
  }
  await page.keyboard.press('c');
  await page.keyboard.press('Enter');
  await says(page, 'Answered. The agent goes on.');
  expect(await terminal.ended, terminal.screen()).toBe(0);
  expect(terminal.screen()).toContain('Both');
  expect(fileOf(cwd, 'code.txt')).toBe('Both');
  expect((await storeOf(cwd).assumptions.read(1)).assumptions_made).toMatchObject([
    { user_response: 'User confirmed option (c): Both', status: 'confirmed', decidedBy: 'ada' },
  ]);
  expect(agentx(cwd, ['inbox']).stdout).toContain('Nothing waits for you.');
});

it('a manager that lacks a connection string is given it in the browser, in words of the person [PM-8/7] [PM-8/2]', async () => {
  const cwd = await aRunnable({
    steps: STEPS,
    issues: [{ title: 'Connect to the production database' }],
    config: `${commandAgent('project-manager', 'manager.mjs')}\n${commandAgent('engineer')}`,
    files: {
      'manager.mjs': agentProgram(`
        const [answer] = brief.answers;
        if (answer === undefined) reply({ needs_clarification: ${JSON.stringify(WHICH_DATABASE)} });
        else reply({ artifacts: [{ path: 'plan.md', content: answer.answer }] });`),
      'engineer.mjs': agentProgram('reply({ text: "Connected." });'),
    },
  });
  const { page } = await aPerson(await serveRepository(cwd));
  const terminal = onTerminal(cwd, ['run', '1']);
  await says(page, 'What is the connection string?');
  await says(page, 'until the agent goes on with "The test database"');
  await page.keyboard.press('t');
  await page.keyboard.type('orders on db.example, port 5433');
  await page.keyboard.press('Control+Enter');
  await says(page, 'Answered. The agent goes on.');
  expect(await terminal.ended, terminal.screen()).toBe(0);
  expect(fileOf(cwd, 'plan.md')).toContain('orders on db.example, port 5433');
});
