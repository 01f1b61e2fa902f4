import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeSampleProject } from '../../scripts/sample-project.mjs';
import { agentx, aRepository } from '../scenarios/support/agentx.js';
import { storeOf } from '../scenarios/support/runs.js';
import { aPerson, eventually, says, textOf } from './support/people.js';
import { serveRepository } from './support/server.js';

const aServer = async () => serveRepository(await aRepository({ issues: [{ title: 'Sell the land' }] }));
const LAND = {
  questions: [{ id: 'q1', text: 'Sell the land?', options: [{ label: 'Sell' }, { label: 'Keep it' }] }],
  consequence: 'irreversible',
};

describe('a question whose answer cannot be undone', () => {
  it('has a mark in the list and a word on the button, and wants a second key [X-1/2]', async () => {
    const served = await aServer();
    const { id } = await served.ask(LAND);
    await served.ask({ questions: [{ id: 'q1', text: 'Which name?' }] });
    const { page, complaints } = await aPerson(served);
    const row = page.locator('.row', { hasText: 'Sell the land?' });
    await eventually(() => row.textContent(), expect.stringContaining('cannot be undone'));
    expect(await row.locator('.for-good-mark').count()).toBe(1);
    const other = page.locator('.row', { hasText: 'Which name?' });
    expect(await other.textContent()).not.toContain('undone');
    await row.click();
    await page.getByRole('button', { name: 'Answer for good' }).waitFor();

    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await says(page, 'This cannot be undone. Your answer: Sell');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect(await page.locator('.outgoing').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Decline' }).waitFor();
    await page.keyboard.press('y');
    expect(await page.locator('.outgoing').count()).toBe(0);

    await page.keyboard.press('x');
    await says(page, 'This cannot be undone. Then engineer goes on with what it decides itself, as an assumption.');
    await page.keyboard.press('Escape');
    await page.keyboard.press('t');
    await page.keyboard.type('To the neighbours');
    await page.keyboard.press('Control+Enter');
    await says(page, 'This cannot be undone. Your answer: Sell, To the neighbours');
    await page.keyboard.press('y');
    await says(page, 'Your answer is sent in five seconds: Sell the land?');
    await eventually(async () => (await served.stored(id))?.responses?.[0]?.answer, 'To the neighbours');
    expect(complaints).toEqual([]);
  });

  it('is read anew where its answer was changed in another tab', async () => {
    const served = await aServer();
    await served.ask(LAND);
    const { page } = await aPerson(served);
    await says(page, 'Sell the land?');
    const tab = await page.context().newPage();
    await tab.goto(served.url);
    await page.keyboard.press('a');
    await eventually(() => tab.getByRole('radio', { name: 'Sell' }).isChecked(), true);
    await page.keyboard.press('Enter');
    await says(page, 'This cannot be undone. Your answer: Sell');
    await tab.keyboard.press('b');
    await eventually(() => page.getByRole('radio', { name: 'Keep it' }).isChecked(), true);
    await eventually(() => page.getByText('This cannot be undone.').count(), 0);
    await page.keyboard.press('y');
    expect(await page.locator('.outgoing').count()).toBe(0);
  });

  it('is asked for twice where it is seen: another view, or another who ends it, takes the doubt back', async () => {
    const served = await aServer();
    const { id } = await served.ask(LAND);
    const { page } = await aPerson(served);
    await says(page, 'Sell the land?');
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await says(page, 'This cannot be undone.');
    await page.keyboard.press('2');
    await says(page, 'Autonomy');
    await page.keyboard.press('y');
    await page.keyboard.press('1');
    await page.getByRole('button', { name: 'Answer for good' }).waitFor();
    expect(await page.locator('.outgoing').count()).toBe(0);

    await page.keyboard.press('Enter');
    await says(page, 'This cannot be undone.');
    const responses = [{ questionId: 'q1', optionIds: ['b'] }];
    await served.call('PATCH', `/notifications/${id}`, { revision: 1, responses });
    await says(page, 'Answered by ada on the page: Keep it.');
    await page.keyboard.press('y');
    await page.getByRole('button', { name: 'Next' }).waitFor();
    expect(await page.locator('.outgoing').count()).toBe(0);
  });

  it('is not answered by a double click', async () => {
    const served = await aServer();
    await served.ask(LAND);
    const { page } = await aPerson(served);
    await says(page, 'Sell the land?');
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Answer for good' }).dblclick();
    await says(page, 'This cannot be undone.');
    expect(await page.locator('.outgoing').count()).toBe(0);
  });
});

it.each([
  [{ fallback: { text: 'Shed' } }, 'Either way engineer goes on with "Shed", as an assumption.'],
  [{}, 'Either way engineer goes on with what it decides itself, as an assumption.'],
])('declining and dismissing say what they do (%j)', async (fields, text) => {
  const served = await aServer();
  await served.ask({ questions: [{ id: 'q1', text: 'Which name?' }], ...fields });
  const { page } = await aPerson(served);
  await says(page, 'Decline: you will not decide this. Dismiss: it is not worth deciding.');
  expect(await textOf(page, '.left-alone')).toContain(text);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await says(page, text.replace('Either way', 'Dismissed:'));
});

it('declining what two agents dispute says what is assumed where only one of them has spoken', async () => {
  const config = '[agents.architect]\nrunner = "command"\ncommand = ["false"]';
  const served = await serveRepository(await aRepository({ issues: [{ title: 'Sell the land' }], config }));
  const ask = ['ask', '--issue', '1', '--from', 'engineer', '--to', 'architect', '--topic', 'Port', '-q', 'Which one?'];
  expect(agentx(served.cwd, ask).status).toBe(3);
  const { page } = await aPerson(served);
  await says(page, 'Either way engineer goes on with what it decides itself, as an assumption.');
  await page.getByRole('button', { name: 'Decline' }).click();
  await says(page, 'Declined: engineer goes on with what it decides itself, as an assumption.');
  const { stdout } = agentx(served.cwd, ['assumptions']);
  expect(stdout).toContain('Port: engineer decides, as architect has not answered');
});

it('declining the rest of a question says what is assumed for the parts without an answer', async () => {
  const served = await aServer();
  const options = [{ label: 'Oak', recommended: true }, { label: 'Steel' }];
  const { id } = await served.ask({
    questions: [
      { id: 'q1', text: 'Which door?', options },
      { id: 'q2', text: 'Which name?', fallback: { text: 'Shed' } },
      { id: 'q3', text: 'Which colour?' },
    ],
  });
  const responses = [{ questionId: 'q1', optionIds: ['b'] }];
  await served.call('PATCH', `/notifications/${id}`, { revision: 1, responses });
  const { page } = await aPerson(served);
  await says(page, 'Either way engineer goes on with "Shed" and what it decides itself, as an assumption.');
});

it('an assumption that is confirmed settles its late answer, and that can be taken back [X-3/3]', async () => {
  const cwd = await aRepository();
  writeSampleProject(join(cwd, '.agentx'), { projectId: 'shop' });
  const served = await serveRepository(cwd);
  const { page } = await aPerson(served);
  await says(page, 'How long are audit logs kept?');
  await page.keyboard.press('4');
  const card = page.locator('.card', { hasText: 'Payments go through Stripe' });
  await eventually(() => card.textContent(), expect.stringContaining('you said "Adyen'));
  await card.getByRole('button', { name: /^Confirm/ }).click();
  await page.keyboard.press('u');
  await eventually(() => page.locator('.outgoing').count(), 0);
  expect(await served.stored('oq-0a000003')).toMatchObject({ status: 'open' });
  await card.getByRole('button', { name: /^Confirm/ }).click();
  await eventually(() => card.textContent(), expect.stringContaining('confirmed by ada'));
  expect(await served.stored('oq-0a000003')).toMatchObject({
    outcome: 'answered',
    responses: [{ optionIds: ['keep'] }],
    answeredBy: { principal: 'ada', channel: 'web' },
  });
  await page.keyboard.press('1');
  await eventually(
    () => page.locator('.row', { hasText: 'Late answer: Adyen' }).locator('.wait').textContent(),
    'answered',
  );
});

it('an assumption that is rejected asks in place of its late answer, not beside it [X-3/3]', async () => {
  const cwd = await aRepository();
  writeSampleProject(join(cwd, '.agentx'), { projectId: 'shop' });
  const served = await serveRepository(cwd);
  const { page } = await aPerson(served);
  await says(page, 'How long are audit logs kept?');
  await page.keyboard.press('4');
  const card = page.locator('.card', { hasText: 'Payments go through Stripe' });
  await card.getByRole('button', { name: /^Reject/ }).click();
  await page.getByRole('textbox', { name: 'What should have been decided?' }).fill('Mollie');
  await page.getByRole('button', { name: 'Reject', exact: true }).click();
  await says(page, 'Instead: Mollie');
  expect(await served.stored('oq-0a000003')).toMatchObject({ outcome: 'superseded' });
  await page.goto(`${served.url}/inbox`);
  await page.locator('.row', { hasText: 'Mollie' }).click();
  await says(page, 'Either way what was built stays as it is, and so does the assumption.');
  const open = (await storeOf(cwd).questions.list({ status: 'open' })).items.filter(
    ({ kind }) => kind === 'late_answer',
  );
  expect(open).toMatchObject([{ rework: { answer: 'Mollie' } }]);
  await page.keyboard.press('1');
  await page.reload();
  await eventually(() => page.locator('.row', { hasText: 'Adyen' }).count(), 0);
});
