import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { writeSampleProject } from '../../scripts/sample-project.mjs';
import { secretIn } from '../../src/app/server-files.js';
import { signChoice } from '../../src/notify/choice-link.js';
import { agentx, aRepository } from '../scenarios/support/agentx.js';
import { aPerson, eventually, says, textOf } from './support/people.js';
import { type Served, serveRepository } from './support/server.js';

const LOCKED = 'This inbox opens with a link that only you have.';
const KEPT = 'What you wrote and decided here is kept.';

async function aSampleServer(): Promise<Served> {
  const cwd = await aRepository();
  writeSampleProject(join(cwd, '.agentx'), { projectId: 'shop' });
  return serveRepository(cwd);
}

/** In a tab that is closed again: this page is unlocked by what it looks for itself. */
async function unlock(page: Page, served: Served): Promise<void> {
  const other = await page.context().newPage();
  await other.goto(served.link);
  await other.locator('header.top').waitFor();
  await other.close();
  await page.locator('header.top').waitFor();
}

describe('a page that is locked in the middle of something', () => {
  it('says afterwards that a reminder and a name were not changed', async () => {
    const served = await aSampleServer();
    const { page } = await aPerson(served);
    await says(page, 'How long are audit logs kept?');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'No reminder for 2 h' }).click();
    await says(page, LOCKED);
    await unlock(page, served);
    await says(page, /^The server did not take that you are not reminded: /);

    await page.locator('button.who').click();
    await page.getByRole('textbox', { name: 'Your name', exact: true }).fill('Grace Hopper');
    await page.context().clearCookies();
    await page.keyboard.press('Enter');
    await says(page, LOCKED);
    await unlock(page, served);
    await says(page, /^You are still called ada, not Grace Hopper: /);
  });

  it('lets a decision be taken back before it is unlocked', async () => {
    const served = await aSampleServer();
    const { page } = await aPerson(served);
    await says(page, 'How long are audit logs kept?');
    await page.context().clearCookies();
    await page.getByRole('radio', { name: /1 year/ }).click();
    await page.keyboard.press('Enter');
    await says(page, LOCKED);
    await says(page, /^Your answer is sent/);
    await page.keyboard.press('u');
    await unlock(page, served);
    await eventually(() => page.getByRole('radio', { name: /1 year/ }).isChecked(), true);
    expect(await page.locator('.outgoing').count()).toBe(0);
    expect(await served.stored('oq-0a000001')).toMatchObject({ status: 'open' });
  });

  it('keeps the reason of a rejection, and says so, after a reload too', async () => {
    const served = await aSampleServer();
    const { page } = await aPerson(served, { address: served.link.replace('/#', '/assumptions#') });
    await page.getByRole('button', { name: /^Reject: / }).click();
    await page.locator('.verdict textarea').fill('Adyen, because of the');
    await page.context().clearCookies();
    await page.locator('nav').getByText('Board').click();
    await says(page, LOCKED);
    await says(page, KEPT);
    await page.reload();
    await says(page, LOCKED);
    await says(page, KEPT);
    await unlock(page, served);
    await page.locator('nav').getByText('Assumptions').click();
    await eventually(() => page.locator('.verdict textarea').inputValue(), 'Adyen, because of the');
  });

  it('shows what was written before, also to a question that another person answered meanwhile', async () => {
    const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
    const { id } = await served.ask({ questions: [{ id: 'q1', text: 'Which name?' }] });
    await served.ask({ questions: [{ id: 'q1', text: 'Which roof colour?' }] });
    const { page } = await aPerson(served);
    await page.locator('.row', { hasText: 'Which name?' }).click();
    await page.route('**/draft', (route) => route.abort());
    await page.locator('.question textarea').fill('A hut');
    await page.locator('.row', { hasText: 'Which roof colour?' }).click();
    await page.context().clearCookies();
    await page.unroute('**/draft');
    await says(page, LOCKED);
    agentx(served.cwd, ['inbox', 'answer', id, '-b', 'A shed'], { env: { USER: 'carol' } });
    await unlock(page, served);
    await page.locator('.row', { hasText: 'Which name?' }).click();
    await says(page, 'Answered by carol in the terminal: A shed. What you wrote is still here.');
    expect(await page.locator('.question textarea').inputValue()).toBe('A hut');
  });

  it('has searched the memory for what was typed when it opens again', async () => {
    const served = await aSampleServer();
    const { page } = await aPerson(served, { address: served.link.replace('/#', '/memory#') });
    const field = page.getByRole('searchbox', { name: 'Search what was remembered' });
    await field.waitFor();
    await page.context().clearCookies();
    await field.fill('partitions');
    await says(page, LOCKED);
    await unlock(page, served);
    await eventually(() => field.inputValue(), 'partitions');
    await eventually(() => page.locator('.hit').count(), 1);
  });
});

it('a pasted link waits for a server that does not answer', async () => {
  const served = await aSampleServer();
  const { page } = await aPerson(served, { address: served.url });
  await says(page, LOCKED);
  await page.route('**/session', (route) => route.abort());
  await page.getByRole('textbox').fill(served.link);
  await page.getByRole('button', { name: 'Open' }).click();
  await says(page, 'The key could not be tried yet. The page tries it again by itself.');
  await page.unroute('**/session');
  await page.locator('header.top').waitFor();
});

it('what the link of a message chose is chosen when the page has been unlocked, in the same tab or in another', async () => {
  const served = await aSampleServer();
  const secret = secretIn(join(served.cwd, '.agentx/state'), 'notify-secret');
  const linkTo = (optionId: string) => {
    const choice = signChoice(secret, { questionId: 'oq-0a000001', part: 'q1', optionId }, Date.now());
    return `${served.url}/inbox/oq-0a000001#choose=${choice}`;
  };
  const { page } = await aPerson(served, { address: linkTo('b') });
  await says(page, LOCKED);
  await page.goto(served.link);
  await eventually(() => page.getByRole('radio', { name: /1 year/ }).isChecked(), true);
  expect(page.url()).toBe(`${served.url}/inbox/oq-0a000001`);

  const { page: second } = await aPerson(served, { address: linkTo('a') });
  await says(second, LOCKED);
  await unlock(second, served);
  await eventually(() => second.getByRole('radio', { name: /30 days/ }).isChecked(), true);
  expect(await textOf(second, '.notice')).toBe('');
});
