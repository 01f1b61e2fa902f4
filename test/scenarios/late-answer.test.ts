import { describe, expect, it } from 'vitest';
import { agentProgram, commandAgent, letGo, untilThere } from './support/agents.js';
import { agentx, spawnAgentx } from './support/agentx.js';
import { aRunnable, fileOf, letTimeRunOut, storeOf } from './support/runs.js';
import { startServer } from './support/server.js';

const step = (id: string, agent: string, ...needs: readonly string[]) =>
  `[[steps]]\nid = "${id}"\ntitle = "${id}"\nagent = "${agent}"\nneeds = ${JSON.stringify(needs)}\n`;

const question = (text: string, ...labels: readonly string[]) => ({
  text,
  options: labels.map((label) => ({ label })),
  fallback: { option: 'b', reasoning: 'It is there already.', risk: 'low' },
});

/** The architect asks and writes down the answer; the engineer builds it once the test lets it. */
async function aProject(...questions: readonly unknown[]): Promise<string> {
  return aRunnable({
    steps: step('design', 'architect') + step('implement', 'engineer', 'design') + step('check', 'tester', 'implement'),
    config: ['architect', 'engineer', 'tester'].map((agent) => commandAgent(agent)).join('\n'),
    files: {
      'architect.mjs': agentProgram(`
        const said = brief.answers.map(({ answer }) => answer);
        if (said.length === 0) reply({ open_questions: ${JSON.stringify(questions)} });
        else reply({ artifacts: [{ path: 'design.md', content: said.join(' and ') }] });
      `),
      'engineer.mjs': agentProgram(`
        const design = readFileSync('design.md', 'utf8');
        appendFileSync('building', design + '\\n');
        await until('go');
        reply({ artifacts: [{ path: 'code.txt', content: design }] });
      `),
      'tester.mjs': agentProgram(`
        reply({ artifacts: [{ path: 'report.txt', content: readFileSync('code.txt', 'utf8') }] });
      `),
    },
  });
}

/** No person is there when the architect asks; the fallback applies. */
async function timedOut(cwd: string): Promise<string> {
  expect(agentx(cwd, ['run', '1']).status).toBe(3);
  const [question] = (await storeOf(cwd).questions.list()).items;
  const id = question?.id ?? '';
  await letTimeRunOut(cwd, id);
  agentx(cwd, ['inbox']);
  expect(await storeOf(cwd).questions.read(id)).toMatchObject({ outcome: 'fallback_applied' });
  return id;
}

async function isBegun(cwd: string, step: string): Promise<boolean | undefined> {
  const run = await storeOf(cwd).runs.read(1);
  return run?.journal.some((entry) => entry.type === 'step-started' && entry.step === step);
}

const choicesOf = async (cwd: string) =>
  (await storeOf(cwd).questions.list({ status: 'open' })).items.filter(({ kind }) => kind === 'late_answer');
const assumptionsOf = async (cwd: string) => (await storeOf(cwd).assumptions.read(1)).assumptions_made;

