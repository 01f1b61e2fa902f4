import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentx, aRepository } from '../scenarios/support/agentx.js';
import { storeOf } from '../scenarios/support/runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { aWindow, withEditor } from './support/a-window.js';
import { aSampleProject } from './support/projects.js';
import {
  choose,
  enter,
  outputText,
  quickRow,
  rowsOf,
  showView,
  statusItem,
  textsOf,
  toasts,
  type,
} from './support/workbench.js';

withEditor();

const EXTENSION = 'agentx-hub.agentx-vscode';

it('an ordinary folder does not start the extension; one click in the welcome view makes a project of it [US-7.3/4]', async () => {
  const folder = temporaryFolder();
  const { page, host } = await aWindow({ folder });
  const isActive = () => host.run((vscode, id) => vscode.extensions.getExtension(id)?.isActive, EXTENSION);
  expect(await isActive()).toBe(false);
  expect(await statusItem(page).count()).toBe(0);
  await showView(page);
  await page.getByRole('button', { name: /Initiali[sz]e/ }).click();
  await rowsOf(page, 'Inbox').or(page.getByText('Nothing waits for you.')).first().waitFor();
  expect(existsSync(join(folder, '.agentx/config.toml'))).toBe(true);
  for (const nothing of [
    'No agent has worked here yet.',
    'There is no open issue.',
    'No agent has asked anything yet.',
  ])
    await page.getByText(nothing).waitFor();
  expect(await isActive()).toBe(true);

  await choose(page, 'AgentX: Create Issue');
  await enter(page, 'What is to be done', 'Health endpoint');
  await quickRow(page, 'feature').click();
  await enter(page, 'More about it', '');
  await expect.poll(async () => (await textsOf(page, 'Ready Queue')).join()).toContain('Health endpoint');
  expect(agentx(folder, ['issue', 'list', '--json']).json()).toMatchObject({ issues: [{ title: 'Health endpoint' }] });

  await choose(page, 'AgentX: Doctor');
  await expect.poll(() => outputText(host)).toMatch(/config\.toml/);
});

it('a window without a folder offers to open one', async () => {
  const { page } = await aWindow({});
  await showView(page);
  await page.getByText('No folder is open here.').waitFor();
  expect(await page.getByRole('button', { name: 'Open Folder' }).count()).toBeGreaterThan(0);
  await choose(page, 'AgentX: Initialise');
  await toasts(page).filter({ hasText: 'No folder is open here. Open one first.' }).waitFor();
});

it('the memory is searched, shown, counted and compacted from the palette, and has its settings [ME-12/1] [ME-12/2] [ME-12/3] [ME-12/4] [ME-11/2] [ME-11/6]', async () => {
  const folder = await aRepository({ issues: [{ title: 'Audit log' }] });
  const about = ['--issue', '1', '--agent', 'architect', '--category', 'decision', '--json'];
  const [signed] = ['Audit logs are signed.', 'Audit logs are kept for 30 days.', 'Amounts are integers.'].map((text) =>
    JSON.stringify(agentx(folder, ['memory', 'add', ...about, '-m', text]).json()),
  );
  const id = /obs-[\w-]+/.exec(signed ?? '')?.[0] ?? 'none';
  const { page, host } = await aWindow({ folder });
  const settings = await host.run((vscode) => {
    const { defaultValue: isEnabled } = vscode.workspace.getConfiguration('agentx').inspect('memory.enabled') ?? {};
    const { defaultValue: maxTokens } = vscode.workspace.getConfiguration('agentx').inspect('memory.maxTokens') ?? {};
    return { isEnabled, maxTokens };
  });
  expect(settings).toEqual({ isEnabled: true, maxTokens: 20_000 });

  await choose(page, 'AgentX: Search Memory');
  await enter(page, 'What to look for', 'audit');
  await expect.poll(() => outputText(host)).toMatch(/decision, architect, #1.*\n.*Audit.* logs are signed\./);
  expect(await outputText(host)).not.toContain('Amounts are integers.');

  await choose(page, 'AgentX: Get Observation');
  await enter(page, 'Its id', id);
  await expect.poll(() => outputText(host)).toMatch(new RegExp(`${id}[^]*Audit logs are signed`));

  await choose(page, 'AgentX: Memory Stats');
  await expect.poll(() => outputText(host)).toMatch(/^Observations +3 of 1 issue/m);
  await expect.poll(() => outputText(host)).toMatch(/tokens/i);

  await choose(page, 'AgentX: Compact Memory');
  await quickRow(page, '#1').click();
  await toasts(page).filter({ hasText: /#1/ }).waitFor();
});

it('a question is notified of, and answered by an option or in own words', async () => {
  const folder = await aSampleProject();
  const { page, host } = await aWindow({ folder });
  await expect.poll(() => statusItem(page).allInnerTexts()).toEqual([expect.stringContaining('5')]);
  expect(await toasts(page).count()).toBeLessThanOrEqual(1);

  await host.start('agentx.answerQuestion', { root: join(folder, '.agentx'), id: 'oq-0a000001' });
  await quickRow(page, '1 year').click();
  await expect
    .poll(() => storeOf(folder).questions.read('oq-0a000001'))
    .toMatchObject({ status: 'resolved', responses: [{ optionIds: ['b'] }] });
  await choose(page, 'AgentX: Answer Question');
  await quickRow(page, 'old order numbers').click();
  await type(page, 'Planner asks', 'Yes, both');
  await quickRow(page, 'in your own words').click();
  await expect
    .poll(() => storeOf(folder).questions.read('oq-0a000005'))
    .toMatchObject({ status: 'resolved', responses: [{ answer: 'Yes, both' }] });
  await expect.poll(() => statusItem(page).allInnerTexts()).toEqual([expect.stringContaining('3')]);

  // No person has to decide.
  await host.start('agentx.answerQuestion', { root: join(folder, '.agentx'), id: 'oq-0a000002' });
  await quickRow(page, 'I will not decide it').click();
  await expect.poll(() => storeOf(folder).questions.read('oq-0a000002')).toMatchObject({ outcome: 'declined' });
  await expect.poll(() => statusItem(page).allInnerTexts()).toEqual([expect.stringContaining('2')]);
  await host.start('agentx.answerQuestion', { root: join(folder, '.agentx'), id: 'oq-0a000002' });
  await toasts(page).filter({ hasText: 'oq-0a000002 has ended already: declined.' }).waitFor();
});
