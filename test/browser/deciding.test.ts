import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Question } from '../../src/protocol/question.js';
import { aRepository, startAgentx } from '../scenarios/support/agentx.js';
import { storeOf } from '../scenarios/support/runs.js';
import { aPerson, aPersonOutOfTime, eventually, says, textOf } from './support/people.js';
import { type Served, serveRepository } from './support/server.js';

const aServer = async () => serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
const colourOf = (thing: string) => ({
  questions: [{ id: 'q1', text: `Which colour has the ${thing}?`, options: [{ label: 'Blue' }, { label: 'Green' }] }],
});
const WITH_FALLBACK = { ...colourOf('door'), fallback: { optionId: 'a', reasoning: 'There is paint.' } };

/** As if another process had written it. */
async function rewrite({ cwd }: Served, id: string, fields: Partial<Question>): Promise<void> {
  await storeOf(cwd).questions.update(id, (question) => ({ next: { ...question, ...fields }, result: undefined }));
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const outcomeOf = (served: Served, id: string) => async () => (await served.stored(id))?.outcome;

describe('a decision that is made before the time is over', () => {
  it('holds the clock at once, whatever it is', async () => {
    const served = await aServer();
    const { id, expiresAt = '' } = await served.ask(WITH_FALLBACK);
    const { page } = await aPerson(served);
    await says(page, 'Which colour has the door?');
    await page.keyboard.press('x');
    await eventually(
      async () => Date.parse((await served.stored(id))?.expiresAt ?? '') - Date.parse(expiresAt),
      30_000,
    );
    await eventually(outcomeOf(served, id), 'declined');
  });

  it.each([
    ['where the clock stands still for it', 'PUT', undefined],
    [
      'where the clock has stood still for as long as it may',
      'PATCH',
      { principal: 'ada', at: inSeconds(-60), heldMs: 900_000 },
    ],
  ])('wins against the fallback %s', async (_, method, typing) => {
    const served = await aServer();
    const { page } = await aPerson(served);
    await says(page, 'Nothing waits for you.');
    // What a busy machine brought to the server too late proves nothing.
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      const { id } = await served.ask(WITH_FALLBACK);
      await page.locator('.question legend').waitFor();
      const answered = page.waitForResponse((response) => response.request().method() === method);
      const expiresAt = inSeconds(4.5);
      await rewrite(served, id, { expiresAt, ...(typing && { typing }) });
      await page.keyboard.press('x');
      await answered;
      const isInTime = Date.now() < Date.parse(expiresAt);
      await eventually(async () => (await served.stored(id))?.status, 'resolved');
      const { outcome } = (await served.stored(id)) ?? {};
      if (isInTime) return expect(outcome).toBe('declined');
      await says(page, 'Nothing waits for you.');
    }
    throw new Error('the machine was too busy for any attempt');
  });

  it('is called too late where the server says so, and nothing else', async () => {
    const served = await aServer();
    const { page } = await aPerson(served);
    await says(page, 'Nothing waits for you.');
    const { id } = await served.ask(WITH_FALLBACK);
    await says(page, 'Which colour has the door?');
    await page.route(`**/notifications/${id}`, async (route) => {
      if (route.request().method() === 'PATCH') {
        await rewrite(served, id, { expiresAt: inSeconds(-1) });
        await eventually(outcomeOf(served, id), 'fallback_applied');
      }
      await route.continue();
    });
    await page.keyboard.press('b');
    await page.keyboard.press('Enter');
    await says(page, 'Too late: the agent had gone on with "Blue". Your answer is kept as a late one.');
    expect(await page.getByText('Answered. The agent goes on.').count()).toBe(0);
    expect(await served.stored(id)).toMatchObject({ lateResponses: [{ responses: [{ optionIds: ['b'] }] }] });
    await says(page, 'Keep it, or do it again?');
  });

  it('is what was decided, whatever is written elsewhere meanwhile', async () => {
    const served = await aServer();
    const { id } = await served.ask(colourOf('door'));
    const { page } = await aPerson(served);
    await says(page, 'Which colour has the door?');
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await says(page, 'Your answer is sent in five seconds');
    const responses = [{ questionId: 'q1', optionIds: ['b'] }];
    await served.call('PUT', `/notifications/${id}/draft`, { responses });
    await eventually(async () => (await served.stored(id))?.responses?.[0]?.optionIds, ['a']);
  });
});

async function threeQuestions(served: Served) {
  const questions = [];
  for (const thing of ['door', 'roof', 'wall']) questions.push(await served.ask(colourOf(thing)));
  return questions;
}

