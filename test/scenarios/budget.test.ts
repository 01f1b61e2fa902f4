import { describe, expect, it } from 'vitest';
import { aSession, aTurn } from '../builders/session.js';
import { agentx, aRepository } from './support/agentx.js';

const context = [
  { part: 'artifacts', tokens: 70_000, items: 3 },
  { part: 'memory', tokens: 8000, items: 12 },
] as const;
const session = aSession({ turns: [aTurn({ context, reply: { text: 'abc '.repeat(1000) } })] });

describe('agentx state --budget', () => {
  it("shows how full an agent's window is, by what the configuration gives it [ME-6/1] [ME-6/3]", async () => {
    const cwd = await aRepository({
      config: '[agents.engineer]\nrunner = "human"\ncontext_tokens = 100000\n',
      files: { [`.agentx/state/sessions/${session.id}.json`]: JSON.stringify(session) },
    });
    expect(agentx(cwd, ['state', '--budget'])).toMatchObject({
      status: 0,
      stderr: '',
      stdout: `engineer  #42 implement
  [################----]  79 %  79,003 of 100,000 tokens  compact soon
    artifacts 70,000 (3 items), memory 8,000 (12 items), conversation 1,003 (1 item)
`,
    });
    expect(agentx(cwd, ['state', '--budget', '--json']).json()).toMatchObject({
      budgets: [
        { agent: 'engineer', issueNumber: 42, contextTokens: 100_000, usedTokens: 79_003, band: 'compact-soon' },
      ],
    });
  });

  it('says so where there was no session yet', async () => {
    const cwd = await aRepository();
    expect(agentx(cwd, ['state', '--budget'])).toMatchObject({
      status: 0,
      stdout: 'No agent has had a session yet.\n',
    });
    expect(agentx(cwd, ['state', '--budget', '--json']).json()).toEqual({ budgets: [] });
  });

  it('refuses a window that can be none', async () => {
    const cwd = await aRepository({ config: '[agents.engineer]\nrunner = "human"\ncontext_tokens = 12\n' });
    expect(agentx(cwd, ['state', '--budget'])).toMatchObject({ status: 2, stdout: '' });
  });
});
