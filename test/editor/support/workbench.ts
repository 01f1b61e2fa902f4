import type { Locator, Page } from 'playwright-core';
import { until } from '../../support/until.js';
import type { Host } from './host.js';

/** What a person sees and does in a window of the editor, by the names that a screen reader speaks. */

/** Opens a view of the activity bar, unless it is open. */
export async function showView(page: Page, name = 'AgentX'): Promise<void> {
  const label = page.locator(`a.action-label[aria-label^="${name}"]`);
  const icon = page.locator('.activitybar .action-item', { has: label });
  await icon.waitFor();
  if (!(await isChecked(icon))) await icon.click();
  await until(() => isChecked(icon));
}

async function isChecked(icon: Locator): Promise<boolean> {
  return (await icon.getAttribute('class'))?.includes('checked') === true;
}

/** The rows of one of the trees in the side bar. */
export function rowsOf(page: Page, tree: string): Locator {
  const header = page.locator(`.pane-header[aria-label^="${tree}"]`);
  return page.locator('.sidebar .pane', { has: header }).locator('.monaco-list-row');
}

/** What the rows say, each with the name of its icon, at one moment. */
export async function textsOf(page: Page, tree: string): Promise<readonly string[]> {
  const rows = await rowsOf(page, tree).evaluateAll((elements) =>
    elements.map((row) => ({
      icon: row.querySelector('.custom-view-tree-node-item-icon')?.getAttribute('class') ?? '',
      parts: [...row.querySelectorAll('.label-name, .label-description')].map((part) => part.textContent ?? ''),
    })),
  );
  return rows.map(({ icon, parts }) => `(${/codicon-([\w-]+)/.exec(icon)?.[1] ?? 'none'}) ${parts.join(' ')}`);
}

/** Types the name of a command into the palette, and takes it. */
export async function choose(page: Page, command: string): Promise<void> {
  const input = page.locator('.quick-input-widget:visible .quick-input-box input');
  await page.keyboard.press('F1');
  await input.waitFor();
  await input.fill(`>${command}`);
  await quickRow(page, command).first().click();
}

export function quickRow(page: Page, text: string | RegExp): Locator {
  return page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row', { hasText: text });
}

/** Writes into the box in which the editor asks for a line, under a title or below a sentence. */
export async function type(page: Page, title: string | RegExp, text: string): Promise<void> {
  await lineBox(page, title).fill(text);
}

/** The same, and Enter. */
export async function enter(page: Page, title: string | RegExp, text: string): Promise<void> {
  await type(page, title, text);
  await lineBox(page, title).press('Enter');
}

function lineBox(page: Page, title: string | RegExp): Locator {
  return page.locator('.quick-input-widget:visible', { hasText: title }).locator('.quick-input-box input');
}

export function toasts(page: Page): Locator {
  return page.locator('.notifications-toasts .notification-list-item-message');
}

export function statusItem(page: Page): Locator {
  return page.locator('.statusbar-item[id^="agentx-hub.agentx-vscode"]');
}

/** What our output channel holds. */
export function outputText(host: Host): Promise<string> {
  return host.run((vscode) =>
    vscode.workspace.textDocuments
      .filter(({ uri }) => uri.scheme === 'output' && uri.path.includes('agentx-hub.agentx-vscode'))
      .map((document) => document.getText())
      .join('\n'),
  );
}

/** What all notifications of the window say, also those that are not in sight any more. */
export async function allNotices(page: Page, host: Host): Promise<readonly string[]> {
  await host.command('notifications.showList');
  await page.locator('.notifications-center.visible').waitFor();
  return page.locator('.notifications-center .notification-list-item-message').allInnerTexts();
}

/** For this folder alone: other tests share the editor. */
export function setSetting(host: Host, name: string, value: unknown): Promise<void> {
  return host.run(
    async (vscode, setting) => {
      const settings = vscode.workspace.getConfiguration('agentx');
      await settings.update(setting.name, setting.value, vscode.ConfigurationTarget.Workspace);
    },
    { name, value },
  );
}
