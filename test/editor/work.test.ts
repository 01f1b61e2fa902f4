import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentx } from '../scenarios/support/agentx.js';
import { aRunnable, fileOf, storeOf } from '../scenarios/support/runs.js';
import { aWindow, withEditor } from './support/a-window.js';
import { followUps, saysInChat } from './support/chat.js';
import type { Host } from './support/host.js';
import { choose, enter, outputText, quickRow, setSetting, toasts } from './support/workbench.js';

withEditor();

const STEPS = `
[[steps]]
id = "design"
title = "Design {{title}}"
agent = "architect"

[[steps]]
id = "implement"
title = "Implement {{title}}"
agent = "engineer"
needs = ["design"]
can_clarify = ["architect"]
`;

const SCRIPT = `
[[turns]]
agent = "architect"
kind = "work"
times = 0
artifacts = [{ path = "docs/adr.md", content = "# Health\\n\\nOne adapter is enough.\\n" }]

[[turns]]
agent = "architect"
kind = "answer"
times = 0
answer = "SQLite, it has no server."

[[turns]]
agent = "engineer"
kind = "work"
round = 1
issue = 1
clarify = [{ to = "architect", topic = "Database", question = "PostgreSQL or SQLite?" }]

[[turns]]
agent = "engineer"
kind = "work"
round = 2
issue = 1
open_questions = [{ text = "Which port?", options = [{ id = "a", label = "80" }, { id = "b", label = "8080" }] }]

[[turns]]
agent = "engineer"
kind = "work"
times = 0
text = "We decided to use port 8080 because 80 needs root."
`;

it('an issue is run, decided, read and asked about without the chat, from the palette; settings stand below config.toml', async () => {
  const folder = await aRunnable({
    steps: STEPS,
    script: SCRIPT,
    issues: [{ title: 'Health endpoint' }, { title: 'Ports' }],
  });
  const { page, host } = await aWindow({ folder });
  await setSetting(host, 'memory.enabled', false);

  await choose(page, 'AgentX: Run Issue');
  await quickRow(page, '#1').click();
  await toasts(page).filter({ hasText: 'Engineer asks about #1: Which port?' }).waitFor();
  await expect.poll(() => outputText(host)).toContain('[Engineer -> Architect] Clarification: Database');
  await page.locator('.notifications-toasts').getByRole('button', { name: 'Answer' }).click();
  await quickRow(page, '8080').click();
  await expect.poll(() => outputText(host)).toMatch(/Run complete: iterations=\d+/);
  expect((await storeOf(folder).questions.list({})).items).toMatchObject([{ responses: [{ optionIds: ['b'] }] }]);
  // The setting turned the memory off; the project's own word is stronger.
  const observations = () => JSON.stringify(agentx(folder, ['memory', 'search', '', '--json']).json());
  expect(observations()).not.toContain('obs-');
  appendFileSync(join(folder, '.agentx/config.toml'), '\n[memory]\nenabled = true\n');
  await host.command('agentx.run', { root: join(folder, '.agentx'), issueNumber: 2 });
  expect(observations()).toContain('obs-');

  await choose(page, 'AgentX: Show Thread');
  await quickRow(page, 'CLR-1-001').click();
  await expect.poll(() => openText(host)).toContain('SQLite, it has no server.');
  // A path in the thread leads to the file.
  await host.run(async (vscode) => {
    const { document } = vscode.window.activeTextEditor ?? {};
    if (document === undefined) throw new Error('No document is open.');
    const links = await vscode.commands.executeCommand<{ target?: import('vscode').Uri }[]>(
      'vscode.executeLinkProvider',
      document.uri,
    );
    const [target] = links.flatMap((link) => link.target ?? []);
    if (target === undefined) throw new Error(`No link in ${document.getText()}`);
    await vscode.window.showTextDocument(target);
  });
  expect(await openText(host)).toBe(fileOf(folder, 'docs/adr.md'));
  await choose(page, 'AgentX: Context Budget');
  await expect.poll(() => outputText(host)).toMatch(/engineer {2}#\d implement.*\n.* tokens/);
  await host.command('workbench.action.closeAllEditors');
  await choose(page, 'AgentX: Open Artifact');
  await quickRow(page, '#1').first().click();
  await expect.poll(() => openText(host)).toBe(fileOf(folder, 'docs/adr.md'));
  await host.run((vscode) => {
    const editor = vscode.window.activeTextEditor;
    if (editor !== undefined) editor.selection = new vscode.Selection(2, 0, 2, 22);
  });
  // The palette offers it once the window shows the selection.
  await page.locator('.statusbar').getByText('(22 selected)').waitFor();
  await choose(page, 'AgentX: Ask Upstream About This Selection');
  await quickRow(page, '#1').click();
  await enter(page, 'What is not clear?', 'Also for the tests?');
  await expect.poll(() => openText(host)).toContain('Also for the tests?');
  const [, record] = (await storeOf(folder).ledgers.read(1)).clarifications;
  expect(record).toMatchObject({ from: 'engineer', to: 'architect', status: 'answered', blocking: false });
  expect(record?.thread[0]?.body).toBe('Also for the tests?\n\ndocs/adr.md, line 3:\n> One adapter is enough.');

  await choose(page, 'AgentX: Review and Approve Programs');
  await toasts(page).filter({ hasText: 'config.toml names no programs' }).waitFor();
  await host.start('agentx.runInChat', { root: join(folder, '.agentx'), issueNumber: 2 });
  await saysInChat(page, 'Run complete');
  await expect.poll(() => followUps(page).allInnerTexts()).toEqual(['Show the threads of #2']);
});

function openText(host: Host): Promise<string | undefined> {
  return host.run((vscode) => vscode.window.activeTextEditor?.document.getText());
}
