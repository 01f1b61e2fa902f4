import { appendFileSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { AT, aClarification } from '../builders/clarification.js';
import { agentProgram, commandAgent } from '../scenarios/support/agents.js';
import { agentx } from '../scenarios/support/agentx.js';
import { aRunnable, fileOf, storeOf } from '../scenarios/support/runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { aWindow, provided, withEditor } from './support/a-window.js';
import { answerText, openChat, say, saysInChat } from './support/chat.js';
import { anEditor } from './support/editor.js';
import { aSampleProject } from './support/projects.js';
import { choose, enter, outputText, quickRow, showView, textsOf, toasts } from './support/workbench.js';

withEditor();

it('a broken config.toml and a corrupt ledger are named, the rest is shown, and mending them is enough', async () => {
  const folder = await aSampleProject();
  const config = join(folder, '.agentx/config.toml');
  const ledger = join(folder, '.agentx/state/clarifications/issue-66.json');
  const [good, whole] = [
    fileOf(folder, '.agentx/config.toml'),
    fileOf(folder, '.agentx/state/clarifications/issue-66.json'),
  ];
  writeFileSync(ledger, '{"issueNumber": 66, "clarif');
  appendFileSync(config, '\n[agents.engineer]\nrunner = "teleport"\n');
  const { page, host } = await aWindow({ folder });
  await toasts(page).filter({ hasText: 'config.toml' }).first().waitFor();
  await showView(page);
  await expect.poll(async () => (await textsOf(page, 'Inbox')).join()).toContain('3 questions');
  await openChat(host);
  await say(page, '@agentx #57');
  await saysInChat(page, 'CONFIG_ERROR');
  await saysInChat(page, 'teleport');
  writeFileSync(config, good);
  await say(page, '/clarify');
  await saysInChat(page, 'CORRUPT_FILE');
  await saysInChat(page, 'issue-66.json');
  await saysInChat(page, 'CLR-57-001');
  expect(fileOf(folder, '.agentx/state/clarifications/issue-66.json')).toBe('{"issueNumber": 66, "clarif');
  writeFileSync(ledger, whole);
  await say(page, '/clarify');
  await saysInChat(page, 'CLR-66-001');
  expect(await answerText(page)).not.toContain('CORRUPT_FILE');
});

it('a question that is being answered when config.toml is broken is answered all the same', async () => {
  const folder = await aSampleProject();
  const { page, host } = await aWindow({ folder });
  await host.start('agentx.answerQuestion', { root: join(folder, '.agentx'), id: 'oq-0a000001' });
  await quickRow(page, '1 year').waitFor();
  appendFileSync(join(folder, '.agentx/config.toml'), '\n[agents.engineer]\nrunner = "teleport"\n');
  await toasts(page).filter({ hasText: 'teleport' }).first().waitFor();
  await quickRow(page, '1 year').click();
  await expect
    .poll(() => storeOf(folder).questions.read('oq-0a000001'))
    .toMatchObject({ status: 'resolved', responses: [{ optionIds: ['b'] }] });
});

it('a folder that vanishes takes its rows with it, and two folders are two projects', async () => {
  const [shop, bank] = [await aSampleProject(), await aRunnable({ steps: '', issues: [{ title: 'Interest rates' }] })];
  const workspace = join(temporaryFolder(), 'both.code-workspace');
  writeFileSync(workspace, JSON.stringify({ folders: [{ path: shop }, { path: bank }] }));
  const { page } = await aWindow({ folder: shop, workspace });
  await showView(page);
  await expect.poll(async () => (await textsOf(page, 'Inbox')).join()).toContain('3 questions');
  await expect.poll(async () => (await textsOf(page, 'Ready Queue')).join()).toContain('Interest rates');
  renameSync(join(shop, '.agentx'), join(shop, 'gone'));
  await expect.poll(async () => (await textsOf(page, 'Inbox')).join()).not.toContain('3 questions');
  await expect.poll(async () => (await textsOf(page, 'Ready Queue')).join()).toContain('Interest rates');
  expect(existsSync(join(shop, '.agentx'))).toBe(false);
  agentx(bank, ['issue', 'create', '-t', 'Currencies']);
  await expect.poll(async () => (await textsOf(page, 'Ready Queue')).join()).toContain('Currencies');
  renameSync(join(shop, 'gone'), join(shop, '.agentx'));
  await expect.poll(async () => (await textsOf(page, 'Inbox')).join()).toContain('3 questions');

  // What no row names is done in the project that the person chose.
  await choose(page, 'AgentX: Select Project');
  await quickRow(page, basename(bank)).click();
  await choose(page, 'AgentX: Create Issue');
  await enter(page, 'What is to be done', 'Overdraft');
  await quickRow(page, 'story').click();
  await enter(page, 'More about it', '');
  await expect.poll(async () => (await textsOf(page, 'Ready Queue')).join()).toContain('Overdraft');
  expect(agentx(bank, ['issue', 'list', '--json']).stdout).toContain('Overdraft');
});

it('settings that name a store which this version does not have are told in the view, with the doctor', async () => {
  const folder = await aRunnable({ steps: '' });
  const config = join(folder, '.agentx/config.toml');
  const good = fileOf(folder, '.agentx/config.toml');
  writeFileSync(config, good.replace(/^url = ""/m, 'url = "postgres://db.example/agentx"'));
  const { page, host } = await aWindow({ folder });
  await showView(page);
  await page.getByText('The records could not be read.').waitFor();
  await page.getByRole('button', { name: 'Examine with the Doctor' }).click();
  await expect.poll(() => outputText(host)).toContain('.agentx/config.toml');
  writeFileSync(config, good);
  await expect.poll(async () => (await textsOf(page, 'Ready Queue')).join()).toContain('Health endpoint');
});

it('in an untrusted workspace nothing of the settings is started, and nothing is swept; after trust the programs are shown first [US-6.2/18]', async () => {
  const settings = { 'agentx.scheduler.enabled': true };
  const editor = await anEditor(provided().vsix, { env: {}, isTrusting: false, settings });
  onTestFinished(() => editor.stop());
  const folder = await aRunnable({
    steps: '[[steps]]\nid = "build"\ntitle = "Build"\nagent = "engineer"\n',
    config: commandAgent('engineer'),
    files: { 'engineer.mjs': agentProgram("appendFileSync('started', '');\nreply({ text: 'Built.' });") },
  });
  const { ledgers } = storeOf(folder);
  await ledgers.update(1, (ledger) => ({ next: { ...ledger, clarifications: [stuck()] }, result: undefined }));
  const { page, host } = await aWindow({ folder }, editor.address);
  const isTrusted = () => host.run((vscode) => vscode.workspace.isTrusted);
  const run = () => host.start('agentx.run', { root: join(folder, '.agentx'), issueNumber: 1 });
  expect(await isTrusted()).toBe(false);
  await showView(page);
  await expect.poll(async () => (await textsOf(page, 'Ready Queue')).join()).toContain('Health endpoint');
  await run();
  await toasts(page).filter({ hasText: 'does not start agents' }).waitFor();
  await choose(page, 'AgentX: Open the Page');
  await toasts(page).filter({ hasText: 'does not start a server' }).waitFor();
  expect(existsSync(join(folder, 'started'))).toBe(false);
  expect(existsSync(join(folder, '.agentx/state/runs/issue-1.json'))).toBe(false);
  expect(await ledgers.read(1)).toMatchObject({ clarifications: [{ status: 'pending' }] });

  await host.command('workbench.trust.manage');
  await page
    .locator('.workspace-trust-editor')
    .getByRole('button', { name: /^Trust/ })
    .first()
    .click();
  await until(isTrusted);
  await expect.poll(() => ledgers.read(1)).toMatchObject({ clarifications: [{ status: 'escalated' }] });
  await run();
  const dialog = page.locator('.monaco-dialog-box', { hasText: 'engineer.mjs' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(existsSync(join(folder, 'started'))).toBe(false);
  await run();
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await until(() => existsSync(join(folder, 'started')));
});

/** The same question twice: a sweep hands it to a person, and starts no program for that. */
function stuck() {
  const question = { from: 'engineer', type: 'question', body: 'Which one is it?', timestamp: AT } as const;
  const answer = { round: 1, from: 'architect', type: 'answer', body: 'It depends.', timestamp: AT } as const;
  return aClarification({
    id: 'CLR-1-001',
    blocking: false,
    round: 2,
    created: AT,
    staleAfter: '2126-01-01T00:00:00.000Z',
    thread: [{ ...question, round: 1 }, answer, { ...question, round: 2 }],
  });
}
