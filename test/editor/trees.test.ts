import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { commandAgent, letGo, patientAgent } from '../scenarios/support/agents.js';
import { agentx, aRepository, spawnAgentx, startAgentx } from '../scenarios/support/agentx.js';
import { asking, aTeam } from '../scenarios/support/github.js';
import { storeOf } from '../scenarios/support/runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { aWindow, withEditor } from './support/a-window.js';
import { pictureOf } from './support/picture.js';
import { aSampleProject } from './support/projects.js';
import { rowsOf, showView, statusItem, textsOf } from './support/workbench.js';

withEditor();

const ASK = ['--from', 'reviewer', '--to', 'architect', '--topic', 'Themes', '-q', 'Which themes are tested?'];

it('the trees show agents, queue, inbox, threads and assumptions, and follow what other processes write [US-3.1/6] [US-3.2/2] [US-6.3/7] [US-6.3/8]', async () => {
  const folder = await aSampleProject(commandAgent('architect'));
  writeFileSync(join(folder, 'architect.mjs'), patientAgent('Both themes.'));
  const window = await aWindow({ folder, size: { width: 1280, height: 1400 } });
  const { page, host } = window;
  await showView(page);
  await rowsOf(page, 'Inbox').nth(4).waitFor();

  await expect
    .poll(() => textsOf(page, 'Agents'))
    .toEqual([
      '(watch) Engineer waits for you, oq-0a000001, blocked-clarification #42',
      '(watch) Reviewer waits for ux-designer, CLR-57-001, blocked-clarification #57',
      '(watch) UX Designer waits for engineer, CLR-58-001, blocked-clarification #58',
      '(watch) Tester waits for engineer, CLR-66-001, blocked-clarification #66',
      '(watch) Architect waits for you, oq-0a000004, blocked-clarification #57',
      '(error) Coder stuck #61',
      '(pass) Product Manager done #63',
    ]);
  await expect
    .poll(() => textsOf(page, 'Ready Queue'))
    .toContainEqual('(circle-slash) #66 Dark mode BLOCKED: Clarification CLR-66-001 pending from engineer');

  const marks = () =>
    page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('.sidebar .monaco-list-row')]
        .filter((row) => row.textContent.includes('CLR-66-001 pending'))
        .flatMap((row) => [...row.querySelectorAll('*')].map((part) => getComputedStyle(part, '::after').content))`,
    );
  await expect.poll(marks).toContain('"B"');

  await expect
    .poll(async () => (await textsOf(page, 'Inbox')).join('\n'))
    .toMatch(/^.*3 questions.*\n[\s\S]*in [0-4]:\d\d: Retention of audit logs/);
  const inbox = await textsOf(page, 'Inbox');
  // The time that is left runs.
  await expect.poll(() => textsOf(page, 'Inbox')).not.toEqual(inbox);
  await expect.poll(() => statusItem(page).allInnerTexts()).toEqual([expect.stringContaining('5')]);
  await expect.poll(() => page.locator('.activitybar .action-item .badge', { hasText: '5' }).count()).toBe(1);

  await page.locator('.pane-header[aria-label^="Assumptions"]').click();
  await expect.poll(async () => (await textsOf(page, 'Assumptions')).join()).toContain('ASM-40-001');
  await page.locator('.pane-header[aria-label^="Assumptions"]').click();

  // A click opens the thread as a document.
  await rowsOf(page, 'Clarifications').filter({ hasText: 'Retention of audit logs' }).first().click();
  const openText = () => host.run((vscode) => vscode.window.activeTextEditor?.document.getText());
  await expect.poll(openText).toContain('The storage budget is for 30 days. Which one wins?');
  await pictureOf(window, 'editor-trees', ['workbench.action.closeAuxiliaryBar']);

  // Another process: a question is answered, an agent asks, an agent's status changes.
  agentx(folder, ['inbox', 'answer', 'oq-0a000005', '-m', 'Yes']);
  await expect.poll(() => statusItem(page).allInnerTexts()).toEqual([expect.stringContaining('4')]);
  await expect.poll(async () => (await textsOf(page, 'Inbox')).join()).not.toContain('old order numbers');
  const asking = spawnAgentx(folder, ['ask', '--issue', '66', ...ASK]);
  await expect
    .poll(() => textsOf(page, 'Agents'))
    .toContainEqual(expect.stringMatching(/^\(comment-discussion\) Architect .*clarifying #66/));
  letGo(folder);
  expect((await asking.ended).stdout).toContain('Both themes.');
  await expect.poll(async () => (await textsOf(page, 'Agents')).join()).not.toContain('Architect answers');
  agentx(folder, ['clarify', 'answer', 'CLR-66-001', '-m', 'Both.']);
  await expect.poll(async () => (await textsOf(page, 'Ready Queue')).join('\n')).not.toContain('CLR-66-001');
});

it('a tree of 5,000 rows shows the first ones, has the others folded below, and follows changes', async () => {
  const folder = await aRepository({ issues: [{ title: 'Issue 1 of many' }] });
  const first = await storeOf(folder).issues.read(1);
  const issues = join(folder, '.agentx/issues');
  for (let number = 2; number <= 5000; number++) {
    const issue = { ...first, number, title: `Issue ${number} of many` };
    writeFileSync(join(issues, `${number}.json`), JSON.stringify(issue));
  }
  const { page, host } = await aWindow({ folder });
  await showView(page);
  await rowsOf(page, 'Ready Queue').filter({ hasText: '#1 Issue 1 of many' }).waitFor();
  await host.command('agentx.ready.focus');
  const row = (text: string) => rowsOf(page, 'Ready Queue').filter({ hasText: text });
  await page.keyboard.press('End');
  await row('4751 to 5000').waitFor();
  await page.keyboard.press('ArrowRight');
  // The editor unfolds it first and asks for what is in it then.
  await until(async () => {
    await page.keyboard.press('End');
    return (await row('#5000 Issue 5000 of many').count()) > 0;
  });
  agentx(folder, ['issue', 'create', '-t', 'Urgent', '-l', 'priority:p0']);
  await page.keyboard.press('Home');
  await row('Urgent').waitFor();
});

it('the trees show the same of a project whose issues are on GitHub [US-3.1/21] [US-3.2/3]', async () => {
  const ISSUES = [{ title: 'Health endpoint' }, { title: 'Orders', body: 'Blocked-by: #1' }];
  const config = '[agents.architect]\nrunner = "script"\nscript = "turns.toml"\n';
  const team = await aTeam({ issues: ISSUES });
  const local = await aRepository({ config, files: { 'turns.toml': '[[turns]]\nanswer = "PostgreSQL."\n' } });
  for (const { title, body = '' } of ISSUES) agentx(local, ['issue', 'create', '-t', title, '-b', body]);
  const both = async (args: readonly string[]) => {
    for (const { status, stderr } of [await startAgentx(local, args), await team.user.run(args)])
      expect(status, stderr).toBeLessThan(4);
  };
  await both(['hook', 'start', 'engineer', '1']);
  await both(asking('Database', 'Which one?'));
  await both(['clarify', 'escalate', 'CLR-1-001', '-m', 'They disagree.']);
  const workspace = join(temporaryFolder(), 'both.code-workspace');
  writeFileSync(workspace, JSON.stringify({ folders: [{ path: local }, { path: team.cwd }] }));
  const { page } = await aWindow({ folder: local, workspace });
  await showView(page);
  for (const [tree, row] of [
    ['Agents', /^\(watch\) Engineer waits for you, CLR-1-001, blocked-clarification #1$/],
    ['Ready Queue', /^\(circle-slash\) #1 Health endpoint BLOCKED: Clarification CLR-1-001 pending from you$/],
  ] as const) {
    const below = async (folder: string) => {
      const texts = await textsOf(page, tree);
      const names = [local, team.cwd].map((one) => basename(one));
      const start = texts.findIndex((text) => text.includes(basename(folder))) + 1;
      const length = texts.slice(start).findIndex((text) => names.some((name) => text.includes(name)));
      return start === 0 ? [] : texts.slice(start, length < 0 ? undefined : start + length);
    };
    await expect.poll(() => below(local)).toContainEqual(expect.stringMatching(row));
    const shown = await below(local);
    await expect.poll(() => below(team.cwd)).toEqual(shown);
  }
});
