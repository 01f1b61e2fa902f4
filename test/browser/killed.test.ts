import { expect, it } from 'vitest';
import { aRepository } from '../scenarios/support/agentx.js';
import { aPerson, eventually, says } from './support/people.js';
import { serveRepository } from './support/server.js';

it.each([
  ['before the answer is taken', false],
  ['between the answer and its acknowledgement', true],
])('an answer is given once and called done when the server is killed %s [X-5/1] [X-5/4]', async (_, isTaken) => {
  const cwd = await aRepository({ issues: [{ title: 'Paint the shed' }] });
  const before = await serveRepository(cwd);
  const { id } = await before.ask({ questions: [{ id: 'q1', text: 'Which name?' }] });
  const { page } = await aPerson(before);
  await page.route(`**/notifications/${id}`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    if (isTaken) await route.fetch();
    await before.kill();
    await route.abort('connectionreset');
  });
  await page.locator('.question textarea').fill('Hut');
  await page.keyboard.press('Control+Enter');
  await says(page, 'offline, 1 to send');
  expect(await before.stored(id)).toMatchObject({ status: isTaken ? 'resolved' : 'open' });
  await page.unroute(`**/notifications/${id}`);

  await serveRepository(cwd, { port: before.port });
  await says(page, 'Answered. The agent goes on.');
  await says(page, 'Nothing waits for you.');
  await eventually(async () => (await before.stored(id))?.responses, [{ questionId: 'q1', answer: 'Hut' }]);
  expect(await before.stored(id)).toMatchObject({ outcome: 'answered', revision: 2 });
  expect(await page.locator('.notice.problem').count()).toBe(0);
});
