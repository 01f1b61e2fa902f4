import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { agentProgram, commandAgent } from '../scenarios/support/agents.js';
import { agentx } from '../scenarios/support/agentx.js';
import { aRunnable, fileOf, letTimeRunOut, storeOf } from '../scenarios/support/runs.js';
import { onTerminal } from '../scenarios/support/terminal.js';
import { aPerson, eventually, pressAnswer, says, textOf } from './support/people.js';
import { type Served, serveRepository } from './support/server.js';

const step = (id: string, agent: string, ...needs: readonly string[]) =>
  `[[steps]]\nid = "${id}"\ntitle = "${id}"\nagent = "${agent}"\nneeds = ${JSON.stringify(needs)}\n`;
const STEPS = [
  step('design', 'architect'),
  step('sketch', 'ux-designer'),
  step('implement', 'engineer', 'design'),
  step('check', 'tester', 'implement'),
].join('\n');

const DATABASE = {
  text: 'Which database?',
  options: [{ label: 'PostgreSQL' }, { label: 'SQLite' }],
  fallback: { option: 'b', reasoning: 'It needs no server.', risk: 'low' },
};

/** The architect asks and writes down the answer; each following agent builds on what the one before wrote. */
const AGENTS = {
  'architect.mjs': `
    const [answer] = brief.answers;
    if (answer === undefined) reply({ open_questions: [${JSON.stringify(DATABASE)}] });
    else reply({ artifacts: [{ path: 'docs/design.md', content: 'The database is ' + answer.answer }] });`,
  'ux-designer.mjs': `reply({ artifacts: [{ path: 'docs/sketch.md', content: 'A page' }] });`,
  'engineer.mjs': `
    reply({ artifacts: [{ path: 'src/db.txt', content: 'Built: ' + readFileSync('docs/design.md', 'utf8') }] });`,
  'tester.mjs': `
    reply({ artifacts: [{ path: 'report.txt', content: 'Checked: ' + readFileSync('src/db.txt', 'utf8') }] });`,
};
const FILES = Object.fromEntries(
  Object.entries(AGENTS).map(([name, body]) => [
    name,
    agentProgram(`appendFileSync('turns.log', brief.step.id + '\\n');\n${body}`),
  ]),
);

async function aServedProject(): Promise<Served> {
  const cwd = await aRunnable({
    steps: STEPS,
    config: Object.keys(AGENTS)
      .map((name) => commandAgent(name.replace('.mjs', '')))
      .join('\n'),
    files: FILES,
  });
  return serveRepository(cwd);
}

const turns = (cwd: string) => fileOf(cwd, 'turns.log').trimEnd().split('\n').toSorted();
const assumptionOf = async (cwd: string) => (await storeOf(cwd).assumptions.read(1)).assumptions_made;

/**
 * A person looks at the question and says nothing until its time is over; the run in the terminal goes on to its end.
 */
async function tooLate(): Promise<{ readonly served: Served; readonly page: Page }> {
  const served = await aServedProject();
  const { page } = await aPerson(served);
  await says(page, 'Nothing waits for you.');
  const terminal = onTerminal(served.cwd, ['run', '1']);
  await says(page, /until the agent goes on with "SQLite"/);
  const [question] = (await storeOf(served.cwd).questions.list({ status: 'open' })).items;
  await letTimeRunOut(served.cwd, question?.id ?? '');
  await says(page, 'Nobody answered in time. The agent went on with: SQLite.');
  expect(await terminal.ended, terminal.screen()).toBe(0);
  expect(fileOf(served.cwd, 'report.txt')).toBe('Checked: Built: The database is SQLite');
  expect(await assumptionOf(served.cwd)).toMatchObject([{ user_response: 'timeout_assumed', status: 'standing' }]);
  return { served, page };
}

/** The person's different answer, and what the page asks then. */
async function contradict(page: Page): Promise<void> {
  await page.getByText('PostgreSQL', { exact: true }).click();
  await page.getByRole('button', { name: 'Send as a late answer' }).click();
  await says(page, 'Your late answer is kept.');
  await says(page, 'Keep it, or do it again?');
  const why = await textOf(page, '.why');
  for (const part of ['design', 'implement', 'check', 'docs/design.md', 'src/db.txt', 'report.txt', 'run-1-']) {
    expect(why).toContain(part);
  }
  expect(why).not.toContain('sketch');
}

describe('an answer that comes when the work is done, given on the page', () => {
  it('has the steps that used the assumption done again, and what stands on them [X-3/1] [X-3/2] [X-3/3] [PM-6/1] [PM-6/2]', async () => {
    const { served, page } = await tooLate();
    const { cwd } = served;
    await contradict(page);
    await page.getByText('Rework', { exact: true }).click();
    await pressAnswer(page);
    await says(page, 'Nothing waits for you.');
    await eventually(
      async () => (await assumptionOf(cwd)).map(({ status, rejection }) => ({ status, rejection })),
      [{ status: 'rejected', rejection: 'PostgreSQL' }],
    );
    expect(agentx(cwd, ['ready', '--json']).json()).toMatchObject({ ready: [{ number: 1 }] });

    const again = onTerminal(cwd, ['run', '1']);
    expect(await again.ended, again.screen()).toBe(0);
    expect(fileOf(cwd, 'docs/design.md')).toBe('The database is PostgreSQL');
    expect(fileOf(cwd, 'src/db.txt')).toBe('Built: The database is PostgreSQL');
    expect(fileOf(cwd, 'report.txt')).toBe('Checked: Built: The database is PostgreSQL');
    expect(turns(cwd)).toEqual(
      ['design', 'design', 'sketch', 'implement', 'check', 'design', 'implement', 'check'].toSorted(),
    );
    await page.keyboard.press('4');
    await says(page, 'Instead: PostgreSQL');
  });

  it('leaves everything as it is where the person keeps it, and confirms what was assumed [X-3/3]', async () => {
    const { served, page } = await tooLate();
    const { cwd } = served;
    await contradict(page);
    await page.getByText('Keep', { exact: true }).click();
    await pressAnswer(page);
    await says(page, 'Nothing waits for you.');
    await eventually(
      async () => (await assumptionOf(cwd)).map(({ status, decidedBy }) => ({ status, decidedBy })),
      [{ status: 'confirmed', decidedBy: 'ada' }],
    );
    const before = turns(cwd);
    expect(await storeOf(cwd).runs.read(1)).toMatchObject({ status: 'done' });
    expect(await storeOf(cwd).issues.read(1)).toMatchObject({ taskStatus: 'done' });
    expect(fileOf(cwd, 'report.txt')).toBe('Checked: Built: The database is SQLite');
    expect(turns(cwd)).toEqual(before);
  });
});
