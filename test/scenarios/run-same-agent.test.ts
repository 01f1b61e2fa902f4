import { describe, expect, it } from 'vitest';
import { agentProgram, commandAgent, letGo, untilThere } from './support/agents.js';
import { agentx, spawnAgentx } from './support/agentx.js';
import { aRunnable, eventsOf, storeOf } from './support/runs.js';

/** Two parallel steps of one agent: the one asks, the other is done before the answer comes. */
async function aSharedAgent() {
  const cwd = await aRunnable({
    steps: `
      [[steps]]
      id = "design"
      title = "Design"
      agent = "architect"
      [[steps]]
      id = "code"
      title = "Code"
      agent = "engineer"
      needs = ["design"]
      can_clarify = ["architect"]
      [[steps]]
      id = "docs"
      title = "Docs"
      agent = "engineer"
      needs = ["design"]
      [[steps]]
      id = "review"
      title = "Review"
      agent = "reviewer"
      needs = ["docs"]
    `,
    config: ['architect', 'engineer', 'reviewer'].map((agent) => commandAgent(agent, 'agent.mjs')).join('\n'),
    files: {
      'agent.mjs': agentProgram(`
        const { step, clarification, clarifications } = brief;
        if (clarification) {
          appendFileSync('asked', 'x');
          await until('go');
          reply({ answer: 'SQLite.' });
        } else if (step.id === 'code' && step.turn === 1) {
          reply({ clarify: [{ to: 'architect', topic: 'Database', question: 'Which one?' }] });
        } else if (step.id === 'code') {
          reply({ artifacts: [{ path: 'code.txt', content: JSON.stringify(clarifications.map((one) => one.answer)) }] });
        } else if (step.id === 'docs') {
          await until('asked');
          reply({ status: 'done' });
        } else if (step.id === 'review') {
          appendFileSync('reviewing', 'x');
          reply({ status: 'done' });
        } else reply({ status: 'done' });
      `),
    },
  });
  const run = spawnAgentx(cwd, ['run', '1', '--json']);
  // The other step of the engineer is done.
  await untilThere(cwd, 'reviewing');
  return { cwd, run };
}

describe('two parallel steps of one agent', () => {
  it('leave each other alone: the one that asks waits on while the other is done', async () => {
    const { cwd, run } = await aSharedAgent();
    const state = agentx(cwd, ['state', '--json']).json();
    expect(state).toMatchObject({ engineer: { status: 'blocked-clarification', waitingOn: 'architect' } });
    expect(agentx(cwd, ['ready']).stderr).not.toContain('abandoned');
    expect((await storeOf(cwd).ledgers.read(1)).clarifications).toMatchObject([{ status: 'pending' }]);
    letGo(cwd);
    const ended = await run.ended;
    expect(ended.status).toBe(0);
    expect(eventsOf(ended).at(-1)).toMatchObject({ type: 'run-finished', status: 'done' });
    expect((await storeOf(cwd).ledgers.read(1)).clarifications).toMatchObject([{ status: 'resolved' }]);
    expect(agentx(cwd, ['state', '--json']).json()).toMatchObject({ engineer: { status: 'done' } });
  });
});
