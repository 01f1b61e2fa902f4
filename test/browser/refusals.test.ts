import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { aRepository } from '../scenarios/support/agentx.js';
import { aPerson, eventually, pressAnswer, says, textOf } from './support/people.js';
import { serveRepository } from './support/server.js';

const aServer = async () => serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
const named = (text: string) => ({ questions: [{ id: 'q1', text }] });

describe('a decision that the server refuses', () => {
  it.each([
    [503, 'LOCK_TIMEOUT', 'The question is locked by process 12 on this machine.'],
    [429, 'INVALID_STATE', 'That was too often; wait a little.'],
    [500, 'STORE_ERROR', 'Something went wrong here; the log says what.'],
    [403, 'UNAUTHORIZED', 'A page of another origin may not act here.'],
  ])('(%i) is called refused, and why, until that is read', async (status, code, message) => {
    const served = await aServer();
    const first = await served.ask(named('Which name?'));
    await served.ask(named('Which door?'));
    const { page } = await aPerson(served);
    const error = { code, message, details: {} };
    await page.route(`**/notifications/${first.id}`, (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status, json: { error } }) : route.continue(),
    );
    await page.locator('.question textarea').fill('Hut');
    await page.keyboard.press('Control+Enter');
    await eventually(() => textOf(page, 'legend'), 'Which door?');
    const problem = page.locator('.notice.problem');
    await problem.waitFor();
    expect(await problem.textContent()).toContain(`Your answer to "Which name?" was not taken: ${message}`);

    await page.unroute(`**/notifications/${first.id}`);
    await page.locator('.question textarea').fill('Oak');
    await pressAnswer(page);
    await says(page, 'Answered. The agent goes on.');
    await page.keyboard.press('2');
    await says(page, 'Agents');
    await page.keyboard.press('1');
    expect(await problem.count()).toBe(1);

    await problem.getByRole('button', { name: 'Show' }).click();
    await eventually(() => textOf(page, 'legend'), 'Which name?');
    expect(await page.locator('.question textarea').inputValue()).toBe('Hut');
    expect(await problem.count()).toBe(0);
    await pressAnswer(page);
    await eventually(async () => (await served.stored(first.id))?.responses?.[0]?.answer, 'Hut');
  });

  it('although it was stored is told as stored', async () => {
    const served = await aServer();
    const { id } = await served.ask(named('Which name?'));
    const { page } = await aPerson(served);
    const error = { code: 'STORE_ERROR', message: 'Something went wrong here; the log says what.', details: {} };
    await page.route(`**/notifications/${id}`, async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      await route.fetch();
      await route.fulfill({ status: 500, json: { error } });
    });
    await page.locator('.question textarea').fill('Hut');
    await pressAnswer(page);
    await says(page, 'Answered. The agent goes on.');
    expect(await page.locator('.notice.problem').count()).toBe(0);
  });

  it('because its file is damaged is called so', async () => {
    const served = await aServer();
    const { id } = await served.ask(named('Which name?'));
    const { page } = await aPerson(served);
    await page.locator('.question textarea').fill('Hut');
    await says(page, 'draft saved');
    writeFileSync(join(served.cwd, '.agentx/state/questions', `${id}.json`), '{ "id":');
    await pressAnswer(page);
    await eventually(() => textOf(page, '.notice.problem'), expect.stringContaining('was not taken'));
    expect(await textOf(page, '.notice.problem')).toContain(id);
    expect(await page.locator('.question textarea').inputValue()).toBe('Hut');
  });
});

it('a draft that the server refuses says why, and is saved when the server takes it again', async () => {
  const served = await aServer();
  const { id } = await served.ask(named('Which name?'));
  const { page } = await aPerson(served);
  const error = { code: 'LOCK_TIMEOUT', message: 'Somebody holds the lock.', details: {} };
  await page.route('**/draft', (route) => route.fulfill({ status: 503, json: { error } }));
  await page.locator('.question textarea').fill('Hut');
  await says(page, 'kept in this browser; the server did not take it: Somebody holds the lock.');
  await page.unroute('**/draft');
  await says(page, 'draft saved');
  expect((await served.stored(id))?.drafts?.[0]?.responses).toEqual([{ questionId: 'q1', answer: 'Hut' }]);
});

