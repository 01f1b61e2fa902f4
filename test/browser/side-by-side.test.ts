import { describe, expect, it } from 'vitest';
import { aRepository } from '../scenarios/support/agentx.js';
import { aPerson, eventually, pressAnswer, says } from './support/people.js';
import { serveRepository } from './support/server.js';

const aServer = async () => serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));

describe('several projects in one browser', () => {
  it('stay open side by side, each under the name that the person has there', async () => {
    const [shed, boat] = [await aServer(), await aServer()];
    const question = await shed.ask({ questions: [{ id: 'q1', text: 'Which name has the shed?' }] });
    await boat.ask({ questions: [{ id: 'q1', text: 'Which name has the boat?' }] });
    const { page } = await aPerson(shed);
    await says(page, 'Which name has the shed?');
    const other = await page.context().newPage();
    await other.goto(boat.link);
    await says(other, 'Which name has the boat?');
    await other.locator('button.who').click();
    await other.getByRole('textbox', { name: 'Your name', exact: true }).fill('grace');
    await other.keyboard.press('Enter');
    await other.locator('button.who', { hasText: 'grace' }).waitFor();

    await page.reload();
    await says(page, 'Which name has the shed?');
    await page.locator('button.who', { hasText: 'ada' }).waitFor();
    await page.locator('.question textarea').fill('Hut');
    await pressAnswer(page);
    await eventually(async () => (await shed.stored(question.id))?.answeredBy?.principal, 'ada');
    await other.reload();
    await says(other, 'Which name has the boat?');
    await other.locator('button.who', { hasText: 'grace' }).waitFor();
  });
});

describe('a page that the server does not know any more', () => {
  it('is locked, keeps what was written and decided, and opens when the link is opened in another tab', async () => {
    const served = await aServer();
    const name = await served.ask({ questions: [{ id: 'q1', text: 'Which name?' }] });
    const door = await served.ask({ questions: [{ id: 'q1', text: 'Which door?' }] });
    const { page } = await aPerson(served);
    await says(page, 'Which name?');
    await page.context().clearCookies();
    await page.locator('.question textarea').fill('Hut');
    await page.keyboard.press('Control+Enter');
    await says(page, 'This inbox opens with a link that only you have.');
    await says(page, 'What you wrote and decided here is kept.');
    expect(await served.stored(name.id)).toMatchObject({ status: 'open' });

    const other = await page.context().newPage();
    await other.goto(served.link);
    await eventually(async () => (await served.stored(name.id))?.responses?.[0]?.answer, 'Hut');
    await says(page, 'Which door?');
    expect(await served.stored(door.id)).toMatchObject({ status: 'open' });
  });

  it('opens with the link in the same tab, in its address or in its field', async () => {
    const served = await aServer();
    await served.ask({ questions: [{ id: 'q1', text: 'Which name?' }] });
    const { page } = await aPerson(served, { address: served.url });
    await says(page, 'This inbox opens with a link that only you have.');
    await page.evaluate(`location.assign(${JSON.stringify(served.link)})`);
    await says(page, 'Which name?');
    expect(page.url()).not.toContain(served.token);

    await page.context().clearCookies();
    await page.reload();
    const field = page.getByRole('textbox', { name: 'Or paste the link here' });
    await field.fill(`${served.url}/#token=${'x'.repeat(43)}`);
    await page.keyboard.press('Enter');
    await says(page, 'The server does not know this key.');
    await field.fill(served.link);
    await page.keyboard.press('Enter');
    await says(page, 'Which name?');
  });
});

describe('another project that answers at the same address', () => {
  const NAME = { questions: [{ id: 'q1', text: 'Which name has the shed?' }] };

  it('gets nothing of what was written for the first, which has it when it is back', async () => {
    const [shed, boat] = [await aServer(), await aServer()];
    const name = await shed.ask(NAME);
    const door = await shed.ask({ questions: [{ id: 'q1', text: 'Which door has the shed?' }] });
    await boat.ask({ questions: [{ id: 'q1', text: 'Which name has the boat?' }] });
    const { port } = shed;
    const { page } = await aPerson(shed);
    await says(page, 'Which name has the shed?');
    await Promise.all([shed.stop(), boat.stop()]);
    await says(page, 'offline: what you write is kept');
    await page.locator('.question textarea').fill('Hut');
    await page.keyboard.press('Control+Enter');
    await says(page, 'offline, 1 to send');
    await page.locator('.question textarea').fill('Oak, perhaps');

    const second = await serveRepository(boat.cwd, { port });
    await says(page, 'This inbox opens with a link that only you have.');
    const other = await page.context().newPage();
    await other.goto(second.link);
    await says(other, 'Which name has the boat?');
    await other.close();
    await eventually(() => page.locator('legend').allTextContents(), ['Which name has the boat?']);
    await says(page, `Another project answers at this address: ${second.project}.`);
    expect(await page.locator('.outgoing').count()).toBe(0);
    expect(await page.locator('.question textarea').inputValue()).toBe('');
    await second.stop();

    // The browser is logged in to both by now: no key is needed.
    const third = await serveRepository(shed.cwd, { port });
    await eventually(async () => (await third.stored(name.id))?.responses?.[0]?.answer, 'Hut');
    await eventually(async () => (await third.stored(door.id))?.drafts?.[0]?.responses[0]?.answer, 'Oak, perhaps');
    await says(page, 'Which door has the shed?');
    await eventually(() => page.locator('.question textarea').inputValue(), 'Oak, perhaps');
  });
});

it('another name in one tab is the name in all of them', async () => {
  const served = await aServer();
  const { id } = await served.ask({ questions: [{ id: 'q1', text: 'Which name?' }] });
  const { page } = await aPerson(served);
  await says(page, 'Which name?');
  const other = await page.context().newPage();
  await other.goto(served.url);
  await other.locator('button.who').click();
  await other.getByRole('textbox', { name: 'Your name', exact: true }).fill('grace');
  await other.keyboard.press('Enter');
  await page.locator('button.who', { hasText: 'grace' }).waitFor();
  await page.locator('.question textarea').fill('Hut');
  await pressAnswer(page);
  await says(page, 'Answered. The agent goes on.');
  expect(await served.stored(id)).toMatchObject({ answeredBy: { principal: 'grace' } });
});
