import { describe, expect, it } from 'vitest';
import { aRepository } from '../scenarios/support/agentx.js';
import { aPerson, aPersonOutOfTime, eventually, pressAnswer, says, textOf } from './support/people.js';
import { type Served, serveRepository } from './support/server.js';

const TWO_PARTS = {
  questions: [
    { id: 'q1', text: 'Which name?', options: [{ label: 'Shed' }, { label: 'Hut' }] },
    { id: 'q2', text: 'Why?' },
  ],
};

const aServer = async () => serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
const keptDrafts = (served: Served, id: string) => async () =>
  ((await served.stored(id))?.drafts ?? []).map(({ principal, responses }) => ({ principal, responses }));

describe('a draft', () => {
  it('is on the server while the person still types, and back after a reload and in another browser [X-4/1]', async () => {
    const served = await aServer();
    const { id } = await served.ask(TWO_PARTS);
    const { page } = await aPerson(served);
    await page.getByRole('radio', { name: 'Hut' }).click();
    const reason = page.getByRole('group', { name: 'Why?' }).getByRole('textbox');
    await reason.pressSequentially('It is short');
    await page.reload();
    await eventually(keptDrafts(served, id), [
      {
        principal: 'ada',
        responses: [
          { questionId: 'q1', optionIds: ['b'] },
          { questionId: 'q2', answer: 'It is short' },
        ],
      },
    ]);
    await eventually(() => reason.inputValue(), 'It is short');
    await eventually(() => page.getByRole('radio', { name: 'Hut' }).isChecked(), true);
    const other = await aPerson(served);
    const there = other.page.getByRole('group', { name: 'Why?' }).getByRole('textbox');
    await eventually(() => there.inputValue(), 'It is short');

    await there.fill('It is short and old');
    await eventually(() => reason.inputValue(), 'It is short and old');
  });

  it('of some parts can be sent now and the others later [X-4/2]', async () => {
    const served = await aServer();
    const { id } = await served.ask(TWO_PARTS);
    const { page } = await aPerson(served);
    await page.getByRole('radio', { name: 'Shed' }).click();
    await pressAnswer(page);
    await says(page, 'Saved. 1 more to answer here.');
    await eventually(() => textOf(page, '.said'), 'Answered by ada on the page: Shed');
    await page.getByRole('group', { name: 'Why?' }).getByRole('textbox').fill('Custom');
    await pressAnswer(page);
    await says(page, 'Answered. The agent goes on.');
    expect(await served.stored(id)).toMatchObject({
      outcome: 'answered',
      responses: [{ answer: 'Shed' }, { answer: 'Custom' }],
    });
  });
});

describe('a decision', () => {
  it('is not sent when it is taken back within five seconds', async () => {
    const served = await aServer();
    const { id } = await served.ask(TWO_PARTS);
    const page = await aPersonOutOfTime(served, 'Which name?');
    await page.keyboard.press('x');
    await says(page, 'Your refusal is sent in five seconds');
    await page.clock.runFor(4_900);
    expect(await served.stored(id)).toMatchObject({ status: 'open' });
    await page.keyboard.press('u');
    await eventually(() => page.locator('.outgoing').count(), 0);
    await page.clock.runFor(10_000);
    expect(await served.stored(id)).toMatchObject({ status: 'open', revision: 1 });
  });

  it('is sent at once when the person leaves the page', async () => {
    const served = await aServer();
    const { id } = await served.ask({ questions: [{ id: 'q1', text: 'Which name?' }] });
    const { page } = await aPerson(served);
    await page.locator('.question textarea').fill('Hut');
    await pressAnswer(page);
    await says(page, 'Your answer is sent in five seconds');
    await page.goto('about:blank');
    await eventually(async () => (await served.stored(id))?.responses, [{ questionId: 'q1', answer: 'Hut' }]);
  });
});
