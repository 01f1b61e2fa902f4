import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runningServer } from '../../src/app/running-servers.js';
import { storeOf } from '../scenarios/support/runs.js';
import { aWindow, provided, withEditor } from './support/a-window.js';
import { anEditor } from './support/editor.js';
import { aSampleProject } from './support/projects.js';
import { choose, showView, textsOf } from './support/workbench.js';

withEditor();

it('the page opens in the browser, also through a tunnel whose end has another port, and shows what the trees show', async () => {
  const folder = await aSampleProject();
  const state = join(folder, '.agentx/state');
  const tunnel = await aTunnelTo(() => Number(new URL(runningServer(state) ?? '').port));
  const env = { AGENTX_TRUST: '1', VSCODE_PROXY_URI: `http://127.0.0.1:${tunnel}/?{{port}}` };
  const editor = await anEditor(provided().vsix, { env });
  onTestFinished(() => editor.stop());
  const { page } = await aWindow({ folder }, editor.address);
  await showView(page);
  const opened = page.context().waitForEvent('page');
  await choose(page, 'AgentX: Open the Page');
  const tab = await opened;
  await tab.getByText('Should old order numbers').first().click();
  expect(new URL(tab.url()).port).toBe(String(tunnel));
  await tab.getByRole('textbox').first().fill('Both');
  await tab.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(() => storeOf(folder).questions.read('oq-0a000005')).toMatchObject({ status: 'resolved' });
  await expect.poll(async () => (await textsOf(page, 'Inbox')).join()).not.toContain('old order numbers');

  // A second time the same server shows it.
  const again = page.context().waitForEvent('page');
  await choose(page, 'AgentX: Open the Page');
  await (await again).getByText('3 questions').first().waitFor();
  expect(new URL((await again).url()).port).toBe(String(tunnel));
});

/** As the editor makes one to a machine that is reached from afar: bytes go through unchanged. */
async function aTunnelTo(portNow: () => number): Promise<number> {
  const server = createServer((near) => {
    const far = connect(portNow(), '127.0.0.1');
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