it('what a person wants of an assumption is refused in words, too', async () => {
  const served = await aServer();
  const { id } = await served.ask({ ...named('Which name?'), fallback: { text: 'Shed' } });
  await served.call('PATCH', `/notifications/${id}`, { revision: 1, decline: true });
  const { page } = await aPerson(served);
  await says(page, 'Nothing waits for you.');
  await page.keyboard.press('4');
  await page.route('**/confirm', (route) => route.fulfill({ status: 503, body: 'busy' }));
  await page.getByRole('button', { name: /^Confirm/ }).click();
  await says(page, 'Your confirmation is sent in five seconds');
  await eventually(() => textOf(page, '.notice.problem'), expect.stringContaining('The server answered 503.'));
  await page.unroute('**/confirm');
  await page.getByRole('button', { name: /^Confirm/ }).click();
  await page.keyboard.press('u');
  await page.getByRole('button', { name: /^Confirm/ }).click();
  await says(page, 'confirmed by ada');
});

describe('what a person writes to reject an assumption', () => {
  const rejecting = async () => {
    const served = await aServer();
    const { id } = await served.ask({ ...named('Which name?'), fallback: { text: 'Shed' } });
    await served.call('PATCH', `/notifications/${id}`, { revision: 1, decline: true });
    const { page } = await aPerson(served);
    await says(page, 'Nothing waits for you.');
    await page.keyboard.press('4');
    await page.getByRole('button', { name: /^Reject: / }).click();
    await page.locator('.verdict textarea').fill('Hut, because of the sign');
    return { served, page, reason: () => page.locator('.verdict textarea').inputValue() };
  };
  const send = (page: Page) => page.getByRole('button', { name: 'Reject', exact: true }).click();

  it('is still there after a look elsewhere, a reload, and when it is taken back', async () => {
    const { page, reason } = await rejecting();
    await page.locator('nav').getByText('Board').click();
    await says(page, 'Agents');
    await page.locator('nav').getByText('Assumptions').click();
    expect(await reason()).toBe('Hut, because of the sign');
    await page.reload();
    expect(await reason()).toBe('Hut, because of the sign');
    await send(page);
    await says(page, 'Your rejection is sent in five seconds');
    await page.locator('h2').click();
    await page.keyboard.press('u');
    expect(await reason()).toBe('Hut, because of the sign');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: /^Reject: / }).click();
    expect(await reason()).toBe('');
  });

  it('is still there when the server refuses it, and gone when the server took it', async () => {
    const { page, served, reason } = await rejecting();
    await page.route('**/reject', (route) => route.fulfill({ status: 503, body: 'busy' }));
    await send(page);
    await eventually(() => textOf(page, '.notice.problem'), expect.stringContaining('The server answered 503.'));
    expect(await textOf(page, '.notice.problem')).toContain('What you wrote is still here.');
    expect(await reason()).toBe('Hut, because of the sign');
    await page.unroute('**/reject');
    await send(page);
    await says(page, 'Instead: Hut, because of the sign');
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('because of the sign');
    const { assumptions } = await served.call<{ assumptions: object[] }>('GET', '/assumptions');
    expect(assumptions).toMatchObject([{ status: 'rejected', rejection: 'Hut, because of the sign' }]);
  });

  it('is shown as not taken when another person had rejected it before', async () => {
    const { page, served } = await rejecting();
    await send(page);
    await says(page, 'Your rejection is sent in five seconds');
    const { assumptions } = await served.call<{ assumptions: { id: string }[] }>('GET', '/assumptions');
    await served.call('POST', `/assumptions/${assumptions[0]?.id}/reject`, { reason: 'Barn' });
    await eventually(
      () => textOf(page, '.notice.problem'),
      expect.stringMatching(/was rejected before, by \w+: Barn\./),
    );
    expect(await textOf(page, '.notice.problem')).toContain('You had written: Hut, because of the sign');
  });

  it('is not cut when it is too long, and not sent', async () => {
    const { page, reason } = await rejecting();
    const long = '\u{1f6d6}'.repeat(2_001);
    await page.locator('.verdict textarea').fill(long);
    await send(page);
    await says(page, 'This has 2001 characters; 2000 are taken.');
    expect(await reason()).toBe(long);
    expect(await page.locator('.outgoing').count()).toBe(0);
  });
});