it('a decision is sent in time where the server does not say whether the clock stands still', async () => {
  const served = await aServer();
  const { id, expiresAt = '' } = await served.ask(WITH_FALLBACK);
  const page = await aPersonOutOfTime(served, 'Which colour has the door?');
  await page.route('**/draft', () => undefined);
  await page.clock.pauseAt(Date.parse(expiresAt) - 6_000);
  await page.keyboard.press('x');
  await page.locator('.outgoing').waitFor();
  await page.clock.runFor(4_500);
  await eventually(outcomeOf(served, id), 'declined');
});

describe('the last decisions', () => {
  it('are taken back one after the other, the latest first, each within its own five seconds', async () => {
    const served = await aServer();
    const [door, roof, wall] = await threeQuestions(served);
    const page = await aPersonOutOfTime(served, 'Which colour has the door?');
    const legend = () => textOf(page, 'legend');
    for (const next of ['roof', 'wall', undefined]) {
      await page.keyboard.press('a');
      await page.keyboard.press('Enter');
      if (next !== undefined) await eventually(legend, `Which colour has the ${next}?`);
      await page.clock.runFor(2_000);
    }
    // Six seconds after the first, four after the second, two after the third.
    await eventually(outcomeOf(served, door?.id ?? ''), 'answered');
    await eventually(() => page.locator('.outgoing').count(), 2);
    await page.keyboard.press('u');
    await eventually(legend, 'Which colour has the wall?');
    await page.keyboard.press('u');
    await eventually(legend, 'Which colour has the roof?');
    await eventually(() => page.locator('.outgoing').count(), 0);
    await page.clock.runFor(10_000);
    for (const { id } of [roof, wall].flatMap((question) => question ?? [])) {
      expect(await served.stored(id)).toMatchObject({ status: 'open', responses: [] });
    }
  });

  it.each([
    { width: 1280, height: 800 },
    { width: 400, height: 800 },
  ])('cover no button of the next question ($width px)', async (viewport) => {
    const served = await aServer();
    await threeQuestions(served);
    const page = await aPersonOutOfTime(served, 'Which colour has the door?', { viewport });
    for (const next of ['roof', 'wall']) {
      await page.keyboard.press('a');
      await page.keyboard.press('Enter');
      await eventually(() => textOf(page, 'legend'), `Which colour has the ${next}?`);
    }
    await eventually(() => page.locator('.outgoing').count(), 2);
    const isFree = 'one => { const { x, y, width, height } = one.getBoundingClientRect();'.concat(
      ' const top = document.elementFromPoint(x + width / 2, y + height / 2);',
      ' return top === null || one.contains(top) ? [] : one.innerText; }',
    );
    const covered = () => page.evaluate(`[...document.querySelectorAll('.question-foot button')].flatMap(${isFree})`);
    await eventually(covered, []);
    // What stays below the window on a small one comes with scrolling.
    await page.evaluate("document.querySelector('.question-foot').scrollIntoView({ block: 'end' })");
    await eventually(covered, []);
    // The last of them is still within the window.
    expect((await page.locator('.outgoing').first().boundingBox())?.y).toBeGreaterThan(0);
  });

  it('can be taken back in any order with their buttons', async () => {
    const served = await aServer();
    const [door, roof] = await threeQuestions(served);
    const page = await aPersonOutOfTime(served, 'Which colour has the door?');
    await page.keyboard.press('x');
    await page.keyboard.press('x');
    await page.locator('.outgoing', { hasText: 'door' }).getByRole('button', { name: 'Undo' }).click();
    await eventually(() => textOf(page, 'legend'), 'Which colour has the door?');
    await page.clock.runFor(5_000);
    await eventually(outcomeOf(served, roof?.id ?? ''), 'declined');
    expect(await served.stored(door?.id ?? '')).toMatchObject({ status: 'open' });
  });

  it('are ten: with the eleventh the first one goes', async () => {
    const served = await aServer();
    const questions: Question[] = [];
    for (let door = 1; door <= 11; door += 1) questions.push(await served.ask(colourOf(`door ${door}`)));
    const page = await aPersonOutOfTime(served, 'Which colour has the door 1?');
    for (const { id } of questions) {
      await page.keyboard.press('x');
      await page
        .locator('.outgoing')
        .nth(
          Math.min(
            9,
            questions.findIndex((one) => one.id === id),
          ),
        )
        .waitFor();
    }
    await eventually(outcomeOf(served, questions[0]?.id ?? ''), 'declined');
    await eventually(() => page.locator('.outgoing').count(), 10);
    for (let undone = 0; undone < 10; undone += 1) await page.keyboard.press('u');
    await eventually(() => page.locator('.outgoing').count(), 0);
    await page.clock.runFor(10_000);
    const stored = await Promise.all(questions.map(({ id }) => served.stored(id)));
    expect(stored.map((question) => question?.status)).toEqual(['resolved', ...Array(10).fill('open')]);
  });

  it('are sent once when the page is loaded anew meanwhile', async () => {
    const served = await aServer();
    const [door, roof] = await threeQuestions(served);
    const { page } = await aPerson(served);
    await says(page, 'Which colour has the door?');
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await page.keyboard.press('x');
    await says(page, 'Your refusal is sent in five seconds');
    await page.reload();
    // A decision sent on leaving may arrive before the list is read anew, or after it: then the question is still
    // listed, as ended.
    await says(page, '1 waiting for you');
    await eventually(() => page.locator('.outgoing').count(), 0);
    expect(await page.locator('.notice.problem').count()).toBe(0);
    expect(await served.stored(door?.id ?? '')).toMatchObject({ outcome: 'answered', revision: 2 });
    expect(await served.stored(roof?.id ?? '')).toMatchObject({ outcome: 'declined', revision: 2 });
  });

  it('show, once taken back, what happened meanwhile', async () => {
    const served = await aServer();
    const { id } = await served.ask(colourOf('door'));
    const page = await aPersonOutOfTime(served, 'Which colour has the door?');
    await page.keyboard.press('x');
    await says(page, 'Your refusal is sent in five seconds');
    const responses = [{ questionId: 'q1', optionIds: ['b'] }];
    await served.call('PATCH', `/notifications/${id}`, { revision: 1, responses });
    await page.keyboard.press('u');
    await says(page, 'Answered by ada on the page: Green.');
  });
});

