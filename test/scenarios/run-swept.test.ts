import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentProgram, commandAgent, letGo, untilThere } from './support/agents.js';
import { agentx, spawnAgentx } from './support/agentx.js';
import { aRunnable, fileOf, storeOf } from './support/runs.js';

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

describe('what a person asks while a run ends', () => {
  const ask = ['ask', '--issue', '1', '--from', 'engineer', '--to', 'architect', '--topic', 'Database', '-q', 'Which?'];
  const files = {
    'reviewer.mjs': agentProgram(`
      appendFileSync('middle', '');
      await until('go');
      reply({ review: { verdict: 'approved' } });`),
    'architect.mjs': agentProgram(`
      appendFileSync('asked', 'x');
      if (brief.clarification.round === 2 || existsSync('late')) await until('answer');
      reply({ answer: 'SQLite ' + brief.clarification.round });`),
  };
  const aReviewedRun = (engineer: string) =>
    aRunnable({
      steps: step('build', 'engineer', 'can_clarify = ["architect"]') + step('review', 'reviewer', 'needs = ["build"]'),
      config: ['engineer', 'architect', 'reviewer'].map((agent) => commandAgent(agent)).join(''),
      files: { ...files, 'engineer.mjs': agentProgram(engineer) },
    });

  it('is answered, also if somebody looks at the board when the run is over [US-5.5/2]', async () => {
    const cwd = await aReviewedRun("reply({ text: 'Built.' });");
    const running = spawnAgentx(cwd, ['run', '1']);
    await untilThere(cwd, 'middle');
    writeFileSync(join(cwd, 'late'), '');
    const asking = spawnAgentx(cwd, ask);
    await untilThere(cwd, 'asked');
    letGo(cwd);
    expect((await running.ended).status).toBe(0);
    expect(agentx(cwd, ['ready']).status).toBe(0);
    writeFileSync(join(cwd, 'answer'), '');
    expect(await asking.ended).toMatchObject({ status: 0, stdout: expect.stringContaining('[Architect] SQLite 1') });
  });

  it('is answered, too, if it is the next round of a program outside the run [US-5.5/2]', async () => {
    const cwd = await aReviewedRun("reply({ text: 'Built.' });");
    const running = spawnAgentx(cwd, ['run', '1']);
    await untilThere(cwd, 'middle');
    expect(agentx(cwd, ask).status).toBe(0);
    const outside = { env: { AGENTX_AGENT: 'engineer' } };
    const following = spawnAgentx(cwd, ['clarify', 'follow-up', 'CLR-1-001', '-q', 'In which mode?'], outside);
    await expect.poll(() => fileOf(cwd, 'asked')).toBe('xx');
    letGo(cwd);
    expect((await running.ended).status).toBe(0);
    expect(agentx(cwd, ['ready']).status).toBe(0);
    writeFileSync(join(cwd, 'answer'), '');
    expect(await following.ended).toMatchObject({ status: 0, stdout: expect.stringContaining('[Architect] SQLite 2') });
  });

  it('as a follow-up of what nobody waited for is answered before the run ends', async () => {
    const cwd = await aReviewedRun(`reply({ status: 'done',
      clarify: [{ to: 'architect', topic: 'Database', question: 'Which?', blocking: false }] });`);
    const running = spawnAgentx(cwd, ['run', '1']);
    await untilThere(cwd, 'middle');
    await expect.poll(async () => (await storeOf(cwd).ledgers.read(1)).clarifications[0]?.status).toBe('answered');
    const following = spawnAgentx(cwd, ['clarify', 'follow-up', 'CLR-1-001', '-q', 'In which mode?']);
    await expect.poll(() => fileOf(cwd, 'asked')).toBe('xx');
    letGo(cwd);
    await expect
      .poll(async () => (await storeOf(cwd).runs.read(1))?.journal.map(({ type }) => type))
      .toContain('clarification-noticed');
    writeFileSync(join(cwd, 'answer'), '');
    expect(await following.ended).toMatchObject({ status: 0, stdout: expect.stringContaining('[Architect] SQLite 2') });
    expect(await running.ended).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/SQLite 2[\s\S]*rounds=2, /),
    });
    expect((await storeOf(cwd).ledgers.read(1)).clarifications).toMatchObject([{ status: 'resolved', round: 2 }]);
  });
});
