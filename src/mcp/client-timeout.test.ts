import { expect, it } from 'vitest';
import { patienceWith } from './client-timeout.js';

it.each([
  ['claude-code', 1000, 300],
  ['codex-mcp-client', 300, 270],
  ['copilot-cli', 180, 150],
  ['gemini-cli-mcp-client', 600, 300],
  ['qwen-cli-mcp-client-agentx', 300, 270],
  ['opencode', 60, 45],
  ['continue-cli-client', 60, 45],
  ['an unknown client', 60, 45],
  ['not claude-code', 60, 45],
])('a call of %s, which gives up after %i s, waits %i s at most', (client, givesUpAfter, expected) => {
  expect(patienceWith(client)).toBe(expected);
  expect(expected).toBeLessThan(givesUpAfter);
});

it('a call waits as long as the person who installed us says', () => {
  expect(patienceWith('opencode', 600)).toBe(600);
  expect(patienceWith('claude-code', 1)).toBe(1);
});
