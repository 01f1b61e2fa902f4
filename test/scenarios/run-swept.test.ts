import { describe, expect, it } from 'vitest';
import { agentProgram, commandAgent, letGo, untilThere } from './support/agents.js';
import { agentx, spawnAgentx } from './support/agentx.js';
import { aRunnable, storeOf } from './support/runs.js';

const step = (id: string, agent: string, more = ''): string =>
  `[[steps]]\nid = "${id}"\ntitle = "${id}"\nagent = "${agent}"\n${more}\n`;

/** How the run of these agents ends, with and without a look at the board in the middle of it. */
async function endsOf(agents: Readonly<Record<'engineer' | 'architect' | 'reviewer', string>>, isSwept: boolean) {
  const programs = Object.entries(agents).map(([agent, body]) => [`${agent}.mjs`, agentProgram(body)]);
  const cwd = await aRunnable({
    steps: step('build', 'engineer', 'can_clarify = ["architect"]') + step('review', 'reviewer', 'needs = ["build"]'),
    config: Object.keys(agents)
      .map((agent) => commandAgent(agent))
      .join(''),
    files: Object.fromEntries(programs),
  });
  const running = spawnAgentx(cwd, ['run', '1']);
  await untilThere(cwd, 'middle');
  if (isSwept) expect(agentx(cwd, ['ready']).status).toBe(0);
  letGo(cwd);
  const { status } = await running.ended;
  const { clarifications } = await storeOf(cwd).ledgers.read(1);
  return { status, clarifications: clarifications.map((record) => [record.status, record.round]) };
}

describe('a look at the board while a run is under way', () => {
  it('does not take an answered repetition from its asker: the run ends as without it [US-5.2/1]', async () => {
    const again = `{ to: 'architect', topic: 'Database', question: 'SQLite or PostgreSQL?'`;
    const agents = {
      engineer: `
        if (brief.step.turn === 1) reply({ clarify: [${again} }] });
        else if (brief.step.turn === 2) reply({ clarify: [${again}, id: 'CLR-1-001' }] });
        else {
          appendFileSync('middle', '');
          await until('go');
          reply({ text: 'Built.' });
        }`,
      architect: "reply({ answer: 'SQLite.' });",
      reviewer: "reply({ review: { verdict: 'approved' } });",
    };
    const alone = await endsOf(agents, false);
    expect(alone).toEqual({ status: 0, clarifications: [['resolved', 2]] });
    expect(await endsOf(agents, true)).toEqual(alone);
  });

  it('leaves a repetition to the target that is at work on it [US-5.2/1]', async () => {
    const again = `{ to: 'architect', topic: 'Database', question: 'SQLite or PostgreSQL?'`;
    const agents = {
      engineer: `
        if (brief.step.turn === 1) reply({ clarify: [${again} }] });
        else if (brief.step.turn === 2) reply({ clarify: [${again}, id: 'CLR-1-001' }] });
        else reply({ text: 'Built.' });`,
      architect: `
        if (brief.clarification.round === 2) {
          appendFileSync('middle', '');
          await until('go');
        }
        reply({ answer: 'SQLite.' });`,
      reviewer: "reply({ review: { verdict: 'approved' } });",
    };
    const alone = await endsOf(agents, false);
    expect(alone).toEqual({ status: 0, clarifications: [['resolved', 2]] });
    expect(await endsOf(agents, true)).toEqual(alone);
  });

  it('does not decide what becomes of an answer that comes when its requester is done [US-5.5/2]', async () => {
    const agents = {
      engineer: `reply({ text: 'Built.', artifacts: [{ path: 'health.js', content: 'up' }],
        clarify: [{ to: 'architect', topic: 'Database', question: 'Which?', blocking: false }] });`,
      architect: "await until('go');\nreply({ answer: 'SQLite.' });",
      reviewer: `
        appendFileSync('middle', '');
        await until('go');
        reply({ review: { verdict: 'approved' } });`,
    };
    const alone = await endsOf(agents, false);
    expect(alone).toEqual({ status: 0, clarifications: [['resolved', 1]] });
    expect(await endsOf(agents, true)).toEqual(alone);
  });
});
