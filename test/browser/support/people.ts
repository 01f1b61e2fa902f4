import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, onTestFinished } from 'vitest';
import { launchBrowser } from '../../../scripts/browser.mjs';
import type { Served } from './server.js';

export interface Person {
  readonly page: Page;
  /** What the console complained about, which in a healthy page is nothing. */
  readonly complaints: readonly string[];
  /** Where the page sent anything that is not our server. */
  readonly foreign: readonly string[];
}

export interface PersonOptions extends BrowserContextOptions {
  /** Answers under this name instead of the one of whoever started the server. */
  readonly name?: string;
  readonly isNewcomer?: boolean;
  /** Where to, instead of the link that logs in. */
  readonly address?: string;
}

/** What is waited for comes at some time; how soon is no test's business. */
const PATIENCE_MS = 60_000;

let browser: Promise<Browser> | undefined;

afterAll(async () => {
  await (await browser)?.close();
  browser = undefined;
});

/** A browser of their own, with the page open. A test that fails leaves a picture of it. */
export async function aPerson(
  served: Pick<Served, 'url' | 'link'>,
  { name, isNewcomer = false, address, ...options }: PersonOptions = {},
): Promise<Person> {
  browser ??= launchBrowser();
  const context = await (await browser).newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  if (!isNewcomer) await context.addInitScript("localStorage.setItem('agentx seen', 'before')");
  const page = await context.newPage();
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') for (const open of context.pages()) await leavePicture(open);
    // What a test answers in the server's place may be at work still; nobody waits for it any more.
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    for (const open of context.pages()) await open.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });
  const complaints: string[] = [];
  const foreign: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(served.url) && !url.startsWith('data:')) foreign.push(url);
  });
  await page.goto(address ?? served.link);
  if (name !== undefined) await answerAs(page, name);
  return { page, complaints, foreign };
}

/** Somebody for whom time goes on only when the test says so, from when the page says what it is waited for. */
export async function aPersonOutOfTime(served: Pick<Served, 'url' | 'link'>, text: string): Promise<Page> {
  const { page } = await aPerson(served, { address: 'about:blank' });
  await page.clock.install();
  await page.goto(served.link);
  await says(page, text);
  await page.clock.pauseAt(Date.now() + 60_000);
  return page;
}

async function leavePicture(page: Page): Promise<void> {
  const picture = join(mkdtempSync(join(tmpdir(), 'agentx-failed-')), 'page.png');
  await page.screenshot({ path: picture });
  console.error(`What the page looked like: ${picture}`);
}

async function answerAs(page: Page, name: string): Promise<void> {
  await page.locator('button.who').click();
  await page.getByRole('textbox', { name: 'Your name', exact: true }).fill(name);
  await page.keyboard.press('Enter');
  await page.locator('button.who', { hasText: name }).waitFor();
}

/** Sends what is chosen and written. Who answers beside us is named on buttons too, so this one goes by its whole name. */
export async function pressAnswer(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Answer Enter', exact: true }).click();
}

/** Waits until the page says so, however long the machine takes. */
export async function says(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

/** What can be seen, for a comparison in one piece. */
export async function textOf(page: Page, selector: string): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is not seen
  return (await page.locator(selector).first().innerText()).replace(/\s+/g, ' ').trim();
}

/** Waits for what another process writes. */
export async function eventually<T>(look: () => Promise<T>, expected: unknown): Promise<void> {
  await expect.poll(look, { timeout: PATIENCE_MS, interval: 50 }).toEqual(expected);
}
