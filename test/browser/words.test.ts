import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeSampleProject } from '../../scripts/sample-project.mjs';
import { aClarification } from '../builders/clarification.js';
import { aRepository } from '../scenarios/support/agentx.js';
import { aPerson, eventually, says, textOf } from './support/people.js';
import { type Served, serveRepository } from './support/server.js';

async function aSampleServer(): Promise<Served> {
  const cwd = await aRepository();
  writeSampleProject(join(cwd, '.agentx'), { projectId: 'shop' });
  return serveRepository(cwd);
}

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

describe('the board', () => {
  it('says what is waited for in words that lead there, and names no id', async () => {
    const served = await aSampleServer();
    const { page } = await aPerson(served, { address: served.link.replace('/#', '/board#') });
    await says(page, 'Who waits for whom');
    await page.getByRole('link', { name: 'waits for you: Retention of audit logs' }).waitFor();
    await page.getByRole('link', { name: /^waits for you: 3 questions: The legacy table/ }).waitFor();
    // While a sweep hands it to a human, it waits for you.
    const waits = /waits for (engineer|you): Which themes are tested/;
    expect(await textOf(page, '[aria-label=Agents]')).toMatch(waits);
    expect(await textOf(page, '[aria-label=Blocked]')).toMatch(waits);
    const text = await textOf(page, '.view');
    const described = (await page.locator('.graph').getAttribute('aria-label')) ?? '';
    expect(described).toMatch(/^[\w-]+ waits for [\w-]+: [A-Z]/);
    expect(`${text} ${described}`).not.toMatch(/CLR-|oq-|ASM-|run-/);
    await page.locator('[aria-label=Agents]').getByRole('link', { name: 'Which themes are tested' }).first().click();
    await says(page, 'What holds for: Which themes are tested?');
  });

  it('names the issues that others wait for', async () => {
    const issues = [{ title: 'Rate limits' }, { title: 'Export', body: 'Blocked-by: #1' }];
    const served = await serveRepository(await aRepository({ issues }));
    const { page } = await aPerson(served, { address: served.link.replace('/#', '/board#') });
    await eventually(() => textOf(page, '[aria-label=Blocked] li'), '#2 Export waits for #1 Rate limits');
  });
});

describe('deadlines', () => {
  it('are in words, with the exact time on hover', async () => {
    const cwd = await aRepository();
    writeSampleProject(join(cwd, '.agentx'), { projectId: 'shop' });
    const served = await serveRepository(cwd);
    const question = await served.stored('oq-0a000005');
    const path = join(cwd, '.agentx/state/questions/oq-0a000005.json');
    writeFileSync(path, JSON.stringify({ ...question, expiresAt: minutesFromNow(88.9) }), { mode: 0o600 });
    const { page } = await aPerson(served, { locale: 'en-GB', timezoneId: 'Asia/Tokyo' });
    const row = page.locator('.row', { hasText: 'Should old order numbers' });
    await eventually(() => row.locator('.wait').textContent(), expect.stringMatching(/^8[78] min$/));
    expect(await row.locator('.wait').getAttribute('title')).toMatch(/^\d+ \w+ \d{4} at \d\d:\d\d:\d\d /);
    await row.click();
    await eventually(
      () => textOf(page, '.deadline'),
      expect.stringMatching(/^8[78] min until the agent goes on with "Yes, with and without the prefix"$/),
    );
    await page.locator('.row', { hasText: 'Retention' }).click();
    await eventually(() => textOf(page, '.deadline'), expect.stringMatching(/^[34] min( \d+ s)? until the agent/));
  });
});

