import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { writeSampleProject } from '../../scripts/sample-project.mjs';
import { aRepository } from '../scenarios/support/agentx.js';
import { aPerson, eventually, holdRequests, pressAnswer, says, textOf } from './support/people.js';
import { serveRepository } from './support/server.js';

const focused = (page: Page) => page.evaluate<string>('document.activeElement?.innerText ?? ""');

async function aSampleServer() {
  const cwd = await aRepository();
  writeSampleProject(join(cwd, '.agentx'), { projectId: 'shop' });
  return serveRepository(cwd);
}

/** Sends the page messages that the server did not send. Call this before the page opens. */
async function messagesOf(page: Page): Promise<(news: object) => void> {
  let seq = 1_000;
  let send = (_text: string) => {};
  await page.routeWebSocket('**/ws**', (socket) => {
    socket.connectToServer().onMessage((message) => socket.send(message));
    send = (text) => socket.send(text);
  });
  return (news) => {
    seq += 1;
    send(JSON.stringify({ ...news, seq, projectId: 'shop' }));
  };
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
    ['4', '**/assumptions?*', 'Payments go through Stripe'],
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

it('the board is read again while messages keep coming', async () => {
  const served = await aSampleServer();
  const { page } = await aPerson(served, { address: 'about:blank' });
  const sendTo = await messagesOf(page);
  await page.clock.install();
  await page.goto(served.link.replace('/#', '/board#'));
  await says(page, 'Who waits for whom');
  await page.clock.pauseAt(Date.now() + 60_000);
  const read = page.waitForRequest('**/agents');
  for (let count = 0; count < 10; count += 1) {
    sendTo({ type: 'agent.status', agent: 'engineer' });
    await page.clock.runFor(200);
  }
  await read;
});

it('an answer of the server that a later one has overtaken is not shown', async () => {
  const served = await aSampleServer();
  const { page } = await aPerson(served, { address: 'about:blank' });
  const sendTo = await messagesOf(page);
  await page.goto(served.link.replace('/#', '/asks/CLR-66-001#'));
  await says(page, 'What holds for: Which themes are tested?');
  const { clarification } = await served.call<{ clarification: object }>('GET', '/clarifications/CLR-66-001');
  const replies: ((topic: string) => Promise<void>)[] = [];
  await page.route('**/clarifications/CLR-66-001', (route) => {
    replies.push((topic) => route.fulfill({ json: { clarification: { ...clarification, topic } } }));
  });
  for (const topic of ['Themes', 'Themes'])
    sendTo({ type: 'clarification.answered', clarificationId: 'CLR-66-001', topic });
  await eventually(async () => replies.length, 2);
  await replies[1]?.('The newer topic');
  await says(page, 'The newer topic');
  const overtaken = page.waitForResponse('**/clarifications/CLR-66-001');
  await replies[0]?.('The older topic');
  await overtaken;
  await page.keyboard.press('?');
  await page.locator('dialog[open]').waitFor();
  expect(await page.getByText('The older topic').count()).toBe(0);
});

it('a view does not say why another one could not be read', async () => {
  const { page } = await aPerson(await aSampleServer());
  await says(page, 'How long are audit logs kept?');
  const digest = await holdRequests(page, '**/digest', (route) =>
    route.fulfill({ status: 500, json: { error: { message: 'The weeks are lost.' } } }),
  );
  await page.route('**/memory/stats', () => {});
  await page.keyboard.press('6');
  await digest.made;
  await page.keyboard.press('5');
  await says(page, 'Reading the memory.');
  const failed = page.waitForResponse('**/digest');
  digest.letGo();
  await failed;
  await page.keyboard.press('?');
  await page.locator('dialog[open]').waitFor();
  expect(await page.getByText('The weeks are lost.').count()).toBe(0);
});

it('the time of an earlier answer is that of the reader', async () => {
  const { page } = await aPerson(await aSampleServer(), { timezoneId: 'Pacific/Auckland', locale: 'en-GB' });
  await says(page, 'How long are audit logs kept?');
  const earlier = { issueNumber: 40, question: 'How long?', answer: 'A year', by: 'ada', questionId: 'oq-0a000009' };
  const answeredBefore = [{ ...earlier, source: 'OBS-1', observationId: 'OBS-1', at: '2026-03-01T20:00:00.000Z' }];
  await page.route('**/answered-before', (route) => route.fulfill({ json: { answeredBefore } }));
  await page.reload();
  await eventually(() => textOf(page, '.earlier'), 'A year How long? #40, ada, 2 Mar, 09:00, OBS-1');
});
