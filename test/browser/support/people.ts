import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page, type Route } from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import type { Served } from './server.js';

export interface Person {
  readonly page: Page;
  /** Complaints on the console; a healthy page has none. */
  readonly complaints: readonly string[];
  /** Requests of the page to anything but our server. */
  readonly foreign: readonly string[];
}

export interface PersonOptions extends BrowserContextOptions {
  /** Answers under this name instead of that of the user who started the server. */
  readonly name?: string;
  readonly isNewcomer?: boolean;
  /** The address to open, instead of the login link. */
  readonly address?: string;
}

/** Generous, because no test is about how soon something happens. */
const PATIENCE_MS = 180_000;

let browser: Promise<Browser> | undefined;

/** A browser of their own, with the page open. A test that fails leaves a picture of it. */
export async function aPerson(
  served: Pick<Served, 'url' | 'link'>,
  { name, isNewcomer = false, address, ...options }: PersonOptions = {},
): Promise<Person> {
  browser ??= chromium.connect(inject('browser'));
  const context = await (await browser).newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  if (!isNewcomer) await context.addInitScript("localStorage.setItem('agentx seen', 'before')");
  const page = await context.newPage();
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') for (const open of context.pages()) await leavePicture(open);
    // A route that a test intercepts may still be at work; it no longer matters.
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

/** A person for whom time passes only when the test says so, from the moment the page shows `text`. */
export async function aPersonOutOfTime(
  served: Pick<Served, 'url' | 'link'>,
  text: string,
  options: PersonOptions = {},
): Promise<Page> {
  const { page } = await aPerson(served, { ...options, address: 'about:blank' });
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

export async function answerAs(page: Page, name: string): Promise<void> {
  await page.locator('button.who').click();
  await page.getByRole('textbox', { name: 'Your name', exact: true }).fill(name);
  await page.keyboard.press('Enter');
  await page.locator('button.who', { hasText: name }).waitFor();
}

export interface HeldRequests {
  /** Settles when the page has made the first of these requests. */
  readonly made: Promise<void>;
  letGo(): void;
}

/** Requests that wait until the test lets them go. */
export async function holdRequests(
  page: Page,
  url: string,
  then = (route: Route): Promise<void> => route.continue(),
): Promise<HeldRequests> {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let noteRequest = () => {};
  const made = new Promise<void>((resolve) => {
    noteRequest = resolve;
  });
  // Not in force before it settles: the page could make its request unseen.
  await page.route(url, async (route) => {
    noteRequest();
    await gate;
    await then(route);
  });
  return { made, letGo };
}

/** Sends the chosen and written answer. Other buttons name the answerer too, so this one is found by its whole name. */
export async function pressAnswer(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Answer Enter', exact: true }).click();
}

/** Waits until the page says so, however long the machine takes. */
export async function says(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

/** The visible text on one line, for a comparison. */
export async function textOf(page: Page, selector: string): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is not seen
  return (await page.locator(selector).first().innerText()).replace(/\s+/g, ' ').trim();
}

/** Waits for what another process writes. */
export async function eventually<T>(look: () => Promise<T>, expected: unknown): Promise<void> {
  await expect.poll(look, { timeout: PATIENCE_MS, interval: 50 }).toEqual(expected);
}
