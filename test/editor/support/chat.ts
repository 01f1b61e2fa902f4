import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../../support/until.js';
import type { Host } from './host.js';
import { PATIENCE_MS } from './patience.js';

export async function openChat(host: Host): Promise<void> {
  await host.command('workbench.action.chat.open', { mode: 'ask' });
}

const INPUT = '.interactive-session .chat-input-container .monaco-editor';

export function chatInput(page: Page): Locator {
  return page.locator(INPUT).first();
}

/** Sends a message as a person types it, once the editor is ready for one. */
export async function say(page: Page, message: string): Promise<void> {
  await stopButton(page).waitFor({ state: 'hidden' });
  await page.locator(`${INPUT} textarea, ${INPUT} .native-edit-context`).first().focus();
  // Behind the name of the participant, which stays there after its first answer.
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(message);
  // The list of suggestions is open and would take the Enter.
  await page.keyboard.press('Escape');
  const before = await lastIndex(page);
  await page.keyboard.press('Enter');
  // The message is one more item, and the answer another one.
  await until(async () => (await lastIndex(page)) > before + 1, PATIENCE_MS);
}

export async function stopChat(page: Page): Promise<void> {
  await stopButton(page).click();
}

function stopButton(page: Page): Locator {
  return page.locator('.interactive-session .chat-input-toolbars .codicon-stop-circle').first();
}

/** The last item of the conversation. The editor draws only those that are in sight. */
function lastItem(page: Page): Locator {
  return page.locator('.interactive-session .monaco-list-row[data-last-element="true"]');
}

async function lastIndex(page: Page): Promise<number> {
  const [index = -1] = await lastItem(page).evaluateAll((rows) => rows.map((row) => Number(row.dataset.index)));
  return index;
}

/** The last response. */
export function response(page: Page): Locator {
  return lastItem(page).locator('.interactive-response');
}

/**
 * What the last response says so far, a line of text for each line on the screen. The editor shows a response bit by
 * bit: text that must be there is waited for with `saysInChat`.
 */
export async function answerText(page: Page): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is not seen
  const text = await response(page).innerText();
  return text
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line) => line.trim())
    .join('\n');
}

export async function saysInChat(page: Page, text: string | RegExp): Promise<void> {
  const matcher = typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text);
  await expect.poll(() => answerText(page), { timeout: PATIENCE_MS }).toEqual(matcher);
}

export function followUps(page: Page): Locator {
  return page.locator('.interactive-session .interactive-session-followups .monaco-button');
}
