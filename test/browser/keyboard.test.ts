import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { aQuestion } from '../builders/question.js';
import { aRepository } from '../scenarios/support/agentx.js';
import { aPerson, eventually, says, textOf } from './support/people.js';
import { serveRepository } from './support/server.js';

const focused = (page: Page) => page.evaluate<string>('document.activeElement?.textContent ?? ""');

describe('with the keyboard alone', () => {
  it('a person moves, chooses, writes, answers and takes back', async () => {
    const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
    const colour = await served.ask({
      questions: [{ id: 'q1', text: 'Blue or green?', options: [{ label: 'Blue' }, { label: 'Green' }] }],
    });
    const name = await served.ask({ questions: [{ id: 'q1', text: 'Which name?' }] });
    const { page, complaints } = await aPerson(served);
    await says(page, 'Blue or green?');
    const { keyboard } = page;
    await page.clock.install();

    await keyboard.press('j');
    await eventually(() => textOf(page, 'legend'), 'Which name?');
    await keyboard.press('t');
    await keyboard.type('a hut, jk');
    await keyboard.press('Escape');
    await keyboard.press('k');
    await eventually(() => textOf(page, 'legend'), 'Blue or green?');
    // However slow the machine is, the next key is pressed within the five seconds.
    await page.clock.pauseAt(Date.now() + 1_000);
    await keyboard.press('b');
    await keyboard.press('Enter');
    await says(page, 'Your answer is sent in five seconds');
    await eventually(() => textOf(page, 'legend'), 'Which name?');
    await keyboard.press('u');
    await page.clock.resume();
    await eventually(() => textOf(page, 'legend'), 'Blue or green?');
    await eventually(() => page.getByRole('radio', { name: 'Green' }).isChecked(), true);
    await keyboard.press('Enter');
    await page.locator('.row', { hasText: 'Which name?' }).focus();
    await keyboard.press('Enter');
    await eventually(async () => (await served.stored(colour.id))?.responses?.[0]?.optionIds, ['b']);
    await eventually(async () => (await served.stored(name.id))?.responses?.[0]?.answer, 'a hut, jk');
    await says(page, 'Nothing waits for you.');
    expect(complaints).toEqual([]);
  });

  it('the tab key goes in the order of reading, and the focus stays when the list changes', async () => {
    const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
    await served.ask({
      questions: [{ id: 'q1', text: 'Blue or green?', options: [{ label: 'Blue' }, { label: 'Green' }] }],
    });
    await served.ask({ questions: [{ id: 'q1', text: 'Which name?' }] });
    const { page } = await aPerson(served);
    await says(page, 'Blue or green?');
    const stops: string[] = [];
    for (let step = 0; step < 15; step += 1) {
      await page.keyboard.press('Tab');
      stops.push(
        await page.evaluate<string>(
          '(document.activeElement.closest("label") ?? document.activeElement).innerText.split("\\n")[0]',
        ),
      );
    }
    const order = [/^Inbox/, /^Board/, /^Blue or/, /^a$/, /^Something else/, /^Answer/, /^Decline/, /^Dismiss/];
    const places = order.map((name) => stops.findIndex((text) => name.test(text)));
    expect(places, stops.join(' | ')).toEqual(places.toSorted((left, right) => left - right));
    expect(Math.min(...places), stops.join(' | ')).toBeGreaterThanOrEqual(0);
    expect(stops[0]).toBe('Skip to the content');
    // The list is one stop, at the question that is shown.
    expect(stops.filter((text) => /^Which/.test(text))).toEqual([]);

    await page.locator('.row').first().focus();
    await page.keyboard.press('j');
    await eventually(() => focused(page), expect.stringContaining('Which name?'));
    await served.ask({ questions: [{ id: 'q1', text: 'Which door?' }] });
    await page.getByRole('button', { name: '1 new' }).waitFor();
    await page.keyboard.press('n');
    await eventually(() => page.locator('.row').count(), 3);
    await eventually(() => focused(page), expect.stringContaining('Which name?'));
    await page.keyboard.press('?');
    await says(page, 'undo within five seconds');
    await page.keyboard.press('Escape');
    await page.keyboard.press('k');
    await eventually(() => focused(page), expect.stringContaining('Blue or green?'));
  });
});

