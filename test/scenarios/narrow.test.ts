import { expect, it } from 'vitest';
import { agentx } from './support/agentx.js';
import { aRunnable } from './support/runs.js';
import { onTerminal } from './support/terminal.js';

const STEPS = `
[[steps]]
id = "code"
title = "Code"
agent = "engineer"
`;
const SCRIPT = `
[[turns]]
agent = "engineer"
text = "Built."
`;

it('a hint on 40 columns is broken between words, and a command in it stays whole', async () => {
  const cwd = await aRunnable({ steps: STEPS, script: SCRIPT });
  expect(agentx(cwd, ['run', '1']).status).toBe(0);
  const again = onTerminal(cwd, ['run', '1'], { columns: 40 });
  expect(await again.ended).toBe(0);
  expect(again.screen()).toContain('To do it again:\nagentx issue reopen 1, then agentx run 1\n');
  const inbox = onTerminal(cwd, ['inbox'], { columns: 40 });
  expect(await inbox.ended).toBe(0);
  expect(inbox.screen()).toContain('Nothing waits for you. What was:\nagentx inbox --all');
});

it('on 40 columns every hint of a question and of an error stays whole', async () => {
  const cwd = await aRunnable({ steps: STEPS, config: '[agents.engineer]\nrunner = "human"\n' });
  const run = onTerminal(cwd, ['run', '1', '--no-wait'], { columns: 40, rows: 60 });
  expect(await run.ended).toBe(3);
  expect(run.screen()).toMatch(/^ {2}with agentx run 1; a running$/m);
  expect(run.screen()).toMatch(/^ {2}agentx serve does so by itself\.$/m);
  const [id] = /oq-\w+/.exec(run.screen()) ?? [];
  // Longer than a line beside the label: it is left to the terminal, which copies it whole.
  const refused = onTerminal(cwd, ['inbox', 'answer', `${id}`, '--question', 'q1'], { columns: 40, rows: 60 });
  expect(await refused.ended).toBe(2);
  expect(refused.raw()).toContain(` agentx inbox show ${id}`);
});

it('on 40 columns what was decided is broken between words', async () => {
  const cwd = await aRunnable({ steps: STEPS, config: '[agents.engineer]\nrunner = "human"\n' });
  const [id] = /oq-\w+/.exec(agentx(cwd, ['run', '1', '--no-wait']).stdout) ?? [];
  const words = 'It is built, tested, reviewed and handed in, with everything that belongs to it.';
  const answer = onTerminal(cwd, ['inbox', 'answer', `${id}`, '-m', words], { columns: 40 });
  expect(await answer.ended).toBe(0);
  expect(answer.screen()).toContain(
    `${id} work: It is built,\n  tested, reviewed and handed in, with\n  everything that belongs to it.\n`,
  );
  const note = 'Retries stop after five, because the provider bans clients that try more often.';
  const add = onTerminal(cwd, ['memory', 'add', '--agent', 'engineer', '-m', note], { columns: 40 });
  expect(await add.ended).toBe(0);
  for (const word of note.split(' ')) expect(add.screen()).toContain(word);
});
