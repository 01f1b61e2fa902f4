import { expect, it } from 'vitest';
import { agentx, aRepository } from '../scenarios/support/agentx.js';
import { aPerson, eventually, says, textOf } from './support/people.js';
import { serveRepository } from './support/server.js';
import { violations } from './support/violations.js';

it('a person who cannot decide now is not reminded for a while, and can take that back [X-13/5]', async () => {
  const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
  const { id } = await served.ask({ questions: [{ id: 'q1', text: 'Which colour?', options: ['Red', 'Blue'] }] });
  const { page, complaints } = await aPerson(served);
  await says(page, 'Which colour?');
  const before = Date.now();
  await page.getByRole('button', { name: 'No reminder for 2 h' }).click();
  await says(page, /^No reminder until/);
  const snoozed = (await served.stored(id))?.snoozed;
  expect(Date.parse(snoozed?.until ?? '') - before).toBeGreaterThanOrEqual(2 * 3_600_000);
  expect(await textOf(page, '.row .wait')).toBe('snoozed');
  expect(await violations(page)).toEqual([]);
  await page.reload();
  await page.getByRole('button', { name: 'Remind me' }).click();
  await page.getByRole('button', { name: 'No reminder for 1 day' }).waitFor();
  expect((await served.stored(id))?.snoozed).toBeUndefined();
  // What another person does in a terminal shows here as well.
  agentx(served.cwd, ['inbox', 'snooze', id, '30m']);
  await says(page, /^No reminder until/);
  // It is still there to be decided.
  await page.getByRole('radio', { name: /Blue/ }).click();
  await page.getByRole('button', { name: 'Answer Enter', exact: true }).click();
  await eventually(async () => (await served.stored(id))?.outcome, 'answered');
  expect(complaints).toEqual([]);
});

it('a reminder that the server does not change is told as that', async () => {
  const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
  await served.ask({ questions: [{ id: 'q1', text: 'Which colour?' }] });
  const { page } = await aPerson(served);
  const error = { code: 'LOCK_TIMEOUT', message: 'Somebody holds the lock.', details: {} };
  await page.route('**/snooze', (route) => route.fulfill({ status: 503, json: { error } }));
  await page.getByRole('button', { name: 'No reminder for 2 h' }).click();
  await says(page, 'The server did not take that you are not reminded: Somebody holds the lock.');
  await page.unroute('**/snooze');
  await page.route('**/snooze', (route) => route.abort());
  await page.getByRole('button', { name: 'No reminder for 2 h' }).click();
  await says(page, 'The server did not take that you are not reminded: The server cannot be reached.');
});