it('a key that leads to a field writes nothing there, however long it is held', async () => {
  const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
  await served.ask({ questions: [{ id: 'q1', text: 'Which name?' }] });
  const { page } = await aPerson(served);
  await says(page, 'Which name?');
  // Playwright repeats a key that is pressed again before it is released.
  for (let times = 0; times < 3; times += 1) await page.keyboard.down('t');
  await page.keyboard.up('t');
  await page.keyboard.type('tt, a hut');
  expect(await page.locator('.question textarea').inputValue()).toBe('tt, a hut');
  await page.keyboard.press('Escape');
  await page.keyboard.down('/');
  await eventually(() => page.locator('input[type=search]:focus').count(), 1);
  await page.keyboard.down('/');
  await page.keyboard.up('/');
  await page.keyboard.type('/x');
  expect(await page.locator('input[type=search]').inputValue()).toBe('/x');
});

describe('the list', () => {
  async function threeQuestions() {
    const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
    for (const text of ['First?', 'Second?', 'Third?']) {
      await served.ask({ questions: [{ id: 'q1', text, options: [{ label: 'Yes' }, { label: 'No' }] }] });
    }
    const person = await aPerson(served);
    await eventually(() => textOf(person.page, 'legend'), 'First?');
    return person;
  }

  it('is one stop of the tab key, with arrow keys inside', async () => {
    const { page } = await threeQuestions();
    await eventually(() => page.locator('.row[tabindex="0"]').count(), 1);
    await page.locator('.row[tabindex="0"]').focus();
    for (const [key, text] of [
      ['ArrowDown', 'Second?'],
      ['ArrowDown', 'Third?'],
      ['ArrowDown', 'Third?'],
      ['Home', 'First?'],
      ['End', 'Third?'],
      ['ArrowUp', 'Second?'],
      ['PageDown', 'Third?'],
    ] as const) {
      await page.keyboard.press(key);
      await eventually(() => textOf(page, 'legend'), text);
      await eventually(() => focused(page), expect.stringContaining(text));
      expect(await page.locator('.row[tabindex="0"]').count()).toBe(1);
    }
    await page.keyboard.press('Tab');
    await eventually(() => page.evaluate<string>('document.activeElement.type'), 'radio');
    await page.keyboard.press('Shift+Tab');
    await eventually(() => focused(page), expect.stringContaining('Third?'));
  });

  it('is skipped by the first stop, which leaves the address alone', async () => {
    const { page } = await threeQuestions();
    const before = page.url();
    await page.keyboard.press('Tab');
    await eventually(() => focused(page), 'Skip to the content');
    const isSeen = "getComputedStyle(document.querySelector('.skip')).clipPath";
    await eventually(() => page.evaluate<string>(isSeen), 'none');
    await page.keyboard.press('Enter');
    await eventually(() => page.evaluate<string>('document.activeElement.id'), 'asked');
    await page.keyboard.press('Tab');
    await eventually(() => page.evaluate<string>('document.activeElement.type'), 'radio');
    expect(page.url()).toBe(before);
    await page.keyboard.press('3');
    await says(page, 'What agents ask each other');
  });

  it.each([
    ['the name of the view', 'nav .tab[aria-current]'],
    ['an option', '.option'],
    ['the text of the question', 'legend'],
    ['a row', '.row[aria-current]'],
    ['why it is asked', '.why'],
    ['the bar', '.connection'],
  ])('Enter answers after a click on %s', async (_, selector) => {
    const { page } = await threeQuestions();
    await page.keyboard.press('b');
    await page.locator(selector).first().click();
    await page.keyboard.press('b');
    await page.keyboard.press('Enter');
    await says(page, 'Your answer is sent in five seconds');
    await eventually(() => textOf(page, 'legend'), 'Second?');
  });

  it('Enter answers after another view and back, and after the keys were shown', async () => {
    const { page } = await threeQuestions();
    await page.locator('nav .tab', { hasText: 'Board' }).click();
    await page.locator('nav .tab', { hasText: 'Inbox' }).click();
    await page.locator('.keys').click();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await says(page, 'Your answer is sent in five seconds');
    // Enter on a link that was reached with the keyboard follows it.
    await page.locator('nav .tab', { hasText: 'Board' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await says(page, 'What agents ask each other');
  });
});

async function aRepositoryWith(count: number): Promise<string> {
  const cwd = await aRepository({ issues: [{ title: 'Paint the shed' }] });
  const folder = join(cwd, '.agentx/state/questions');
  mkdirSync(folder, { recursive: true });
  for (let number = 0; number < count; number += 1) {
    const id = `oq-${String(number).padStart(8, '0')}`;
    const createdAt = new Date(Date.UTC(2026, 0, 1) + number * 1_000).toISOString();
    const question = aQuestion({ id, createdAt, questions: [{ id: 'q1', text: `Question number ${number}` }] });
    writeFileSync(join(folder, `${id}.json`), JSON.stringify(question));
  }
  return cwd;
}

describe('a thousand questions', () => {
  it('are listed with few rows in the document, and scroll and move to the end', async () => {
    const served = await serveRepository(await aRepositoryWith(1_000));
    const { page } = await aPerson(served);
    await says(page, '1000 waiting for you');
    await page.locator('.row').first().focus();
    for (let step = 0; step < 40; step += 1) await page.keyboard.press('j');
    await eventually(() => textOf(page, 'legend'), 'Question number 40');
    await eventually(() => focused(page), expect.stringContaining('Question number 40'));
    await page.keyboard.press('End');
    await eventually(() => textOf(page, 'legend'), 'Question number 999');
    await page.keyboard.press('Home');
    await page.evaluate('document.querySelector(".list").scrollTop = 1e9');
    await page.getByText('Question number 999').click();
    await eventually(() => textOf(page, 'legend'), 'Question number 999');
    expect(await page.locator('.row').count()).toBeLessThan(60);
  });

  it('are all listed, as what they are, when the reading broke off in the middle', async () => {
    const served = await serveRepository(await aRepositoryWith(1_000));
    const { page } = await aPerson(served, { address: 'about:blank' });
    let pages = 0;
    await page.route('**/notifications?*cursor=*', (route) => {
      pages += 1;
      return pages === 2 ? route.abort() : route.continue();
    });
    await page.goto(served.link);
    await eventually(() => page.locator('.list li').first().getAttribute('aria-setsize'), '1000');
    await says(page, '1000 waiting for you');
    expect(await page.title()).toBe('(1000) Question number 0 - AgentX');
    expect(await page.locator('button.new').count()).toBe(0);
  });

  it('are shown and can be answered when the first page is there, whatever becomes of the others', async () => {
    const served = await serveRepository(await aRepositoryWith(1_000));
    const { page } = await aPerson(served, { address: 'about:blank' });
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route('**/notifications?*cursor=*', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(served.link);
    await says(page, '1000 waiting for you');
    expect(await page.title()).toBe('(1000) Question number 0 - AgentX');
    await page.locator('textarea').fill('Yes.');
    await page.keyboard.press('Control+Enter');
    await eventually(() => textOf(page, 'legend'), 'Question number 1');
    await eventually(async () => (await served.stored('oq-00000000'))?.status, 'resolved');
    release();
    await says(page, '999 waiting for you');
    await eventually(() => page.locator('.list li').first().getAttribute('aria-setsize'), '999');
    await page.locator('.row[aria-current]').focus();
    await page.keyboard.press('End');
    await eventually(() => textOf(page, 'legend'), 'Question number 999');
    await page.keyboard.press('Home');
    await eventually(() => textOf(page, 'legend'), 'Question number 1');
  });
});

describe('in a field', () => {
  it('keys of an input method and keys held down belong to the text', async () => {
    const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
    await served.ask({ questions: [{ id: 'q1', text: 'Which name?' }] });
    const { page } = await aPerson(served);
    await page.locator('.question textarea').click();
    await page.evaluate(`document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', isComposing: true, bubbles: true }))`);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');

    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    const search = page.getByRole('searchbox', { name: 'Search what was remembered' });
    await search.click();
    for (const _ of [1, 2, 3]) await page.keyboard.down('a');
    await page.keyboard.up('a');
    expect(await search.inputValue()).toBe('aaa');
  });
});
