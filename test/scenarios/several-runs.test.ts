import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentProgram, commandAgent } from './support/agents.js';
import { agentx } from './support/agentx.js';
import { aRunnable, eventsOf, storeOf } from './support/runs.js';

const STEPS = '[[steps]]\nid = "implement"\ntitle = "Implement {{title}}"\nagent = "engineer"\n';
const ISSUES = [{ title: 'One' }, { title: 'Two' }, { title: 'Three' }];

/** Issue 2 asks a human; each waits until all that run at once have begun. */
const ENGINEER = (atOnce: number) =>
  agentProgram(`
    import { readdirSync, writeFileSync } from 'node:fs';
    writeFileSync('begun-' + brief.issue.number, '');
    const begun = () => readdirSync('.').filter((name) => name.startsWith('begun-')).length;
    while (begun() < ${atOnce}) await new Promise((resolve) => setTimeout(resolve, 5));
    appendFileSync('order', brief.issue.number + '\\n');
    if (brief.issue.number === 2 && brief.answers.length === 0) reply({ open_questions: [{ text: 'Which port?', options: [{ label: '80' }, { label: '8080' }] }] });
    else reply({ artifacts: [{ path: 'out/' + brief.issue.number + '.txt', content: 'done' }] });
  `);

const aProject = (atOnce: number) =>
  aRunnable({
    steps: STEPS,
    issues: ISSUES,
    config: commandAgent('engineer'),
    files: { 'engineer.mjs': ENGINEER(atOnce) },
  });

describe('agentx run with several issues', () => {
  it('carries three at once, labels each line with its issue, and has one inbox for all', async () => {
    const cwd = await aProject(3);
    const { status, stdout, stderr } = agentx(cwd, ['run', '1', '2', '3', '2', '--jobs', '3']);
    expect(status).toBe(3);
    expect(stdout).toContain('#1 Implement One');
    expect(stdout).toContain('#3 Implement Three');
    expect(stdout).toMatch(/#1 {2}Run complete: /);
    expect(stdout).toMatch(/#2 {2}Run paused: /);
    expect(stderr).toContain('Waits for you: agentx inbox, then: agentx run 2');
    expect(existsSync(join(cwd, 'out/3.txt'))).toBe(true);
    const [question] = (await storeOf(cwd).questions.list({})).items;
    agentx(cwd, ['inbox', 'answer', String(question?.id), '--option', 'a']);
    expect(agentx(cwd, ['run', '1', '2', '3', '--jobs', '2']).status).toBe(0);
    expect(existsSync(join(cwd, 'out/2.txt'))).toBe(true);
  });

  it('carries them out one after the other without --jobs, in the order that was typed', async () => {
    const cwd = await aProject(1);
    expect(agentx(cwd, ['run', '3', '1']).status).toBe(0);
    expect(readFileSync(join(cwd, 'order'), 'utf8')).toBe('3\n1\n');
  });

  it('names the issue in every line of --json', async () => {
    const cwd = await aProject(3);
    const events = eventsOf(agentx(cwd, ['run', '1', '2', '3', '--jobs', '3', '--json']));
    expect(events.filter(({ issueNumber }) => ![1, 2, 3].includes(Number(issueNumber)))).toEqual([]);
    const ends = events.filter(({ type }) => type === 'run-finished');
    expect(ends.map(({ issueNumber, status }) => `${issueNumber} ${status}`).sort()).toEqual([
      '1 done',
      '2 paused',
      '3 done',
    ]);
  });

  it('goes on with the others where one cannot be run, and says so', async () => {
    const cwd = await aProject(1);
    const { status, stdout } = agentx(cwd, ['run', '7', '1']);
    expect(status).toBe(1);
    expect(stdout).toContain('#7  cannot be run: There is no issue #7.');
    expect(stdout).toMatch(/#1 {2}Run complete: /);
  });

  it.each(['0', 'two', '1.5', '-1', '100000'])('refuses --jobs %s', async (jobs) => {
    const cwd = await aProject(1);
    const { status, stderr } = agentx(cwd, ['run', '1', '3', `--jobs=${jobs}`]);
    expect(status).toBe(2);
    expect(stderr).toContain('is no number of runs. Allowed: 1 to 64.');
  });
});
