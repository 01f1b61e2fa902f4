import { expect, it } from 'vitest';
import { agentProgram, commandAgent, letGo, untilThere } from '../scenarios/support/agents.js';
import { agentx, spawnAgentx } from '../scenarios/support/agentx.js';
import { aRunnable } from '../scenarios/support/runs.js';
import { aPerson, eventually, says, textOf } from './support/people.js';
import { serveRepository } from './support/server.js';

it('the board says by itself that a run was interrupted, how it goes on, and that it did', async () => {
  const cwd = await aRunnable({
    steps: '[[steps]]\nid = "implement"\ntitle = "Implement"\nagent = "engineer"',
    config: commandAgent('engineer'),
    files: {
      'engineer.mjs': agentProgram("appendFileSync('asked', 'x'); await until('go'); reply({ text: 'Built.' });"),
    },
  });
  const served = await serveRepository(cwd);
  const { page, complaints } = await aPerson(served);
  const run = spawnAgentx(cwd, ['run', '1']);
  await untilThere(cwd, 'asked');
  await page.keyboard.press('2');
  await says(page, 'working');
  run.kill();
  await says(page, 'Runs that stand still');
  await says(page, 'agentx run 1');
  // The runs and the agents are two requests, and the kill may fall between them.
  await eventually(() => textOf(page, '[aria-label="Agents"]'), expect.stringContaining('interrupted'));
  expect(await textOf(page, '[aria-label="Agents"]')).not.toContain('working');
  letGo(cwd);
  expect(agentx(cwd, ['run', '1']).status).toBe(0);
  await eventually(async () => (await textOf(page, '.view')).includes('Runs that stand still'), false);
  expect(complaints).toEqual([]);
});
