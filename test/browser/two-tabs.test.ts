import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { aRepository } from '../scenarios/support/agentx.js';
import { aPerson, aPersonOutOfTime, eventually, holdRequests, pressAnswer, says } from './support/people.js';
import { type Served, serveRepository } from './support/server.js';

const aRepo = () => aRepository({ issues: [{ title: 'Paint the shed' }] });
const NAME = { questions: [{ id: 'q1', text: 'Which name?' }] };
const fieldOf = (page: Page) => page.locator('.question textarea');
const otherOf = (page: Page) => page.locator('.other-draft');
const textsKept = (served: Served, id: string) => async () =>
  ((await served.stored(id))?.drafts ?? []).map(({ responses }) => responses[0]?.answer).toSorted();

/** Another tab of the same browser. */
async function anotherTab(page: Page, { url }: Pick<Served, 'url'>): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(url);
  await says(tab, 'Which name?');
  return tab;
}

/** Both write before either hears of the other. */
async function writeInBoth(served: Served, id: string) {
  const { page: first } = await aPerson(served);
  await says(first, 'Which name?');
  const second = await anotherTab(first, served);
  const drafts = [await holdRequests(first, '**/draft'), await holdRequests(second, '**/draft')];
  await fieldOf(first).fill('A hut by the lake');
  await fieldOf(second).fill('The old shed');
  await Promise.all(drafts.map(({ made }) => made));
  for (const { letGo } of drafts) letGo();
  await eventually(textsKept(served, id), ['A hut by the lake', 'The old shed']);
  return { first, second };
}

describe('one person, one question and two tabs', () => {
  it('keep both texts and show each beside the other, after a reload too; one can be made of both [X-4/1]', async () => {
    const served = await serveRepository(await aRepo());
    const { id } = await served.ask(NAME);
    const { first, second } = await writeInBoth(served, id);
    await eventually(() => otherOf(first).textContent(), expect.stringContaining('The old shed'));
    await eventually(() => otherOf(second).textContent(), expect.stringContaining('A hut by the lake'));
    expect(await fieldOf(first).inputValue()).toBe('A hut by the lake');
    expect(await fieldOf(second).inputValue()).toBe('The old shed');

    await fieldOf(first).pressSequentially(', red');
    await eventually(textsKept(served, id), ['A hut by the lake, red', 'The old shed']);
    await second.reload();
    const both = async () => [await fieldOf(second).inputValue(), await otherOf(second).textContent()].join();
    await eventually(both, expect.stringContaining('A hut by the lake, red'));
    await eventually(both, expect.stringContaining('The old shed'));

    await otherOf(first).getByRole('button', { name: 'Add to what stands here' }).click();
    const together = 'A hut by the lake, red\n\nThe old shed';
    await eventually(() => fieldOf(first).inputValue(), together);
    await eventually(textsKept(served, id), [together]);
    await eventually(() => fieldOf(second).inputValue(), together);
    await eventually(() => otherOf(second).count(), 0);
  });

  it('leave a text alone while its tab is open, even if that tab still reads its lists', async () => {
    const served = await serveRepository(await aRepo());
    await served.ask(NAME);
    const { page: first } = await aPerson(served);
    await says(first, 'Which name?');
    const second = await first.context().newPage();
    await second.route('**/clarifications?**', () => {});
    await second.route('**/draft', (route) => route.abort());
    await second.goto(served.url);
    await says(second, 'Which name?');
    await fieldOf(second).pressSequentially('A hut by the lake');
    expect(await fieldOf(first).inputValue()).toBe('');
    await second.close();
    await eventually(() => fieldOf(first).inputValue(), 'A hut by the lake');
    expect(await otherOf(first).count()).toBe(0);
  });

  it('send one text, and offer the other still', async () => {
    const served = await serveRepository(await aRepo());
    const { id } = await served.ask(NAME);
    const { first, second } = await writeInBoth(served, id);
    await pressAnswer(first);
    await eventually(async () => (await served.stored(id))?.responses?.[0]?.answer, 'A hut by the lake');
    await says(second, 'Answered by ada on the page: A hut by the lake. What you wrote is still here.');
    expect(await fieldOf(second).inputValue()).toBe('The old shed');
    await second.reload();
    await eventually(() => fieldOf(second).inputValue(), 'The old shed');
    await second.getByRole('button', { name: 'Discard' }).click();
    await eventually(textsKept(served, id), ['A hut by the lake']);
    await second.reload();
    // The address still names the question: it is shown as it ended, without the discarded text.
    await says(second, /^Answered by ada on the page: A hut by the lake\.\s*$/);
    expect(await fieldOf(second).inputValue()).toBe('');
    expect(await otherOf(second).count()).toBe(0);
    await second.getByRole('button', { name: 'Next' }).click();
    await says(second, 'Nothing waits for you.');
  });
});

