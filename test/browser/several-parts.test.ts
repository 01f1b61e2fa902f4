import { expect, it } from 'vitest';
import { agentx, aRepository } from '../scenarios/support/agentx.js';
import { letTimeRunOut } from '../scenarios/support/runs.js';
import { aPerson, eventually, pressAnswer, says, textOf } from './support/people.js';
import { type Served, serveRepository } from './support/server.js';

const ASKED = {
  questions: [
    { id: 'q1', text: 'Which region?' },
    { id: 'q2', text: 'Which currency?' },
  ],
  fallback: { text: 'EUR', reasoning: 'The books are in it.' },
};

async function twoParts(): Promise<{ readonly served: Served; readonly id: string }> {
  const served = await serveRepository(await aRepository({ issues: [{ title: 'Open a shop' }] }));
  return { served, id: (await served.ask(ASKED)).id };
}

function carolSays({ cwd }: Served, id: string, part: string, text: string): void {
  const { status, stderr } = agentx(cwd, ['inbox', 'answer', id, '--question', part, '-m', text], {
    env: { USER: 'carol' },
  });
  expect(status, stderr).toBe(0);
}

it('the parts of a question say who answered each of them, and where [X-7/2]', async () => {
  const { served, id } = await twoParts();
  const ada = await aPerson(served);
  const bob = await aPerson(served, { name: 'bob' });
  await says(bob.page, 'Which currency?');
  carolSays(served, id, 'q1', 'Europe');
  const answers = () => bob.page.locator('.said').allTextContents();
  await eventually(answers, ['Answered by carol in the terminal: Europe']);
  await says(ada.page, 'Answered by carol in the terminal');
  await ada.page.getByRole('group', { name: 'Which currency?' }).getByRole('textbox').fill('CHF');
  await pressAnswer(ada.page);
  await says(ada.page, 'Answered. The agent goes on.');
  await eventually(answers, ['Answered by carol in the terminal: Europe', 'Answered by ada on the page: CHF']);
  await says(bob.page, 'Answered by ada on the page: Europe (by carol in the terminal); CHF.');
});

it('an answer to one part is ours although another person ended the question before we heard of it [X-5/2]', async () => {
  const { served, id } = await twoParts();
  const { page } = await aPerson(served);
  let isLost = true;
  await page.route(`**/notifications/${id}`, async (route) => {
    if (route.request().method() !== 'PATCH' || !isLost) return route.continue();
    isLost = false;
    await route.fetch();
    carolSays(served, id, 'q2', 'CHF');
    await route.abort('connectionreset');
  });
  await page.getByRole('group', { name: 'Which region?' }).getByRole('textbox').fill('Europe');
  await pressAnswer(page);
  await says(page, 'Answered. The agent goes on.');
  expect(await page.getByText('It ended otherwise').count()).toBe(0);
  expect(await served.stored(id)).toMatchObject({
    outcome: 'answered',
    responses: [{ answer: 'Europe', answeredBy: { principal: 'ada', channel: 'web' } }, { answer: 'CHF' }],
    answeredBy: { principal: 'carol', channel: 'cli' },
  });
});

it('what a human answered in time is no fallback, and takes no late answer [X-3/1]', async () => {
  const { served, id } = await twoParts();
  const { page } = await aPerson(served);
  await says(page, 'Which currency?');
  expect(await textOf(page, '.deadline')).toMatch(/goes on with "EUR"$/);
  carolSays(served, id, 'q1', 'Europe');
  await letTimeRunOut(served.cwd, id);
  await says(
    page,
    'Answered: Europe (by carol in the terminal). Nobody answered the rest in time. The agent went on with: EUR.',
  );
  const answers = () => page.locator('.said').allTextContents();
  await eventually(answers, ['Answered by carol in the terminal: Europe', 'Fallback taken: EUR']);
  const field = (name: string) => page.getByRole('group', { name }).getByRole('textbox');
  expect(await field('Which region?').isDisabled()).toBe(true);
  await field('Which currency?').fill('CHF');
  await page.getByRole('button', { name: 'Send as a late answer' }).click();
  await says(page, 'Your late answer is kept.');
});

it('keeps what a person wrote to a part that another person answered, when the rest is answered', async () => {
  const { served, id } = await twoParts();
  const { page } = await aPerson(served);
  const field = (name: string) => page.getByRole('group', { name }).getByRole('textbox');
  await field('Which region?').fill('Norway and Iceland');
  await field('Which currency?').fill('NOK');
  carolSays(served, id, 'q1', 'Europe');
  await says(page, 'Answered by carol in the terminal');
  await pressAnswer(page);
  await says(page, 'Answered. The agent goes on.');
  await says(page, 'What you wrote is still here.');
  expect(await field('Which region?').inputValue()).toBe('Norway and Iceland');
  await page.getByRole('button', { name: 'Add as a late answer to #1' }).click();
  await says(page, 'Added to the conversation of the issue.');
  const { tasks } = await served.call<{ tasks: readonly { comments: readonly { body: string }[] }[] }>('GET', '/tasks');
  const said = tasks.flatMap(({ comments }) => comments.map(({ body }) => body));
  expect(said).toContain('On "Which region?", after it was answered: Norway and Iceland');
});

it('asks to confirm what is sent, and nothing that another person has answered', async () => {
  const served = await serveRepository(await aRepository({ issues: [{ title: 'Open a shop' }] }));
  const { fallback: _, ...asked } = ASKED;
  const { id } = await served.ask({ ...asked, consequence: 'irreversible' });
  const { page } = await aPerson(served);
  const field = (name: string) => page.getByRole('group', { name }).getByRole('textbox');
  await field('Which region?').fill('Norway');
  await field('Which currency?').fill('NOK');
  carolSays(served, id, 'q1', 'Europe');
  await says(page, 'Answered by carol in the terminal');
  await page.getByRole('button', { name: 'Answer for good' }).click();
  await says(page, 'This cannot be undone. Your answer: NOK');
});
