import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { writeSampleProject } from '../../scripts/sample-project.mjs';
import { aRepository } from '../scenarios/support/agentx.js';
import { aPerson, eventually, holdRequests, pressAnswer, says, textOf } from './support/people.js';
import { type Served, serveRepository } from './support/server.js';

async function aSampleServer(): Promise<Served> {
  const cwd = await aRepository();
  writeSampleProject(join(cwd, '.agentx'), { projectId: 'shop' });
  return serveRepository(cwd);
}

const pathOf = async (page: Page) => new URL(page.url()).pathname;
const legend = (page: Page) => textOf(page, 'legend');

/**
 * On a busy machine Chromium opens no tab for one click in a hundred, although the page got the click and left it to the
 * browser. A person presses again.
 */
async function openTab(page: Page, link: Locator): Promise<Page> {
  for (let tries = 1; tries <= 10; tries += 1) {
    const opened = page.context().waitForEvent('page', { timeout: 15_000 });
    await link.click({ modifiers: ['Control'] });
    const tab = await opened.catch(() => undefined);
    if (tab !== undefined) return tab;
  }
  throw new Error('Ten clicks with Ctrl opened no tab.');
}

describe('the address', () => {
  it('names what is shown, through reload, back and forward', async () => {
    const { page, complaints } = await aPerson(await aSampleServer());
    await says(page, 'How long are audit logs kept?');
    await eventually(() => pathOf(page), '/inbox/oq-0a000001');
    await page.locator('.row', { hasText: 'May a dependency' }).click();
    await eventually(() => pathOf(page), '/inbox/oq-0a000004');
    await page.getByRole('link', { name: 'Board' }).click();
    await eventually(() => pathOf(page), '/board');
    await page.getByRole('link', { name: 'Which themes are tested' }).first().click();
    await eventually(() => pathOf(page), '/asks/CLR-66-001');
    await says(page, 'What holds for: Which themes are tested?');
    await page.keyboard.press('4');
    await eventually(() => pathOf(page), '/assumptions');
    await page.keyboard.press('6');
    await page.getByRole('link', { name: 'The week before' }).click();
    await eventually(() => pathOf(page), expect.stringMatching(/^\/digest\/\d{4}-W\d\d$/));
    const week = await pathOf(page);
    await says(page, `Week ${week.replace('/digest/', '')}`);
    await page.reload();
    await says(page, `Week ${week.replace('/digest/', '')}`);
    expect(await pathOf(page)).toBe(week);

    await page.goBack();
    await says(page, 'so far');
    expect(await pathOf(page)).toBe('/digest');
    await page.goBack();
    await says(page, 'Payments go through Stripe');
    await page.goBack();
    await says(page, 'What holds for: Which themes are tested?');
    await page.goBack();
    await says(page, 'Who waits for whom');
    await page.goBack();
    await eventually(() => legend(page), expect.stringContaining('May a dependency be added'));
    await page.goBack();
    await eventually(() => legend(page), expect.stringContaining('Retention of audit logs'));
    await page.goForward();
    await page.goForward();
    await page.goForward();
    await says(page, 'What holds for: Which themes are tested?');
    await page.reload();
    await says(page, 'What holds for: Which themes are tested?');
    expect(complaints).toEqual([]);
  });

  it('of a walk with keys is one step; what moves by itself is none', async () => {
    const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
    const questions = [];
    for (const text of ['First?', 'Second?', 'Third?', 'Fourth?']) {
      questions.push(await served.ask({ questions: [{ id: 'q1', text }] }));
    }
    const { page } = await aPerson(served);
    await eventually(() => legend(page), 'First?');
    for (const key of ['j', 'j', 'k', 'j']) await page.keyboard.press(key);
    await eventually(() => pathOf(page), `/inbox/${questions[2]?.id}`);
    await page.goBack();
    await eventually(() => legend(page), 'First?');
    await page.goForward();
    await eventually(() => legend(page), 'Third?');
    await page.locator('textarea').fill('Yes.');
    await pressAnswer(page);
    await eventually(() => legend(page), 'Fourth?');
    await eventually(() => pathOf(page), `/inbox/${questions[3]?.id}`);
    await page.goBack();
    await eventually(() => legend(page), 'First?');
  });

  it('of a question that has ended shows how it did', async () => {
    const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
    const { id } = await served.ask({ questions: [{ id: 'q1', text: 'Which colour?' }] });
    await served.ask({ questions: [{ id: 'q1', text: 'Which door?' }] });
    await served.call('PATCH', `/notifications/${id}`, {
      revision: 1,
      responses: [{ questionId: 'q1', answer: 'Green.' }],
    });
    const { page } = await aPerson(served, { address: served.link.replace('/#', `/inbox/${id}#`) });
    await says(page, /^Answered by .*: Green\./);
    expect(await legend(page)).toBe('Which colour?');
    expect(await page.title()).toBe('(1) Which colour? - AgentX');
    await page.reload();
    await says(page, /^Answered by .*: Green\./);
  });

  it('says nothing of what waits while what it names is read', async () => {
    const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
    const { id } = await served.ask({ questions: [{ id: 'q1', text: 'Which colour?' }] });
    const responses = [{ questionId: 'q1', answer: 'Green.' }];
    await served.call('PATCH', `/notifications/${id}`, { revision: 1, responses });
    const { page } = await aPerson(served, { address: 'about:blank' });
    const { letGo } = await holdRequests(page, `**/notifications/${id}`);
    await page.goto(served.link.replace('/#', `/inbox/${id}#`));
    await says(page, 'Reading what the address names.');
    expect(await page.getByText('Nothing waits for you.').count()).toBe(0);
    letGo();
    await says(page, /^Answered by .*: Green\./);
  });

  it.each([
    ['got lost', undefined],
    ['was refused', 503],
  ])('leads there when the first request for it %s', async (_, status) => {
    const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
    const { id } = await served.ask({ questions: [{ id: 'q1', text: 'Which colour?' }] });
    const responses = [{ questionId: 'q1', answer: 'Green.' }];
    await served.call('PATCH', `/notifications/${id}`, { revision: 1, responses });
    const { page } = await aPerson(served, { address: 'about:blank' });
    let isFirst = true;
    await page.route(`**/notifications/${id}`, (route) => {
      if (!isFirst) return route.continue();
      isFirst = false;
      return status === undefined ? route.abort() : route.fulfill({ status, body: 'busy' });
    });
    await page.goto(served.link.replace('/#', `/inbox/${id}#`));
    await says(page, /^Answered by .*: Green\./);
  });

  it.each([
    ['/inbox/oq-nope', 'There is no question oq-nope here.'],
    ['/inbox/nonsense%20%3Cb%3E', 'There is no question nonsense <b> here.'],
    ['/inbox/oq-%00%E2%80%AEevil', 'There is no question oq-evil here.'],
    ['/asks/CLR-9-999', 'There is no clarification CLR-9-999 here.'],
    ['/assumptions/ASM-9-999', 'There is no assumption ASM-9-999 here.'],
    ['/digest/2026-W77', "'2026-W77' is not a week."],
  ])('that names no known record says so (%s)', async (path, words) => {
    const served = await aSampleServer();
    const { page, complaints } = await aPerson(served);
    await says(page, 'How long are audit logs kept?');
    await page.goto(`${served.url}${path}`);
    await says(page, words);
    expect(await pathOf(page)).toBe(path);
    await page.locator('nav .tab', { hasText: 'Inbox' }).click();
    await page.locator('.row', { hasText: 'Retention of audit logs' }).click();
    await eventually(() => pathOf(page), '/inbox/oq-0a000001');
    // The browser itself also reports a refusal on the console.
    expect(complaints.filter((text) => !/status of 40[04]/.test(text))).toEqual([]);
  });

  it.each(['/nowhere', '/board/42', '/inbox/a/b', '/digest/%E0%A4%A'])(
    'that leads nowhere says so (%s)',
    async (path) => {
      const served = await aSampleServer();
      const { page } = await aPerson(served);
      await says(page, 'How long are audit logs kept?');
      await page.goto(`${served.url}${path}`);
      await says(page, `There is nothing at ${path}. This is the inbox.`);
      await eventually(() => legend(page), expect.stringContaining('Retention of audit logs'));
      await eventually(() => pathOf(page), '/inbox/oq-0a000001');
    },
  );

  it('says so as well where nothing waits', async () => {
    const served = await serveRepository(await aRepository());
    const { page } = await aPerson(served, { address: served.link.replace('/#', '/inbox/oq-nope#') });
    await says(page, 'There is no question oq-nope here.');
    await says(page, 'Nothing waits for you.');
  });

  it('opens in a new tab, by a link that is pressed with Ctrl', async () => {
    const { page } = await aPerson(await aSampleServer());
    await says(page, 'How long are audit logs kept?');
    const tab = await openTab(page, page.locator('.row', { hasText: 'Late answer: Adyen' }));
    await eventually(() => textOf(tab, 'legend'), expect.stringContaining('Adyen, there is a contract'));
    expect(await tab.evaluate<string>('location.pathname')).toBe('/inbox/oq-0a000003');
    expect(await pathOf(page)).toBe('/inbox/oq-0a000001');
  });
});