describe('a late answer', () => {
  it('that says what the fallback said confirms it, and its author is told so', async () => {
    const cwd = await aProject(question('Which database?', 'PostgreSQL', 'SQLite'));
    const id = await timedOut(cwd);
    expect(agentx(cwd, ['inbox', 'answer', id, '--option', 'b'])).toMatchObject({
      status: 0,
      stdout: `${id} q1: SQLite\n${id} is fallback_applied.\nThe fallback was taken before you answered. It says the same: it is confirmed.\n`,
    });
    expect(await choicesOf(cwd)).toEqual([]);
    expect(await assumptionsOf(cwd)).toMatchObject([{ status: 'confirmed' }]);
  });

  it('has work done again that the run is in the middle of, and what follows from it [X-3/2] [X-3/3]', async () => {
    const cwd = await aProject(question('Which database?', 'PostgreSQL', 'SQLite'));
    const id = await timedOut(cwd);
    const running = spawnAgentx(cwd, ['run', '1']);
    await untilThere(cwd, 'building');
    // The journal follows while the engineer works.
    await expect.poll(() => isBegun(cwd, 'implement')).toBe(true);
    expect(agentx(cwd, ['inbox', 'answer', id, '--option', 'a']).status).toBe(0);
    const [choice] = await choicesOf(cwd);
    expect(choice?.rework?.runs).toMatchObject([{ steps: ['design', 'implement'] }]);
    expect(agentx(cwd, ['inbox', 'answer', choice?.id ?? '', '--option', 'rework']).status).toBe(0);
    letGo(cwd);
    const { status, stderr } = await running.ended;
    expect(status, stderr).toBe(0);
    expect(fileOf(cwd, 'building')).toBe('SQLite\nPostgreSQL\n');
    expect(fileOf(cwd, 'report.txt')).toBe('PostgreSQL');
  });

  it('has done again what was built between the answer and the choice [X-3/3]', async () => {
    const cwd = await aProject(question('Which database?', 'PostgreSQL', 'SQLite'));
    const id = await timedOut(cwd);
    const running = spawnAgentx(cwd, ['run', '1']);
    await untilThere(cwd, 'building');
    expect(agentx(cwd, ['inbox', 'answer', id, '--option', 'a']).status).toBe(0);
    const [choice] = await choicesOf(cwd);
    letGo(cwd);
    expect((await running.ended).status).toBe(0);
    expect(fileOf(cwd, 'report.txt')).toBe('SQLite');
    expect(agentx(cwd, ['inbox', 'answer', choice?.id ?? '', '--option', 'rework']).status).toBe(0);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(fileOf(cwd, 'report.txt')).toBe('PostgreSQL');
  });

  it('that contradicts several parts asks about each of them, and decides each assumption [X-3/1] [X-3/3]', async () => {
    const cwd = await aProject(
      question('Which database?', 'PostgreSQL', 'SQLite'),
      question('Which cache?', 'Redis', 'Memory'),
      question('Which queue?', 'NATS', 'Files'),
    );
    const id = await timedOut(cwd);
    letGo(cwd);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(fileOf(cwd, 'report.txt')).toBe('SQLite and Memory and Files');
    const served = await startServer(cwd);
    const responses = [
      { questionId: 'q1', optionIds: ['a'] },
      { questionId: 'q2', optionIds: ['a'] },
      { questionId: 'q3', optionIds: ['b'] },
    ];
    const { revision } = (await storeOf(cwd).questions.read(id)) ?? {};
    expect((await served.call('PATCH', `/notifications/${id}`, { revision, responses })).status).toBe(200);
    const choices = await choicesOf(cwd);
    expect(choices.map(({ rework }) => rework?.answer).toSorted()).toEqual(['PostgreSQL', 'Redis']);
    const about = (answer: string) => choices.find(({ rework }) => rework?.answer === answer)?.id ?? '';
    agentx(cwd, ['inbox', 'answer', about('PostgreSQL'), '--option', 'keep']);
    agentx(cwd, ['inbox', 'answer', about('Redis'), '--option', 'rework']);
    expect((await assumptionsOf(cwd)).map(({ status }) => status)).toEqual(['confirmed', 'rejected', 'confirmed']);
    expect(await storeOf(cwd).runs.read(1)).toMatchObject({ status: 'paused' });
  });

  it('may come part by part, and a part is answered once [X-3/1] [X-5/2]', async () => {
    const cwd = await aProject(
      question('Which database?', 'PostgreSQL', 'SQLite'),
      question('Which cache?', 'Redis', 'Memory'),
    );
    const id = await timedOut(cwd);
    const answer = (part: string, option: string) =>
      agentx(cwd, ['inbox', 'answer', id, '--question', part, '--option', option]);
    expect(answer('q1', 'a')).toMatchObject({ status: 0, stdout: expect.stringContaining('You say: PostgreSQL') });
    expect(answer('q2', 'a')).toMatchObject({ status: 0, stdout: expect.stringContaining('You say: Redis') });
    expect(answer('q2', 'b')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('already has a late answer'),
    });
    expect((await choicesOf(cwd)).map(({ rework }) => rework?.answer)).toEqual(['PostgreSQL', 'Redis']);
    expect((await storeOf(cwd).questions.read(id))?.lateResponses).toHaveLength(2);
  });

  it('and then a rejection ask once, about what was said last [X-3/3]', async () => {
    const cwd = await aProject(question('Which database?', 'PostgreSQL', 'SQLite'));
    const id = await timedOut(cwd);
    expect(agentx(cwd, ['inbox', 'answer', id, '--option', 'a']).status).toBe(0);
    const [before] = await choicesOf(cwd);
    const [assumption] = await assumptionsOf(cwd);
    const reject = () => agentx(cwd, ['assumptions', 'reject', assumption?.id ?? '', '-m', 'MariaDB']);
    expect(reject()).toMatchObject({ status: 0, stdout: expect.stringContaining('You say: MariaDB') });
    const [choice, ...others] = await choicesOf(cwd);
    expect(others).toEqual([]);
    expect(choice?.rework).toMatchObject({ answer: 'MariaDB', questionId: id, part: 'q1' });
    expect(agentx(cwd, ['inbox', 'show', before?.id ?? '']).stdout).toContain(
      `superseded: asked again as ${choice?.id}`,
    );
    expect(agentx(cwd, ['inbox', 'answer', before?.id ?? '', '--option', 'rework']).status).toBe(1);
    expect(reject().status).toBe(0);
    expect(agentx(cwd, ['inbox', 'answer', choice?.id ?? '', '--option', 'keep']).status).toBe(0);
    expect(await choicesOf(cwd)).toEqual([]);
  });
});
