import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { anAssumption } from '../builders/assumption.js';
import { aRepository, untilLocksAreFree } from '../scenarios/support/agentx.js';
import { storeOf } from '../scenarios/support/runs.js';
import { aPerson, eventually, says } from './support/people.js';
import { serveRepository } from './support/server.js';

/** The page of the assumptions of a project that has so many. */
async function withAssumptions(count: number, address = '/assumptions') {
  const cwd = await aRepository({ issues: [{ title: 'Paint the shed' }] });
  const assumptions_made = Array.from({ length: count }, (_, index) =>
    anAssumption({ id: idOf(index + 1), issueNumber: 1, decision: `Decision ${index + 1}` }),
  );
  await storeOf(cwd).assumptions.update(1, (file) => ({ next: { ...file, assumptions_made }, result: undefined }));
  await untilLocksAreFree();
  const served = await serveRepository(cwd);
  const { page } = await aPerson(served, { address: served.link.replace('/#', `${address}#`) });
  await page.locator('.card').first().waitFor();
  return { served, page };
}

const idOf = (number: number): string => `ASM-1-${String(number).padStart(3, '0')}`;
const cards = (page: Page) => page.locator('.card').count();

it('draws of many assumptions those that a person gets to', async () => {
  const { page } = await withAssumptions(400);
  const first = await cards(page);
  expect(first).toBeLessThan(200);
  await says(page, `${first} of 400 shown`);
  // The keyboard gets to all of them as well.
  await page.getByRole('button', { name: 'Confirm: Decision 1', exact: true }).focus();
  for (let line = 1; line < first; line++) await page.keyboard.press('j');
  await eventually(async () => (await cards(page)) > first, true);
  await page.keyboard.press('j');
  await eventually(
    () => page.evaluate<string | null>('document.activeElement.getAttribute("aria-label")'),
    `Confirm: Decision ${first + 1}`,
  );
  for (let more = await cards(page); more < 400; more = await cards(page)) {
    await page.locator('.more').scrollIntoViewIfNeeded();
    await eventually(async () => (await cards(page)) > more, true);
  }
  expect(await page.locator('.more').count()).toBe(0);
});

it('shows the assumption that the address names, however far down it is', async () => {
  const { page } = await withAssumptions(400, `/assumptions/${idOf(399)}`);
  await says(page, 'Decision 399');
  expect(await page.locator('.card.named').count()).toBe(1);
});

it('keeps what a person wrote against an assumption that another person confirms meanwhile', async () => {
  const { served, page } = await withAssumptions(1);
  await page.getByRole('button', { name: /^Reject: / }).click();
  await page.locator('.verdict textarea').fill('A hut, because of the sign');
  await served.call('POST', `/assumptions/${idOf(1)}/confirm`);
  await says(page, 'You had written, and not sent:');
  await page.reload();
  await says(page, 'A hut, because of the sign');
  await page.getByRole('button', { name: 'Discard it' }).click();
  await eventually(() => page.getByText('A hut, because of the sign').count(), 0);
  await page.reload();
  await says(page, 'confirmed');
  expect(await page.getByText('A hut, because of the sign').count()).toBe(0);
});

it('keeps what a person wrote against one assumption in two tabs', async () => {
  const { served, page: first } = await withAssumptions(1);
  const second = await first.context().newPage();
  await second.goto(`${served.url}/assumptions`);
  // It has shown the assumption before the first tab writes: otherwise it would begin with what stands there.
  await second.getByRole('button', { name: /^Reject: / }).waitFor();
  for (const [page, text] of [
    [first, 'A hut'],
    [second, 'A barn'],
  ] as const) {
    await page.getByRole('button', { name: /^Reject: / }).click();
    await page.locator('.verdict textarea').fill(text);
  }
  await first.close();
  await second.reload();
  const written = () => second.locator('.verdict textarea').inputValue();
  await eventually(async () => (await written()).split('\n\n').toSorted(), ['A barn', 'A hut']);
  await second.getByRole('button', { name: 'Cancel', exact: true }).click();
  await second.reload();
  await says(second, 'Decision 1');
  expect(await second.locator('.verdict textarea').count()).toBe(0);
});