describe('a link that meets a locked page', () => {
  it('is where one comes to with the key, in the same tab', async () => {
    const served = await aSampleServer();
    const { page } = await aPerson(served, { address: `${served.url}/asks/CLR-42-002` });
    await says(page, 'This inbox opens with a link that only you have.');
    await page.goto(served.link);
    await says(page, 'The storage budget is for 30 days. Which one wins?');
    expect(page.url()).toBe(`${served.url}/asks/CLR-42-002`);
  });

  it('opens by itself when another tab gets the key', async () => {
    const served = await aSampleServer();
    const { page } = await aPerson(served, { address: `${served.url}/inbox/oq-0a000004` });
    await says(page, 'This inbox opens with a link that only you have.');
    const other = await page.context().newPage();
    await other.goto(served.link);
    await says(page, 'May a dependency be added');
    expect(await pathOf(page)).toBe('/inbox/oq-0a000004');
    await eventually(() => textOf(other, 'legend'), expect.stringContaining('Retention of audit logs'));
  });

  it('takes the key itself', async () => {
    const served = await aSampleServer();
    const { page } = await aPerson(served, { address: served.link.replace('/#', '/board#') });
    await says(page, 'Who waits for whom');
    expect(page.url()).toBe(`${served.url}/board`);
  });
});