describe('times', () => {
  it('are those of the reader, exact on hover', async () => {
    const cwd = await aRepository();
    const folder = join(cwd, '.agentx/state/clarifications');
    mkdirSync(folder, { recursive: true });
    const timestamp = '2026-02-26T20:15:30.000Z';
    const record = aClarification({
      id: 'CLR-1-001',
      topic: 'Ports',
      thread: [{ round: 1, from: 'engineer', type: 'question', body: 'Which port?', timestamp }],
    });
    writeFileSync(join(folder, 'issue-1.json'), JSON.stringify({ issueNumber: 1, clarifications: [record] }));
    const served = await serveRepository(cwd);
    const address = served.link.replace('/#', '/asks/CLR-1-001#');
    const { page } = await aPerson(served, { address, locale: 'en-GB', timezoneId: 'Asia/Tokyo' });
    await says(page, 'Which port?');
    const time = page.locator('.thread time');
    expect(await time.textContent()).toBe('27 Feb, 05:15');
    expect(await time.getAttribute('title')).toMatch(/^27 February 2026 at 05:15:30 /);
    expect(await time.getAttribute('datetime')).toBe(timestamp);
  });
});

it('what people and agents write runs in the direction of its own letters', async () => {
  const served = await serveRepository(await aRepository({ issues: [{ title: 'סככה' }] }));
  const options = [{ label: 'כחול' }, { label: 'Green' }];
  await served.ask({ questions: [{ id: 'q1', header: 'צבע?', text: 'באיזה צבע?', options }] });
  const { page } = await aPerson(served);
  await says(page, 'כחול');
  const direction = (selector: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).direction`);
  expect(await direction('.row-title')).toBe('rtl');
  expect(await direction('#asked > [dir=auto]')).toBe('rtl');
  expect(await direction('legend .text p')).toBe('rtl');
  expect(await direction('.option-text [dir=auto]')).toBe('rtl');
  await page.locator('textarea').fill('ירוק');
  expect(await direction('textarea')).toBe('rtl');
  await page.locator('textarea').fill('green');
  expect(await direction('textarea')).toBe('ltr');
  expect(await page.title()).toBe('(1) באיזה צבע? - AgentX');
});

describe('the digest', () => {
  it('says of the present week that it is not over, and of the one before nothing of the kind', async () => {
    const served = await aSampleServer();
    const { page } = await aPerson(served, { address: served.link.replace('/#', '/digest#') });
    await says(page, /^Week \d{4}-W\d\d, so far/);
    await says(page, /escalated so far\. The lines show 6 weeks\.$/);
    await page.getByRole('link', { name: 'The week before' }).click();
    await says(page, /^Week \d{4}-W\d\d \d/);
    expect(await textOf(page, '.view')).not.toContain('so far');
    await page.getByRole('link', { name: 'This week' }).click();
    await says(page, /^Week \d{4}-W\d\d, so far/);
  });

  it('says of a week to come that it has not begun', async () => {
    const served = await aSampleServer();
    const { page } = await aPerson(served, { address: served.link.replace('/#', '/digest/2099-W01#') });
    await says(page, /^Week 2099-W01, not begun yet/);
  });

  it.each([1, 5, 7, 13, 99, 1001])('has an axis of whole numbers as far from each other (%i a day)', async (count) => {
    const served = await aSampleServer();
    const { page } = await aPerson(served, { address: 'about:blank' });
    await page.route('**/api/v1/**/digest*', async (route) => {
      const answer = await route.fetch();
      const { digest } = (await answer.json()) as { digest: { days: { asked: number }[] } };
      const days = digest.days.map((day, index) => ({ ...day, asked: index === 0 ? count : 0 }));
      await route.fulfill({ json: { digest: { ...digest, days } } });
    });
    await page.goto(served.link.replace('/#', '/digest#'));
    await says(page, 'Asked per day');
    const ticks = (await page.locator('.chart text[text-anchor=end]').allTextContents()).map(Number);
    const steps = ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? 0));
    expect(ticks[0]).toBe(0);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(count);
    expect(new Set(steps).size, ticks.join(' ')).toBe(1);
    expect(ticks.length).toBeLessThanOrEqual(6);
    expect(ticks.every(Number.isInteger)).toBe(true);
  });
});