describe('what one tab has sent', () => {
  it('is not offered in the other, which had written a part of it a moment before', async () => {
    const served = await serveRepository(await aRepo());
    const { id } = await served.ask(NAME);
    const page = await aPersonOutOfTime(served, 'Which name?');
    await fieldOf(page).fill('Hut');
    await page.clock.runFor(500);
    await says(page, 'draft saved');
    const { revision, drafts = [] } = (await served.stored(id)) ?? {};
    const responses = [{ questionId: 'q1', answer: 'Hut by the lake' }];
    const send = (method: string, path: string, body: object) =>
      page.context().request.fetch(`${served.url}/api/v1/projects/${served.project}/notifications/${id}${path}`, {
        method,
        headers: { origin: served.url },
        data: body,
      });
    const replaces = drafts.map(({ version }) => version);
    await send('PUT', '/draft', { responses, version: 'a'.repeat(24), replaces });
    await says(page, 'Hut by the lake');
    await send('PATCH', '', { revision, responses });
    await says(page, /^Answered by ada on the page: Hut by the lake/);
    await page.clock.runFor(3_000);
    await says(page, /^Answered by ada on the page: Hut by the lake\.\s*$/);
  });

  const CHOICE = { questions: [{ text: 'Which name?', options: ['Hut', 'Shed'] }] };

  it('is not offered in the other, which had written the same', async () => {
    const served = await serveRepository(await aRepo());
    await served.ask(CHOICE);
    const { page: first } = await aPerson(served);
    await says(first, 'Which name?');
    const second = await anotherTab(first, served);
    await fieldOf(first).fill('A hut by the lake');
    await eventually(() => fieldOf(second).inputValue(), 'A hut by the lake');
    await pressAnswer(second);
    await says(first, /^Answered by ada on the page: A hut by the lake\.\s*$/);
    expect(await fieldOf(first).inputValue()).toBe('');
  });

  it('is not offered beside what the other had written', async () => {
    const served = await serveRepository(await aRepo());
    const { id } = await served.ask(CHOICE);
    const { page: first } = await aPerson(served);
    await says(first, 'Which name?');
    const second = await anotherTab(first, served);
    await first.route('**/draft', (route) => route.abort());
    await fieldOf(first).fill('A hut by the lake');
    await second.locator('.option').nth(1).click();
    await eventually(textsKept(served, id), [undefined]);
    await otherOf(first).waitFor();
    await first.unroute('**/draft');
    await pressAnswer(second);
    await says(first, /^Answered by ada on the page: Shed\. What you wrote is still here\.$/);
    expect(await fieldOf(first).inputValue()).toBe('A hut by the lake');
    expect(await otherOf(first).count()).toBe(0);
  });
});

