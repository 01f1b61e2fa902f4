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