describe('the way between a clarification and its question', () => {
  it('leads there and back', async () => {
    const { page } = await aPerson(await aSampleServer());
    await says(page, 'How long are audit logs kept?');
    await page.locator('.why').getByRole('link', { name: 'Retention of audit logs' }).click();
    await eventually(() => pathOf(page), '/asks/CLR-42-002');
    await page.getByRole('link', { name: 'Waits for you: answer it' }).click();
    await eventually(() => pathOf(page), '/inbox/oq-0a000001');
    await page.locator('.row', { hasText: 'Late answer: Adyen' }).click();
    await page.getByRole('link', { name: 'The assumption and its reasons' }).click();
    await eventually(() => pathOf(page), '/assumptions/ASM-40-001');
    await eventually(() => textOf(page, '.named strong'), 'Payments go through Stripe');
  });
});

it('whoever wrote the address, its choice reaches nothing but the choices of a question', async () => {
  const served = await aSampleServer();
  const { page } = await aPerson(served);
  await says(page, 'How long are audit logs kept?');
  await page.goto('about:blank');
  const sent = page.waitForResponse(
    (response) => response.request().method() === 'POST' && !response.url().endsWith('/session'),
  );
  await page.goto(`${served.url}/inbox/..%2Fassumptions%2FASM-40-001%2Fconfirm%3F#choose=a`);
  expect((await sent).status()).toBe(400);
  const { assumptions } = await served.call<{ assumptions: readonly { id: string; status: string }[] }>(
    'GET',
    '/assumptions',
  );
  expect(assumptions.find(({ id }) => id === 'ASM-40-001')).toMatchObject({ status: 'standing' });
});