describe('a tab that is closed while the server is away', () => {
  it('leaves what was decided to be sent and what was written to be gone on with [X-4/1]', async () => {
    const before = await serveRepository(await aRepo());
    const name = await before.ask(NAME);
    const door = await before.ask({ questions: [{ id: 'q1', text: 'Which door?' }] });
    const { page } = await aPerson(before);
    await says(page, 'Which name?');
    await before.stop();
    await says(page, 'offline: what you write is kept');
    await fieldOf(page).fill('Hut');
    await page.keyboard.press('Control+Enter');
    await says(page, 'offline, 1 to send');
    await fieldOf(page).fill('Oak, perhaps');
    await says(page, 'draft kept in this browser until the server is back');
    const context = page.context();
    await page.close();

    const after = await serveRepository(before.cwd, { port: before.port });
    const tab = await context.newPage();
    await tab.clock.install();
    await tab.clock.pauseAt(Date.now() + 1_000);
    await tab.goto(after.url);
    await says(tab, 'Your answer is sent in five seconds: Which name?');
    await tab.clock.resume();
    await eventually(async () => (await after.stored(name.id))?.responses?.[0]?.answer, 'Hut');
    await eventually(textsKept(after, door.id), ['Oak, perhaps']);
    await eventually(() => fieldOf(tab).inputValue(), 'Oak, perhaps');
    expect(await tab.evaluate('Object.keys(localStorage).filter((key) => key.includes("unsent"))')).toEqual([]);
  });

  it('leaves it to be offered where the question has ended meanwhile, or cannot be undone', async () => {
    const before = await serveRepository(await aRepo());
    const name = await before.ask(NAME);
    const land = await before.ask({
      questions: [{ id: 'q1', text: 'Sell the land?' }],
      consequence: 'irreversible',
    });
    const { page } = await aPerson(before);
    await says(page, 'Which name?');
    await before.stop();
    await says(page, 'offline: what you write is kept');
    await fieldOf(page).fill('Hut');
    await page.keyboard.press('Control+Enter');
    await fieldOf(page).fill('Yes, all of it');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('y');
    await says(page, 'offline, 2 to send');
    const context = page.context();
    await page.close();

    const after = await serveRepository(before.cwd, { port: before.port });
    const responses = [{ questionId: 'q1', answer: 'Shed' }];
    await after.call('PATCH', `/notifications/${name.id}`, { revision: 1, responses });
    const tab = await context.newPage();
    await tab.goto(after.url);
    await says(tab, 'Your answer to "Which name?" was not sent before the page was closed');
    await says(tab, 'Your answer to "Sell the land?" was not sent before the page was closed');
    for (const [question, written] of [
      ['Which name?', 'Hut'],
      ['Sell the land?', 'Yes, all of it'],
    ] as const) {
      await tab.locator('.row', { hasText: question }).click();
      await eventually(() => fieldOf(tab).inputValue(), written);
    }
    expect(await after.stored(land.id)).toMatchObject({ status: 'open' });
  });

  it('is not called unsent any more where its request arrives after all', async () => {
    const before = await serveRepository(await aRepo());
    const { id } = await before.ask({ questions: [{ id: 'q1', text: 'Sell the land?' }], consequence: 'irreversible' });
    const { page } = await aPerson(before);
    await says(page, 'Sell the land?');
    await before.stop();
    await says(page, 'offline: what you write is kept');
    await fieldOf(page).fill('Yes, all of it');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('y');
    await says(page, 'offline, 1 to send');
    const context = page.context();
    await page.close();

    const after = await serveRepository(before.cwd, { port: before.port });
    const tab = await context.newPage();
    await tab.goto(after.url);
    await says(tab, 'Your answer to "Sell the land?" was not sent before the page was closed');
    const responses = [{ questionId: 'q1', answer: 'Yes, all of it' }];
    const method = 'PATCH';
    const headers = { 'content-type': 'application/json', origin: after.url };
    const path = `${after.url}/api/v1/projects/${after.project}/notifications/${id}`;
    await context.request.fetch(path, { method, headers, data: { revision: 1, responses } });
    await says(tab, 'Answered by ada on the page: Yes, all of it.');
    expect(await tab.locator('.notice.problem').count()).toBe(0);
  });

  it('is not sent where another one decided differently: both answers are offered, and nothing of them is lost [X-4/1]', async () => {
    const before = await serveRepository(await aRepo());
    const { id } = await before.ask({ questions: [{ id: 'q1', text: 'Which name?', options: ['Hut', 'Shed'] }] });
    const { page: first } = await aPerson(before);
    await says(first, 'Which name?');
    const second = await anotherTab(first, before);
    await before.stop();
    for (const [tab, place, words] of [
      [first, 0, 'by the lake'],
      [second, 1, 'in the wood'],
    ] as const) {
      await says(tab, 'offline: what you write is kept');
      await tab.locator('.option').nth(place).click();
      await fieldOf(tab).fill(words);
      await tab.keyboard.press('Control+Enter');
      await says(tab, 'offline, 1 to send');
    }
    const context = first.context();
    const tab = await context.newPage();
    await Promise.all([first.close(), second.close()]);

    const after = await serveRepository(before.cwd, { port: before.port });
    await tab.goto(after.url);
    await says(tab, /another tab had decided it differently/);
    const shown = async () => [await fieldOf(tab).inputValue(), await otherOf(tab).textContent()].join();
    await eventually(shown, expect.stringContaining('by the lake'));
    await eventually(shown, expect.stringContaining('in the wood'));
    expect(await tab.locator('.outgoing').count()).toBe(0);
    expect(await after.stored(id)).toMatchObject({ status: 'open' });
  });

  it('keeps what another one had written, where the answer of one of them is given', async () => {
    const before = await serveRepository(await aRepo());
    const { id } = await before.ask(NAME);
    const { page: first } = await aPerson(before);
    await says(first, 'Which name?');
    const second = await anotherTab(first, before);
    await before.stop();
    for (const [tab, words] of [
      [first, 'Hut'],
      [second, 'Shed'],
    ] as const) {
      await says(tab, 'offline: what you write is kept');
      await fieldOf(tab).fill(words);
      await tab.keyboard.press('Control+Enter');
      await says(tab, 'offline, 1 to send');
    }
    const after = await serveRepository(before.cwd, { port: before.port });
    await eventually(async () => (await after.stored(id))?.status, 'resolved');
    const given = (await after.stored(id))?.responses?.[0]?.answer;
    const [loser, words] = given === 'Hut' ? [second, 'Shed'] : [first, 'Hut'];
    await says(loser, /you had answered it elsewhere\. What you wrote is still here/);
    await eventually(() => fieldOf(loser).inputValue(), words);
  });
});
