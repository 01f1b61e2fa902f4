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

    await keyboard.press('j');
    await eventually(() => textOf(page, 'legend'), 'Which name?');
    await keyboard.press('t');
    await keyboard.type('a hut, jk');
    await keyboard.press('Escape');
    await keyboard.press('k');
    await eventually(() => textOf(page, 'legend'), 'Blue or green?');
    await keyboard.press('b');
    await keyboard.press('Enter');
    await says(page, 'Your answer is sent in five seconds');
    await eventually(() => textOf(page, 'legend'), 'Which name?');
    await keyboard.press('u');
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
    const seen: string[] = [];
    for (let step = 0; step < 15; step += 1) {
      await page.keyboard.press('Tab');
      seen.push(
        await page.evaluate<string>(
          '(document.activeElement.closest("label") ?? document.activeElement).innerText.split("\\n")[0]',
        ),
      );
    }
    const order = [
      /^Inbox/,
      /^Board/,
      /^Blue or/,
      /^Which/,
      /^a$/,
      /^Something else/,
      /^Answer/,
      /^Decline/,
      /^Dismiss/,
    ];
    const places = order.map((name) => seen.findIndex((text) => name.test(text)));
    expect(places, seen.join(' | ')).toEqual(places.toSorted((left, right) => left - right));
    expect(Math.min(...places), seen.join(' | ')).toBeGreaterThanOrEqual(0);

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

describe('a thousand questions', () => {
  it('are listed with few rows in the document, and scroll and move to the end', async () => {
    const cwd = await aRepository({ issues: [{ title: 'Paint the shed' }] });
    const folder = join(cwd, '.agentx/state/questions');
    mkdirSync(folder, { recursive: true });
    for (let number = 0; number < 1_000; number += 1) {
      const id = `oq-${String(number).padStart(8, '0')}`;
      const createdAt = new Date(Date.UTC(2026, 0, 1) + number * 1_000).toISOString();
      const question = aQuestion({ id, createdAt, questions: [{ id: 'q1', text: `Question number ${number}` }] });
      writeFileSync(join(folder, `${id}.json`), JSON.stringify(question));
    }
    const served = await serveRepository(cwd);
    const { page } = await aPerson(served);
    await says(page, '1000 waiting for you');
    await page.locator('.row').first().focus();
    for (let step = 0; step < 40; step += 1) await page.keyboard.press('j');
    await eventually(() => textOf(page, 'legend'), 'Question number 40');
    await eventually(() => focused(page), expect.stringContaining('Question number 40'));
    await page.evaluate('document.querySelector(".list").scrollTop = 1e9');
    await page.getByText('Question number 999').click();
    await eventually(() => textOf(page, 'legend'), 'Question number 999');
    expect(await page.locator('.row').count()).toBeLessThan(60);
  });
});
