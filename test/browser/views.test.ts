import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { writeSampleProject } from '../../scripts/sample-project.mjs';
import { aRepository } from '../scenarios/support/agentx.js';
import { aPerson, eventually, pressAnswer, says, textOf } from './support/people.js';
import { serveRepository } from './support/server.js';

const focused = (page: Page) => page.evaluate<string>('document.activeElement?.innerText ?? ""');

async function aSampleServer() {
  const cwd = await aRepository();
  writeSampleProject(join(cwd, '.agentx'), { projectId: 'shop' });
  return serveRepository(cwd);
}

describe('what a question with several parts falls back to', () => {
  it('is shown for each part without an answer', async () => {
    const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
    await served.ask({
      questions: [
        {
          text: 'Which region?',
          options: ['EU', 'US'],
          fallback: { option: 'b', reasoning: 'Most customers.', risk: 'low' },
        },
        { text: 'Which currency?', fallback: { text: 'EUR', reasoning: 'The books are in it.' } },
      ],
    });
    const { page } = await aPerson(served);
    await says(page, 'until the agent goes on with "US", "EUR"');
    await eventually(
      () => textOf(page, '.why dl'),
      'If nobody answers Which region? US, risk low Most customers. Which currency? EUR The books are in it. Answered before Not as far as the memory knows.',
    );
    await page.getByRole('radio', { name: 'EU' }).click();
    await pressAnswer(page);
    await says(page, 'Saved. 1 more to answer here.');
    await says(page, /until the agent goes on with "EUR"$/);
    expect(await textOf(page, '.why dl')).not.toContain('Most customers.');
  });
});

describe('a view that cannot be read', () => {
  it.each([
    ['2', '**/ready*', 'Agents'],
    ['4', '**/assumptions', 'Payments go through Stripe'],
    ['5', '**/memory/search*', 'No personal data in log lines.'],
    ['6', '**/digest*', 'Asked per day'],
  ])('says why and can be tried again (%s)', async (key, path, content) => {
    const served = await aSampleServer();
    const { page } = await aPerson(served, { address: 'about:blank' });
    const error = { code: 'STORE_ERROR', message: 'The disk is gone.', details: {} };
    await page.route(path, (route) => route.fulfill({ status: 500, json: { error } }));
    await page.goto(served.link);
    await says(page, 'How long are audit logs kept?');
    await page.keyboard.press(key);
    await says(page, 'This could not be read');
    await eventually(() => textOf(page, '[role=alert]'), 'The disk is gone.');
    await page.unroute(path);
    await page.getByRole('button', { name: 'Try again' }).click();
    await says(page, content);
  });

  it('opens by itself when the server is back', async () => {
    const served = await aSampleServer();
    const { page } = await aPerson(served);
    await says(page, 'How long are audit logs kept?');
    await served.stop();
    await says(page, 'offline: what you write is kept');
    await page.keyboard.press('4');
    await says(page, 'The server is away. This view opens when it is back.');
    await serveRepository(served.cwd, { port: served.port });
    await says(page, 'Payments go through Stripe');
  });
});

it('a choice between keep and rework wants one of them, and takes words with it [X-3/3]', async () => {
  const served = await aSampleServer();
  const { page } = await aPerson(served);
  await page.locator('.row', { hasText: 'Late answer: Adyen' }).click();
  await page.locator('.question textarea').fill('Mind the old receipts.');
  await page.keyboard.press('Control+Enter');
  await says(page, 'Choose Keep or Rework; what you wrote goes with it.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('a');
  await page.keyboard.press('Enter');
  await says(page, 'Kept: what was built stays as it is.');
  const stored = await served.stored('oq-0a000003');
  expect(stored?.responses).toMatchObject([{ optionIds: ['keep'], answer: 'Mind the old receipts.' }]);
});

describe('with the keyboard, beside the inbox', () => {
  it('lines are reached, opened and decided', async () => {
    const { page } = await aPerson(await aSampleServer());
    await says(page, 'How long are audit logs kept?');
    await page.keyboard.press('3');
    await says(page, 'What agents ask each other');
    await page.keyboard.press('j');
    await eventually(() => focused(page), expect.stringContaining('Which themes are tested'));
    await page.keyboard.press('j');
    await eventually(() => focused(page), expect.stringContaining('Retention of audit logs'));
    await page.keyboard.press('Enter');
    await says(page, 'The storage budget is for 30 days. Which one wins?');
    await page.keyboard.press('k');
    await eventually(() => focused(page), expect.stringContaining('Which themes are tested'));
    await page.keyboard.press('4');
    await says(page, 'Payments go through Stripe');
    await page.keyboard.press('j');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Adyen');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await says(page, 'Instead: Adyen');
    await page.keyboard.press('1');
    await eventually(() => page.locator('.row').count(), 5);
  });
});
