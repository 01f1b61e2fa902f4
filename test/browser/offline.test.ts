import { expect, it } from 'vitest';
import { aRepository } from '../scenarios/support/agentx.js';
import { aPerson, eventually, says, textOf } from './support/people.js';
import { serveRepository } from './support/server.js';

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
