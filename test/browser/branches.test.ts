import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { startAgentx } from '../scenarios/support/agentx.js';
import { aRunnable } from '../scenarios/support/runs.js';
import { aPerson, eventually, says, textOf } from './support/people.js';
import { serveRepository } from './support/server.js';
import { violations } from './support/violations.js';

const SECTION = 'section[aria-label="Branches to review"]';

it('the board shows the branch of a run until its work tree is removed', async () => {
  const cwd = await aRunnable({
    steps: '[[steps]]\nid = "implement"\ntitle = "Implement"\nagent = "engineer"\n',
    script:
      '[[turns]]\nagent = "engineer"\nstatus = "done"\nartifacts = [{ path = "shed.txt", content = "red" }]\ntext = "Painted."\n',
    config: '[run]\nisolation = "worktree"\n',
    issues: [{ title: 'Paint the shed' }],
  });
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd, encoding: 'utf8' });
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'first');
  const served = await serveRepository(cwd);
  const { page, complaints } = await aPerson(served, { viewport: { width: 400, height: 800 } });
  await says(page, 'Nothing waits for you.');
  await page.keyboard.press('2');
  await says(page, 'Paint the shed');
  expect(await page.locator(SECTION).count()).toBe(0);

  const run = await startAgentx(cwd, ['run', '1']);
  expect(run.status, run.stderr).toBe(0);
  await eventually(
    () => textOf(page, SECTION),
    expect.stringMatching(
      /#1 done Paint the shed see it with git diff [0-9a-f]{12} agentx\/issue-1, when it is merged/,
    ),
  );
  const command = (await textOf(page, `${SECTION} code`)).split(' ').slice(1);
  expect(git(...command)).toContain('+red');
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0);

  const remove = (await textOf(page, `${SECTION} code:last-of-type`)).split(' ').slice(1);
  git(...remove);
  await page.reload();
  await says(page, 'Paint the shed');
  expect(await page.locator(SECTION).count()).toBe(0);
  expect(complaints).toEqual([]);
});
