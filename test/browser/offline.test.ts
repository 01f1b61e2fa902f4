import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeSampleProject } from '../../scripts/sample-project.mjs';
import { aRepository } from '../scenarios/support/agentx.js';
import { aPerson, eventually, pressAnswer, says, textOf } from './support/people.js';
import { serveRepository } from './support/server.js';

it('searches the memory for what was typed without a server when the server is back', async () => {
  const cwd = await aRepository();
  writeSampleProject(join(cwd, '.agentx'), { projectId: 'shop' });
  const before = await serveRepository(cwd);
  const { page } = await aPerson(before, { address: before.link.replace('/#', '/memory#') });
  await eventually(() => page.locator('.hit').count(), 5);
  await before.stop();
  await says(page, 'offline: what you write is kept');
  await page.getByRole('searchbox', { name: 'Search what was remembered' }).fill('partitions');
  await says(page, 'The server is away. It searches for this when it is back.');
  expect(await page.locator('.hit').count()).toBe(0);
  await serveRepository(cwd, { port: before.port });
  await eventually(() => page.locator('.hit').count(), 1);
});

it('says that it is offline when only its requests show that, and goes on when they get through', async () => {
  const cwd = await aRepository();
  writeSampleProject(join(cwd, '.agentx'), { projectId: 'shop' });
  const served = await serveRepository(cwd);
  const { page } = await aPerson(served, { address: served.link.replace('/#', '/memory#') });
  await eventually(() => page.locator('.hit').count(), 5);
  // An open connection of the page stays open, as it does where packets are lost.
  await page.context().setOffline(true);
  await page.getByRole('searchbox', { name: 'Search what was remembered' }).fill('partitions');
  await says(page, 'offline: what you write is kept');
  await says(page, 'The server is away. It searches for this when it is back.');
  await page.context().setOffline(false);
  await says(page, 'live');
  await eventually(() => page.locator('.hit').count(), 1);
});

it('shows as ended what was removed while the server was away', async () => {
  const cwd = await aRepository({ issues: [{ title: 'Paint the shed' }] });
  const before = await serveRepository(cwd);
  const first = await before.ask({ questions: [{ id: 'q1', text: 'Which name?' }] });
  await before.ask({ questions: [{ id: 'q1', text: 'Which roof colour?' }] });
  const { page } = await aPerson(before);
  await says(page, 'Which roof colour?');
  await before.stop();
  await says(page, 'offline: what you write is kept');
  rmSync(join(cwd, '.agentx/state/questions', `${first.id}.json`));
  await serveRepository(cwd, { port: before.port });
  await eventually(() => textOf(page, '.list-head'), '1 waiting for you');
  await says(page, 'Ended.');
  expect(await page.locator('.notice.problem').count()).toBe(0);
});

it('keeps and queues what is written without a server, and sends it when the server is back', async () => {
  const cwd = await aRepository({ issues: [{ title: 'Paint the shed' }] });
  const before = await serveRepository(cwd);
  const first = await before.ask({ questions: [{ id: 'q1', text: 'Which name?' }] });
  const second = await before.ask({ questions: [{ id: 'q1', text: 'Which roof colour?' }] });
  const { page } = await aPerson(before);
  await says(page, 'Which roof colour?');
  await before.stop();
  await says(page, 'offline: what you write is kept');
  await page.locator('.question textarea').fill('Hut');
  await page.keyboard.press('Control+Enter');
  await says(page, 'offline, 1 to send');
  await eventually(() => textOf(page, 'legend'), 'Which roof colour?');
  await page.locator('.question textarea').fill('Red');
  await says(page, 'draft kept in this browser until the server is back');

  const after = await serveRepository(cwd, { port: before.port });
  await says(page, 'Answered. The agent goes on.');
  expect(await after.stored(first.id)).toMatchObject({ outcome: 'answered', responses: [{ answer: 'Hut' }] });
  await eventually(
    async () => (await after.stored(second.id))?.drafts?.[0]?.responses,
    [{ questionId: 'q1', answer: 'Red' }],
  );
  await eventually(() => page.locator('.question textarea').inputValue(), 'Red');
  await after.ask({ questions: [{ id: 'q1', text: 'Which door?' }] });
  await page.getByRole('button', { name: '1 new' }).click();
  await says(page, 'Which door?');
});

describe('where only one way to the server is open', () => {
  const NAME = { questions: [{ id: 'q1', text: 'Which name?' }] };

  it('shows what waits, and sends what is decided, without a feed', async () => {
    const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
    const { id } = await served.ask(NAME);
    const { page } = await aPerson(served, { address: 'about:blank' });
    await page.routeWebSocket('**/ws*', (socket) => socket.close());
    await page.goto(served.link);
    await says(page, 'Which name?');
    await says(page, 'not live: read again every few seconds');
    await page.locator('.question textarea').fill('Hut');
    await pressAnswer(page);
    await says(page, 'Answered. The agent goes on.');
    expect(await served.stored(id)).toMatchObject({ responses: [{ answer: 'Hut' }] });
    await served.ask({ questions: [{ id: 'q1', text: 'Which door?' }] });
    await says(page, 'Which door?');
  });

  it('stays offline while only the feed gets through', async () => {
    const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
    await served.ask(NAME);
    const { page } = await aPerson(served, { address: 'about:blank' });
    let greetings = 0;
    await page.routeWebSocket('**/ws*', (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => {
        if (String(message).includes('"hello"')) greetings += 1;
        socket.send(message);
      });
    });
    await page.goto(served.link);
    await says(page, 'live');
    await page.route('**/api/**', (route) => route.abort());
    await page.locator('.question textarea').fill('Hut');
    await says(page, 'offline: what you write is kept');
    await page.evaluate(`window.said = [];
      new MutationObserver(() => said.push(document.querySelector('.connection').innerText))
        .observe(document.querySelector('.connection'), { subtree: true, childList: true, characterData: true });`);
    const before = greetings;
    await eventually(async () => greetings - before >= 3, true);
    expect(await page.evaluate<readonly string[]>('said')).toEqual([]);
    await page.unroute('**/api/**');
    await says(page, 'live');
    await says(page, 'draft saved');
  });
});
