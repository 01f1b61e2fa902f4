import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { createApp } from '../../src/app/create-app.js';
import { runningServer } from '../../src/app/running-servers.js';
import { fileOf, storeOf } from '../scenarios/support/runs.js';
import { aWindow, provided, withEditor } from './support/a-window.js';
import { anEditor } from './support/editor.js';
import { aSampleProject } from './support/projects.js';
import { choose, showView, textsOf, toasts } from './support/workbench.js';

withEditor();

it('the page opens in the browser, also through a tunnel whose end has another port, and shows what the trees show', async () => {
  const { folder, page, tunnel } = await aTunnelledWindow();
  const tab = await openThePage(page);
  await tab.getByText('Should old order numbers').first().click();
  expect(new URL(tab.url()).port).toBe(String(tunnel));
  await tab.getByRole('textbox').first().fill('Both');
  await tab.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(() => storeOf(folder).questions.read('oq-0a000005')).toMatchObject({ status: 'resolved' });
  await expect.poll(async () => (await textsOf(page, 'Inbox')).join()).not.toContain('old order numbers');

  // A second time the same server shows it.
  const again = await openThePage(page);
  await again.getByText('3 questions').first().waitFor();
  expect(new URL(again.url()).port).toBe(String(tunnel));
});

it('a page that the window serves goes on following while config.toml is broken, and after it has changed', async () => {
  const { folder, page } = await aTunnelledWindow();
  const app = createApp({ root: join(folder, '.agentx'), env: { AGENTX_LOG: 'silent' } });
  onTestFinished(() => app.close());
  const tab = await openThePage(page);
  const shows = async (text: string) => {
    await app.askHumans({ agent: 'tester', issueNumber: 42, source: 'execute', sourceId: text, questions: [{ text }] });
    // The list does not move below the hand: it says that there is something new.
    await tab.getByRole('button', { name: /^\d+ new/ }).click();
    await tab.getByText(text).first().waitFor();
  };
  await shows('Is it followed at first?');
  const good = fileOf(folder, '.agentx/config.toml');
  const write = (more: string) => writeFileSync(join(folder, '.agentx/config.toml'), `${good}\n${more}\n`);
  write('[agents.engineer]\nrunner = "teleport"');
  await toasts(page).filter({ hasText: 'teleport' }).first().waitFor();
  await shows('Is it followed while they are broken?');
  write('[memory]\nmax_tokens = 100');
  await choose(page, 'AgentX: Refresh');
  await shows('Is it followed after they have changed?');
});

async function openThePage(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await choose(page, 'AgentX: Open the Page');
  return opened;
}

/** The server of the tests alone forwards no ports: a tunnel of ours does it. */
async function aTunnelledWindow() {
  const folder = await aSampleProject();
  const state = join(folder, '.agentx/state');
  const tunnel = await aTunnelTo(() => portOf(runningServer(state)));
  const env = { AGENTX_TRUST: '1', VSCODE_PROXY_URI: `http://127.0.0.1:${tunnel}/?{{port}}` };
  const editor = await anEditor(provided().vsix, { env });
  onTestFinished(() => editor.stop());
  const { page } = await aWindow({ folder }, editor.address);
  await showView(page);
  return { folder, page, tunnel };
}

const portOf = (url: string | undefined) => (url === undefined ? undefined : Number(new URL(url).port));

/** As the editor makes one to a machine that is reached from afar: bytes go through unchanged. */
async function aTunnelTo(portNow: () => number | undefined): Promise<number> {
  const server = createServer((near) => {
    const port = portNow();
    // A page may look for its server before it runs, or after it has ended.
    if (port === undefined) return near.destroy();
    const far = connect(port, '127.0.0.1');
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
