import { describe, expect, it } from 'vitest';
import { agentx, aRepository } from '../scenarios/support/agentx.js';
import { letTimeRunOut } from '../scenarios/support/runs.js';
import { answerAs, aPerson, aPersonOutOfTime, eventually, pressAnswer, says, textOf } from './support/people.js';
import { serveRepository } from './support/server.js';

const COLOUR = {
  questions: [{ id: 'q1', text: 'Blue or green?', options: [{ label: 'Blue' }, { label: 'Green' }] }],
};

const aServer = async () => serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));

describe('one question and several people', () => {
  it('takes one of two answers at the same instant and tells the other who won with what [X-5/1] [X-7/2]', async () => {
    const served = await aServer();
    const { id } = await served.ask(COLOUR);
    const people = await Promise.all([aPerson(served), aPerson(served, { name: 'bob' })]);
    const [ada, bob] = people;
    await Promise.all(people.map(({ page }) => says(page, 'Blue or green?')));
    await ada.page.keyboard.press('a');
    await bob.page.keyboard.press('b');
    await Promise.all(people.map(({ page }) => page.keyboard.press('Enter')));

    const winner = await Promise.any(
      people.map(async (person) => {
        await says(person.page, 'Answered. The agent goes on.');
        return person;
      }),
    );
    const isAda = winner === ada;
    const loser = isAda ? bob : ada;
    await says(loser.page, 'What you wrote is still here.');
    await eventually(
      () => textOf(loser.page, '.ended'),
      expect.stringContaining(`Answered by ${isAda ? 'ada' : 'bob'} on the page: ${isAda ? 'Blue' : 'Green'}`),
    );
    expect(await served.stored(id)).toMatchObject({
      outcome: 'answered',
      responses: [{ optionIds: [isAda ? 'a' : 'b'] }],
      answeredBy: { principal: isAda ? 'ada' : 'bob', channel: 'web' },
    });
  });

  it('closes on the page when it is answered in the terminal, and says by whom [X-7/2]', async () => {
    const served = await aServer();
    const { id } = await served.ask(COLOUR);
    const { page } = await aPerson(served);
    await says(page, 'Blue or green?');
    expect(agentx(served.cwd, ['inbox', 'answer', id, '--option', 'b'], { env: { USER: 'carol' } }).status).toBe(0);
    await says(page, 'Answered by carol in the terminal: Green');
    await eventually(() => page.locator('.count').count(), 0);
    await page.getByRole('button', { name: 'Next' }).click();
    await says(page, 'Nothing waits for you.');
  });

  it('keeps what a person wrote when another was quicker, after a reload too, and offers it [X-4/4]', async () => {
    const served = await aServer();
    const { id } = await served.ask(COLOUR);
    const { page } = await aPerson(served);
    await page.locator('.question textarea').fill('Neither, leave it as wood');
    await says(page, 'draft saved');
    agentx(served.cwd, ['inbox', 'answer', id, '--option', 'a'], { env: { USER: 'carol' } });
    await says(page, 'Answered by carol in the terminal: Blue. What you wrote is still here.');
    await page.reload();
    await says(page, 'What you wrote is still here.');
    await eventually(() => page.locator('.question textarea').inputValue(), 'Neither, leave it as wood');

    await page.getByRole('button', { name: 'Add as a late answer to #1' }).click();
    await says(page, 'Added to the conversation of the issue.');
    const { stdout } = agentx(served.cwd, ['issue', 'show', '1']);
    expect(stdout).toContain('Neither, leave it as wood');
    await eventually(async () => (await served.stored(id))?.drafts ?? [], []);
    await page.reload();
    await says(page, 'Nothing waits for you.');
  });

  it('keeps what a person wrote to a question of no issue, and offers nothing that cannot be done', async () => {
    const served = await aServer();
    const { id } = await served.ask({ ...COLOUR, issueNumber: 0 });
    const { page } = await aPerson(served);
    await page.locator('.question textarea').fill('Neither, leave it as wood');
    await says(page, 'draft saved');
    agentx(served.cwd, ['inbox', 'answer', id, '--option', 'a'], { env: { USER: 'carol' } });
    await says(page, 'Answered by carol in the terminal: Blue. What you wrote is still here.');
    expect(await page.locator('.question-foot button').allInnerTexts()).toEqual(['Next Enter', 'Discard']);
    await page.locator('.question textarea').press('Control+Enter');
    expect(await page.locator('.outgoing').count()).toBe(0);
    expect(await page.locator('.question textarea').inputValue()).toBe('Neither, leave it as wood');
  });

  it('adds what a person wrote once, and says so, when they leave within the five seconds', async () => {
    const served = await aServer();
    const { id } = await served.ask(COLOUR);
    const { page } = await aPerson(served);
    await page.locator('.question textarea').fill('Neither, leave it as wood');
    await says(page, 'draft saved');
    agentx(served.cwd, ['inbox', 'answer', id, '--option', 'a'], { env: { USER: 'carol' } });
    await says(page, 'What you wrote is still here.');
    await page.getByRole('button', { name: 'Add as a late answer to #1' }).click();
    await says(page, 'Your comment is sent in five seconds');
    await page.reload();
    await eventually(async () => (await served.stored(id))?.drafts ?? [], []);
    await eventually(() => page.locator('.outgoing').count(), 0);
    expect(await page.locator('.notice.problem').count()).toBe(0);
    const { stdout } = agentx(served.cwd, ['issue', 'show', '1']);
    expect(stdout.match(/leave it as wood/g)).toHaveLength(1);
  });

  it('adds what a person wrote once when the answer of the server is lost', async () => {
    const served = await aServer();
    const { id } = await served.ask(COLOUR);
    const { page } = await aPerson(served);
    await page.locator('.question textarea').fill('Neither, leave it as wood');
    await says(page, 'draft saved');
    agentx(served.cwd, ['inbox', 'answer', id, '--option', 'a'], { env: { USER: 'carol' } });
    await says(page, 'What you wrote is still here.');
    await page.route('**/comments', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Add as a late answer to #1' }).click();
    await says(page, 'Added to the conversation of the issue.');
    const { stdout } = agentx(served.cwd, ['issue', 'show', '1']);
    expect(stdout.match(/leave it as wood/g)).toHaveLength(1);
  });

  it('shows who else is answering at this moment', async () => {
    const served = await aServer();
    await served.ask(COLOUR);
    const ada = await aPerson(served);
    const bob = await aPerson(served, { name: 'bob' });
    await says(ada.page, 'Waits for you.');
    await bob.page.locator('.question textarea').fill('Green');
    await says(ada.page, 'bob is answering now.');
    await eventually(() => textOf(ada.page, '.row .wait'), 'bob answers');
    expect(await ada.page.locator('.question textarea').inputValue()).toBe('');
  });
});

it('a person gets nothing that another left in the same browser, whose name begins with theirs', async () => {
  const served = await aServer();
  const { id } = await served.ask(COLOUR);
  const { page } = await aPerson(served, { name: 'ada byron' });
  const context = page.context();
  await says(page, 'Blue or green?');
  await context.setOffline(true);
  await page.locator('.question textarea').fill('Red');
  await says(page, 'draft kept in this browser until the server is back');
  await page.close();
  await context.setOffline(false);
  const headers = { origin: served.url };
  await context.request.post(`${served.url}/api/v1/session`, { headers, data: { name: 'ada' } });
  const other = await context.newPage();
  await other.goto(served.url);
  await says(other, 'Blue or green?');
  await answerAs(other, 'ada byron');
  await eventually(() => other.locator('.question textarea').inputValue(), 'Red');
  // The closed page may have saved it already.
  await eventually(async () => (await served.stored(id))?.drafts?.map(({ principal }) => principal), ['ada byron']);
});

describe('a question whose time is over', () => {
  it('takes a late answer on the page and asks whether to keep or rework [PM-6/1] [PM-6/2] [X-3/1]', async () => {
    const served = await aServer();
    const { page } = await aPerson(served);
    await says(page, 'Nothing waits for you.');
    const { id } = await served.ask({
      ...COLOUR,
      fallback: { optionId: 'a', reasoning: 'There is paint.', risk: 'low' },
    });
    await says(page, /until the agent goes on with "Blue"/);
    await letTimeRunOut(served.cwd, id);
    await says(page, 'Nobody answered in time. The agent went on with: Blue.');
    await page.getByText('Green', { exact: true }).click();
    await page.getByRole('button', { name: 'Send as a late answer' }).click();
    await says(page, 'Your late answer is kept.');
    expect(await served.stored(id)).toMatchObject({
      outcome: 'fallback_applied',
      lateResponses: [{ responses: [{ optionIds: ['b'] }], answeredBy: { principal: 'ada', channel: 'web' } }],
    });

    await says(page, 'Keep it, or do it again?');
    await says(page, 'Work that depends on it');
    await page.getByText('Rework', { exact: true }).click();
    await pressAnswer(page);
    await says(page, 'Nothing waits for you.');
    await eventually(
      async () =>
        (await served.call<{ assumptions: { status: string }[] }>('GET', '/assumptions')).assumptions.map(
          ({ status }) => status,
        ),
      ['rejected'],
    );
  });

  it('stands still while a person types [X-4/3]', async () => {
    const served = await aServer();
    const { page } = await aPerson(served);
    await says(page, 'Nothing waits for you.');
    const { id } = await served.ask({ ...COLOUR, fallback: { optionId: 'a' } });
    const timeLeft = async () => {
      const { expiresAt = '', typing } = (await served.stored(id)) ?? {};
      return Math.round((Date.parse(expiresAt) - Date.parse(typing?.at ?? '')) / 1000);
    };
    const field = page.locator('.question textarea');
    await field.pressSequentially('I ');
    await says(page, 'Paused while you type');
    await says(page, 'draft saved');
    const [before, shown] = [await timeLeft(), await textOf(page, '.deadline')];
    expect(shown).toMatch(/^Paused while you type, [45] min( \d+ s)? until the agent goes on with "Blue"$/);
    // Three seconds of typing take none off what is left.
    await field.pressSequentially('think it over ', { delay: 220 });
    await says(page, 'draft saved');
    expect(await timeLeft()).toBe(before);
    expect(await textOf(page, '.deadline')).toBe(shown);
  });
});

describe('a name', () => {
  const NAME = { questions: [{ id: 'q1', text: 'Which name?' }] };

  it('that is about to be changed does not take the focus from an answer', async () => {
    const served = await aServer();
    await served.ask(NAME);
    const { page } = await aPerson(served);
    const field = page.locator('.question textarea');
    await field.waitFor();
    await page.locator('button.who').click();
    await field.click();
    await page.keyboard.type('A hut by the lake');
    expect(await field.inputValue()).toBe('A hut by the lake');
  });

  it('that is changed in another tab takes a decision along, and nothing of it is left to the old one', async () => {
    const served = await aServer();
    const { id } = await served.ask(NAME);
    const page = await aPersonOutOfTime(served, 'Which name?');
    const other = await page.context().newPage();
    await other.goto(served.url);
    await says(other, 'Which name?');
    await page.locator('.question textarea').fill('Hut');
    await page.keyboard.press('Control+Enter');
    await says(page, 'Your answer is sent in five seconds');
    await other.locator('button.who').click();
    await other.getByRole('textbox', { name: 'Your name', exact: true }).fill('bob');
    await other.keyboard.press('Enter');
    await page.locator('button.who', { hasText: 'bob' }).waitFor();
    await page.clock.runFor(6_000);
    await eventually(async () => (await served.stored(id))?.answeredBy?.principal, 'bob');
    await says(page, 'Answered. The agent goes on.');
    const stored = () =>
      page.evaluate<readonly string[]>('Object.keys(localStorage).filter((key) => /unsent/.test(key))');
    await eventually(stored, []);
  });
});
