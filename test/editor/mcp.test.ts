import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { agentx, agentxCommand } from '../scenarios/support/agentx.js';
import { aRunnable, storeOf } from '../scenarios/support/runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { aWindow, provided, withEditor } from './support/a-window.js';
import { anEditor } from './support/editor.js';
import type { Host } from './support/host.js';
import { allNotices, enter, quickRow, rowsOf, showView, statusItem, toasts } from './support/workbench.js';

withEditor();

const STEPS = `
[[steps]]
id = "implement"
title = "Implement {{title}}"
agent = "engineer"
can_clarify = ["architect"]
`;
const SCRIPT = '[[turns]]\nagent = "architect"\nanswer = "SQLite, it has no server."\n';

const RETENTION = {
  issue: 1,
  questions: [{ text: 'How long are audit logs kept?', options: [{ label: '30 days' }, { label: '1 year' }] }],
};

it("the editor's own agents have the tools with no set-up: what they ask is asked in place, and is in the inbox [X-6/2]", async () => {
  const folder = await aRunnable({ steps: STEPS, script: SCRIPT });
  agentx(folder, [
    ...[
      'memory',
      'add',
      '--issue',
      '1',
      '--agent',
      'architect',
      '--category',
      'decision',
      '-m',
      'Amounts are integers.',
    ],
  ]);
  const { page, host } = await aWindow({ folder });
  await startServers(host);
  expect(await toolsOf(host)).toEqual(
    expect.arrayContaining(['request_clarification', 'ask_human', 'recall_memory'].map((name) => `mcp_agentx_${name}`)),
  );

  const recalled = await invoke(page, host, 'recall_memory', { query: 'amounts' });
  expect(await recalled.result).toContain('Amounts are integers.');
  const topic = { from: 'engineer', to: 'architect', issue: 1, topic: 'Database', question: 'PostgreSQL or SQLite?' };
  const clarified = await invoke(page, host, 'request_clarification', topic);
  expect(await clarified.result).toContain('SQLite, it has no server.');
  expect((await storeOf(folder).ledgers.read(1)).clarifications).toMatchObject([{ from: 'engineer', to: 'architect' }]);

  const result = await invoke(page, host, 'ask_human', RETENTION);
  await expect.poll(() => statusItem(page).allInnerTexts()).toEqual([expect.stringContaining('1')]);
  await showView(page);
  await rowsOf(page, 'Inbox').filter({ hasText: 'How long are audit logs kept?' }).waitFor();
  // The editor asks in place; a second notification of ours would be one too many.
  await toasts(page).filter({ hasText: 'How long are audit logs kept?' }).first().waitFor();
  await page.locator('.notifications-toasts').getByRole('button', { name: 'Respond' }).click();
  await quickRow(page, '1 year').click();
  await enter(page, 'In your own words', '');
  expect(await result.result).toContain('1 year');
  expect((await storeOf(folder).questions.list({})).items).toMatchObject([
    { status: 'resolved', responses: [{ optionIds: ['b'] }], answeredBy: { principal: 'ada', channel: 'mcp' } },
  ]);
  expect((await allNotices(page, host)).filter((text) => text.includes('asks about #1:'))).toEqual([]);
});

it('an editor without the extension is a client of what `agentx mcp install vscode` wrote; an answer elsewhere ends its call [X-6/2] [X-6/6] [X-7/1]', async () => {
  const folder = await aRunnable({ steps: STEPS });
  const programs = temporaryFolder();
  const command = agentxCommand.map((word) => `'${word}'`).join(' ');
  writeFileSync(join(programs, 'agentx'), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
  expect(agentx(folder, ['mcp', 'install', 'vscode']).status).toBe(0);
  const env = { PATH: `${programs}${delimiter}${process.env.PATH}` };
  const editor = await anEditor(provided().vsix, { env, extensions: [] });
  onTestFinished(() => editor.stop());
  const { page, host } = await aWindow({ folder }, editor.address);
  await startServers(host);
  const result = await invoke(page, host, 'ask_human', RETENTION);
  await toasts(page).filter({ hasText: 'How long are audit logs kept?' }).waitFor();
  const [question] = (await storeOf(folder).questions.list({ status: 'open' })).items;
  expect(agentx(folder, ['inbox', 'answer', question?.id ?? '', '--option', 'b']).status).toBe(0);
  expect(await result.result).toContain('1 year');
});

function toolsOf(host: Host): Promise<readonly string[]> {
  return host.run((vscode) => vscode.lm.tools.map(({ name }) => name));
}

/** As the first message to an agent does it; a server is known some time after the window has opened. */
async function startServers(host: Host): Promise<void> {
  await until(async () => {
    await host.command('workbench.mcp.startServer', '*', { waitForLiveTools: true });
    return (await toolsOf(host)).includes('mcp_agentx_ask_human');
  });
}

/** Calls a tool as an agent of the editor does, and allows it. The result comes when the tool is done. */
async function invoke(page: Page, host: Host, tool: string, input: object): Promise<{ result: Promise<string> }> {
  const result = host.run(
    async (vscode, call) => {
      const options = { toolInvocationToken: undefined, input: call.input };
      return JSON.stringify((await vscode.lm.invokeTool(`mcp_agentx_${call.tool}`, options)).content);
    },
    { tool, input },
  );
  const isReadOnly = tool === 'recall_memory';
  if (!isReadOnly) await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Yes' }).click();
  return { result };
}
