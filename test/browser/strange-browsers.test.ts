import { describe, expect, it } from 'vitest';
import { aRepository } from '../scenarios/support/agentx.js';
import { aPerson, eventually, pressAnswer, says, textOf } from './support/people.js';
import { serveRepository } from './support/server.js';

const QUESTION = {
  questions: [{ id: 'q1', text: 'Which colour has the door?', options: [{ label: 'Blue' }, { label: 'Green' }] }],
  fallback: { optionId: 'a', reasoning: 'There is paint.' },
};
const HOUR_MS = 3_600_000;

/** Before the page loads; by so many milliseconds, or by what a script says. */
const CLOCK_OFF_BY = (milliseconds: number | string) => `{
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...given) { given.length > 0 ? super(...given) : super(Date.now()); }
    static now() { return RealDate.now() + ${milliseconds}; }
  };
}`;
const NO_STORAGE = `for (const name of ['localStorage', 'sessionStorage']) {
  Object.defineProperty(globalThis, name, { get() { throw new DOMException('denied', 'SecurityError'); } });
}`;

async function aVisit(script: string) {
  const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
  const { id } = await served.ask(QUESTION);
  const { page, complaints } = await aPerson(served, { address: 'about:blank', isNewcomer: true });
  await page.addInitScript(script);
  await page.goto(served.link);
  await says(page, 'Which colour has the door?');
  return { served, id, page, complaints };
}

describe('a browser', () => {
  it.each([
    ['ahead', 3 * HOUR_MS],
    ['behind', -3 * HOUR_MS],
  ])('whose clock is %s shows the time that is left, and lets a decision be undone', async (_, offset) => {
    const { served, id, page } = await aVisit(CLOCK_OFF_BY(offset));
    expect(await textOf(page, '.deadline')).toMatch(/[1-5] min/);
    await page.keyboard.press('b');
    await pressAnswer(page);
    await page.getByRole('button', { name: /^Undo/ }).click();
    await says(page, 'Which colour has the door?');
    await eventually(async () => (await served.stored(id))?.status, 'open');
  });

  it('whose clock is set while the page is open goes on showing the time that is left', async () => {
    const { page } = await aVisit(CLOCK_OFF_BY('(globalThis.setBy ?? 0)'));
    expect(await textOf(page, '.deadline')).toMatch(/^[1-5] min/);
    await page.evaluate(`globalThis.setBy = ${3 * HOUR_MS}`);
    await says(page, 'Now: the agent goes on');
    await says(page, /^[1-5] min.* until the agent goes on/);
  });

  it('that keeps nothing shows the inbox all the same, and sends what is decided', async () => {
    const { served, id, page, complaints } = await aVisit(NO_STORAGE);
    await page.getByRole('button', { name: 'Understood' }).click();
    await page.keyboard.press('b');
    await pressAnswer(page);
    await eventually(async () => (await served.stored(id))?.responses?.[0]?.optionIds, ['b']);
    expect(complaints).toEqual([]);
  });
});