describe('a key that is held', () => {
  const hold = async (page: Page, key: string) => {
    for (let repeat = 0; repeat < 8; repeat += 1) await page.keyboard.down(key);
    await page.keyboard.up(key);
  };

  it.each([
    ['Enter', 'with an option in focus', '.option input'],
    ['x', 'with nothing in focus', 'h1'],
    ['Enter', 'on the button that declines', 'button:has-text("Decline")'],
    ['Control+Enter', 'while writing', '.question textarea'],
  ])('(%s) decides one question, %s', async (key, _, focus) => {
    const served = await aServer();
    await threeQuestions(served);
    const page = await aPersonOutOfTime(served, 'Which colour has the door?');
    for (const move of ['j', 'j', 'k', 'k']) {
      await page.keyboard.press('a');
      await page.keyboard.press(move);
    }
    await page.locator(focus).first().focus();
    const [modifier, last] = key.split('+');
    if (last !== undefined) await page.keyboard.down(modifier ?? '');
    await hold(page, last ?? key);
    await page.locator('.outgoing').first().waitFor();
    await eventually(() => textOf(page, 'legend'), 'Which colour has the roof?');
    expect(await page.locator('.outgoing').count()).toBe(1);
  });

  it('takes back one decision', async () => {
    const served = await aServer();
    await threeQuestions(served);
    const page = await aPersonOutOfTime(served, 'Which colour has the door?');
    await page.keyboard.press('x');
    await page.keyboard.press('x');
    await eventually(() => page.locator('.outgoing').count(), 2);
    await hold(page, 'u');
    await eventually(() => page.locator('.outgoing').count(), 1);
  });
});

it('a decision that is taken back without a server shows how the question ended meanwhile', async () => {
  const served = await aServer();
  const { id } = await served.ask(colourOf('door'));
  const page = await aPersonOutOfTime(served, 'Which colour has the door?');
  await page.keyboard.press('b');
  await page.keyboard.press('Enter');
  await says(page, 'Your answer is sent in five seconds');
  const byCarol = { env: { USER: 'carol' } };
  const { status, stderr } = await startAgentx(served.cwd, ['inbox', 'answer', id, '--option', 'a'], byCarol);
  expect(status, stderr).toBe(0);
  // The page has heard of both in this order.
  await served.ask(colourOf('roof'));
  await page.getByRole('button', { name: '1 new' }).waitFor();
  await page.route('**/api/**', (route) => route.abort());
  await page.keyboard.press('u');
  await says(page, 'offline: what you write is kept');
  await page.unroute('**/api/**');
  await page.clock.resume();
  await says(page, 'Answered by carol in the terminal: Blue.');
});
