import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { writeSampleProject } from '../../scripts/sample-project.mjs';
import { VIEWS, type View } from '../../src/protocol/page-address.js';
import { aClarification } from '../builders/clarification.js';
import { agentx, aRepository, untilLocksAreFree } from '../scenarios/support/agentx.js';
import { storeOf } from '../scenarios/support/runs.js';
import { aPerson, eventually, says, textOf } from './support/people.js';
import { type Served, serveRepository } from './support/server.js';
import { violations } from './support/violations.js';

async function aSampleServer(): Promise<Served> {
  const cwd = await aRepository();
  writeSampleProject(join(cwd, '.agentx'), { projectId: 'shop' });
  return serveRepository(cwd);
}

async function show(page: Page, view: View): Promise<void> {
  await page.locator('nav .tab').nth(VIEWS.indexOf(view)).click();
  await page.locator(view === 'inbox' ? '.question' : '.view').waitFor();
}

describe('every view', () => {
  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ] as const)('is accessible and fits, %s at %i px', async (colorScheme, width) => {
    const served = await aSampleServer();
    const { page, complaints, foreign } = await aPerson(served, { colorScheme, viewport: { width, height: 740 } });
    await says(page, 'How long are audit logs kept?');
    const problems: string[] = [];
    for (const view of VIEWS) {
      await show(page, view);
      if (view === 'asks') await page.locator('.ask .line', { hasText: 'Retention of audit logs' }).click();
      if (view === 'assumptions') await page.getByRole('button', { name: /^Reject/ }).click();
      problems.push(...(await violations(page)).map((text) => `${view}: ${text}`));
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (overflow > 0) problems.push(`${view} is ${overflow} px too wide`);
    }
    await show(page, 'inbox');
    await page.locator('.row', { hasText: '3 questions' }).click();
    problems.push(...(await violations(page)));
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await page.keyboard.press('?');
    await says(page, 'undo within five seconds');
    problems.push(...(await violations(page)));
    expect(problems).toEqual([]);
    expect(complaints).toEqual([]);
    expect(foreign).toEqual([]);
  });

  it.each([
    [720, 450],
    [960, 540],
  ])('has room for the question in a window that is zoomed to %i by %i px', async (width, height) => {
    const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
    const options = [{ label: 'Blue' }, { label: 'Green' }];
    const fallback = { optionId: 'a', reasoning: 'There is paint, and it is blue. '.repeat(20) };
    await served.ask({ questions: [{ id: 'q1', text: 'Which colour has the door?', options }], fallback });
    const { page } = await aPerson(served, { viewport: { width, height } });
    const legend = page.locator('legend');
    await legend.evaluate((element) => element.scrollIntoView({ block: 'start' }));
    const areOnTop = await Promise.all(
      [legend, page.locator('.option').first(), page.locator('.option').last()].map((part) =>
        part.evaluate((element) => {
          const { left, top, height } = element.getBoundingClientRect();
          return element.contains(element.ownerDocument.elementFromPoint(left + 20, top + height / 2));
        }),
      ),
    );
    expect(areOnTop).toEqual([true, true, true]);
    expect(await violations(page)).toEqual([]);
  });

  it('shows which view is open where the colours are those of the reader', async () => {
    const { page } = await aPerson(await aSampleServer(), { forcedColors: 'active' });
    await says(page, 'How long are audit logs kept?');
    const outlined = () =>
      page.locator('nav .tab').evaluateAll((tabs) =>
        tabs
          .filter((tab) => tab.matches(':not(:focus)'))
          .map((tab) => {
            const { outlineStyle } = tab.ownerDocument.defaultView?.getComputedStyle(tab) ?? {};
            return outlineStyle === 'solid' ? tab.textContent : '';
          }),
      );
    await page.keyboard.press('2');
    await says(page, 'Who waits for whom');
    expect((await outlined()).filter((name) => name !== '')).toEqual(['Board']);
  });

  it('is printed whole, without what can be pressed', async () => {
    const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
    const label = (number: number): string => `Colour ${number}, ${'as light as it gets '.repeat(40)}`;
    const options = Array.from({ length: 12 }, (_, number) => ({ label: label(number) }));
    await served.ask({ questions: [{ id: 'q1', text: 'Which colour has the door?', options }] });
    const { page } = await aPerson(served, { viewport: { width: 1000, height: 700 } });
    await says(page, 'Colour 11');
    await page.emulateMedia({ media: 'print' });
    const last = await page.locator('.option').last().boundingBox();
    expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeGreaterThan((last?.y ?? 0) + 100);
    expect(last?.y).toBeGreaterThan(700);
    expect(await page.locator('.question-foot, .top, .left').filter({ visible: true }).count()).toBe(0);
  });

  it('shows what it is for: threads, work that depends, the circle, the levels, targets [OQ-7/10] [X-11/4]', async () => {
    const served = await aSampleServer();
    const { page } = await aPerson(served, { isNewcomer: true });
    await says(page, 'Agents ask here what they cannot decide themselves.');
    await page.getByRole('button', { name: 'Understood' }).click();
    await eventually(
      () => page.locator('.row .row-title').allInnerTexts(),
      [
        'Retention of audit logs',
        'Should old order numbers, with the prefix A-, be found as well?',
        expect.stringContaining('3 questions'),
        expect.stringContaining('May a dependency be added'),
        'Late answer: Adyen, there is a contract',
      ],
    );
    await eventually(
      () => textOf(page, '.option'),
      'a 30 days recommended What the storage budget allows today. for cheapest for can be extended later against compliance may ask for more',
    );
    await eventually(
      () => textOf(page, '.positions'),
      'engineer 30 days is what the budget pays for. architect Compliance wants a year.',
    );
    await page.locator('.row', { hasText: 'Late answer: Adyen' }).click();
    await eventually(() => textOf(page, '.why'), expect.stringContaining('src/payments/stripe.ts'));
    await show(page, 'board');
    await says(page, 'The red ones wait in a circle');
    await eventually(() => page.locator('.graph .edge.cycle').count(), 3);
    await eventually(() => page.locator('.graph .edge').count(), 4);
    await eventually(
      () => textOf(page, '.autonomy'),
      'Scope changes wait for your approval Architecture decisions wait for your approval Dependencies go ahead',
    );
    await show(page, 'asks');
    await page.getByRole('combobox', { name: 'Agent' }).selectOption('tester');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('all');
    await page.getByRole('combobox', { name: 'Asked' }).selectOption('last hour');
    await eventually(() => page.locator('.ask .line strong').allInnerTexts(), ['Which themes are tested']);
    await show(page, 'digest');
    await page.locator('.figure .spark').nth(5).waitFor();
    for (const figure of ['Answers changing the plan', 'Asked, not found later', 'Assumptions rejected']) {
      await eventually(() => textOf(page, `.figure:has-text("${figure}")`), expect.stringMatching(/[<>] \d\d %/));
    }
    await show(page, 'assumptions');
    await page.getByRole('button', { name: /^Reject/ }).click();
    await page.getByRole('textbox', { name: 'What should have been decided?' }).fill('Adyen');
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await says(page, 'Instead: Adyen');
    expect(agentx(served.cwd, ['assumptions', '--json']).stdout).toContain('"rejection": "Adyen"');
  });
});

describe('what agents write', () => {
  it.each([320, 400, 1280])('fits, however long its words are, at %i px', async (width) => {
    const word = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamten'.repeat(2);
    const cwd = await aRepository({ issues: [{ title: word }, { title: 'Paint the shed' }] });
    const times = { staleAfter: '2999-01-01T00:00:00.000Z' };
    const clarification = aClarification({ id: 'CLR-2-001', topic: word, blocking: false, ...times });
    await storeOf(cwd).ledgers.update(2, (ledger) => ({
      next: { ...ledger, clarifications: [clarification] },
      result: undefined,
    }));
    await untilLocksAreFree();
    const served = await serveRepository(cwd);
    const option = { label: word, description: word, pros: [word], cons: [word] };
    const fallback = { optionId: 'a', reasoning: word, risk: 'low' };
    await served.ask({ questions: [{ id: 'q1', text: `${word}?`, options: [option, { label: 'Blue' }] }], fallback });
    const { page } = await aPerson(served, { viewport: { width, height: 800 } });
    await says(page, '1 waiting for you');
    const tooWide = () =>
      page.evaluate<readonly string[]>(`[...document.querySelectorAll('body *')]
        .filter((one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).display !== 'inline')
        .filter((one) => getComputedStyle(one).overflowX === 'visible' || one.matches('main, .question-body'))
        .map((one) => one.tagName + ' ' + one.className)`);
    await eventually(() => textOf(page, 'h2'), expect.stringContaining(word));
    expect(await tooWide()).toEqual([]);
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await page.locator('.outgoing').waitFor();
    expect(await tooWide()).toEqual([]);
    await show(page, 'board');
    await page.getByRole('link', { name: /^waits for you/ }).waitFor();
    expect(await tooWide()).toEqual([]);
    await show(page, 'asks');
    await page.locator('.ask .line').click();
    await page.locator('.thread').waitFor();
    expect(await tooWide()).toEqual([]);
  });

  it('leaves room for the question, however long the title of its issue is', async () => {
    const cwd = await aRepository({ issues: [{ title: 'Paint the shed' }] });
    const title = 'Paint the shed and the boat '.repeat(180);
    await storeOf(cwd).issues.update(1, (issue) => ({ next: { ...issue, title }, result: undefined }));
    await untilLocksAreFree();
    const served = await serveRepository(cwd);
    await served.ask({ questions: [{ id: 'q1', text: 'Which colour has the door?' }] });
    const { page } = await aPerson(served, { viewport: { width: 1280, height: 740 } });
    const heightOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.height;
    await eventually(() => textOf(page, 'h2'), expect.stringContaining('Paint the shed and'));
    expect(await heightOf('h2')).toBeLessThan(100);
    await show(page, 'board');
    expect(await heightOf('.card')).toBeLessThan(400);
  });

  it('names in the list what is asked, on two lines', async () => {
    const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
    const text = 'Should the door of the shed be painted before the winter comes?';
    await served.ask({ questions: [{ id: 'q1', text }] });
    const { page } = await aPerson(served);
    await says(page, text);
    const isCut = () =>
      page
        .locator('.row-title')
        .evaluate((line) => line.scrollWidth > line.clientWidth || line.scrollHeight > line.clientHeight);
    expect(await isCut()).toBe(false);
  });

  it('can be read above its buttons on a small phone, and is called in the list what the terminal calls it', async () => {
    const cwd = await aRepository({ issues: [{ title: 'Paint the shed' }] });
    const served = await serveRepository(cwd);
    const text = 'Drop the old orders?\n```sql\nDROP TABLE orders;\n```';
    const { id } = await served.ask({ consequence: 'irreversible', questions: [{ text, options: ['Yes', 'No'] }] });
    const { page } = await aPerson(served, { viewport: { width: 320, height: 640 } });
    await says(page, 'DROP TABLE orders;');
    expect(await textOf(page, '.row-title')).toBe('Drop the old orders?');
    expect(agentx(cwd, ['inbox']).stdout).toContain(`${id}  #1  engineer asks  Drop the old orders?  waits`);
    // What covers the middle of an element at this moment: itself, a part of it, or something that hides it.
    const isSeen = (selector: string) =>
      page.evaluate<boolean>(`(() => {
        const one = document.querySelector('${selector}');
        const { left, top, width, height } = one.getBoundingClientRect();
        return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      })()`);
    await eventually(() => isSeen('legend pre'), true);
    expect(await isSeen('button.main')).toBe(true);
    await page.locator('.snooze').scrollIntoViewIfNeeded();
    expect(await isSeen('.snooze span')).toBe(true);
    await page.locator('.option').first().click();
    await page.locator('button.main').click();
    await says(page, 'This cannot be undone.');
    expect(await isSeen('.confirmation button.main')).toBe(true);
  });

  it('is text: no markup, no direction marks, no control characters; code and links are shown', async () => {
    const served = await serveRepository(await aRepository({ issues: [{ title: 'Paint the shed' }] }));
    const text =
      '<img src=x onerror=alert(1)> \u202eevil\u202c \u001b[31mred\n```js\nlet a = 1 < 2;\n```\nSee https://example.com/a?b=1.';
    await served.ask({ questions: [{ id: 'q1', text, options: [{ label: '<b>bold</b>' }, { label: 'plain' }] }] });
    const { page, complaints, foreign } = await aPerson(served);
    await says(page, 'evil');
    expect(await textOf(page, 'legend .text')).toMatch(/^<img src=x onerror=alert\(1\)> evil red/);
    expect(await textOf(page, 'legend pre')).toBe('let a = 1 < 2;');
    expect(await textOf(page, 'legend a')).toBe('https://example.com/a?b=1 (example.com)');
    expect(await page.locator('legend img, .option b').count()).toBe(0);
    expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
  });
});

it('draws agents that wait for each other apart, however many they are and whatever they are called', async () => {
  const cwd = await aRepository({ issues: [{ title: 'Paint the shed' }] });
  const times = { staleAfter: '2999-01-01T00:00:00.000Z' };
  const names = Array.from(
    { length: 13 },
    (_, index) => `painter-of-the-${'very-'.repeat(index % 4)}old-shed-${index}`,
  );
  const clarifications = names
    .slice(1)
    .map((from, index) =>
      aClarification({ id: `CLR-1-${String(index + 1).padStart(3, '0')}`, from, to: names[index] ?? '', ...times }),
    );
  await storeOf(cwd).ledgers.update(1, (ledger) => ({ next: { ...ledger, clarifications }, result: undefined }));
  await untilLocksAreFree();
  const { page } = await aPerson(await serveRepository(cwd), { viewport: { width: 1440, height: 900 } });
  await says(page, 'Nothing waits for you.');
  await show(page, 'board');
  const nodes = page.locator('.graph g:has(> rect)');
  await eventually(() => nodes.count(), names.length);
  const boxes = await nodes.evaluateAll((all) =>
    all.map((node) => {
      const [rect, text] = ['rect', 'text'].map((name) => node.querySelector(name)?.getBoundingClientRect());
      return { rect: rect?.toJSON(), text: text?.toJSON() };
    }),
  );
  expect(boxes.filter(({ rect, text }) => text.left < rect.left || text.right > rect.right)).toEqual([]);
  const touching = boxes.filter(({ rect: one }) =>
    boxes.some(
      ({ rect: other }) =>
        one !== other &&
        one.left < other.right &&
        other.left < one.right &&
        one.top < other.bottom &&
        other.top < one.bottom,
    ),
  );
  expect(touching).toEqual([]);
});

describe('the way in', () => {
  it('has a field in which the link can be seen', async () => {
    const served = await serveRepository(await aRepository());
    const { page } = await aPerson(served, { address: served.url });
    const field = await page.getByRole('textbox', { name: 'Or paste the link here' }).boundingBox();
    expect(field?.width).toBeGreaterThan(300);
  });

  it('takes the token out of the address and stays open without it', async () => {
    const served = await serveRepository(await aRepository());
    const { page } = await aPerson(served);
    await says(page, 'Nothing waits for you.');
    expect(page.url()).toBe(`${served.url}/`);
    expect(await page.evaluate<string>('document.cookie')).toBe('');
    await page.reload();
    await says(page, 'Nothing waits for you.');
  });

  it('is tried again with the same key where the server was too busy to look at it', async () => {
    const served = await serveRepository(await aRepository());
    const { page } = await aPerson(served, { address: 'about:blank' });
    await page.route('**/api/v1/session', (route) => route.fulfill({ status: 503, body: 'busy' }));
    await page.goto(served.link);
    await says(page, 'The inbox could not be read: The server answered 503.');
    await page.unroute('**/api/v1/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await says(page, 'Nothing waits for you.');
  });

  it.each(['/', '/#token=wrong'])('is locked at %s', async (path) => {
    const served = await serveRepository(await aRepository());
    const { page } = await aPerson(served, { address: `${served.url}${path}` });
    await says(page, 'This inbox opens with a link that only you have.');
    expect(page.url()).toBe(`${served.url}/`);
    expect(await violations(page)).toEqual([]);
  });
});

it('is under 60 kB in all, as the server sends it', async () => {
  const served = await serveRepository(await aRepository());
  const sizeOf = async (path: string) => {
    const response = await fetch(`${served.url}${path}`, { headers: { 'accept-encoding': 'gzip' } });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    return { text: await response.text(), bytes: Number(response.headers.get('content-length')) };
  };
  const { text, bytes } = await sizeOf('/inbox');
  const paths = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].flatMap(([, path]) => path ?? []);
  const sizes = await Promise.all(paths.map(async (path) => (await sizeOf(path)).bytes));
  expect(sizes).toHaveLength(2);
  expect(sizes.reduce((sum, size) => sum + size, bytes)).toBeLessThan(60_000);
});

it('leaves the field readable in which a person writes, below what stays until it is read', async () => {
  const served = await aSampleServer();
  const { page } = await aPerson(served, { viewport: { width: 1280, height: 700 } });
  await says(page, 'How long are audit logs kept?');
  await page.route('**/snooze', (route) => route.fulfill({ status: 503, body: 'busy' }));
  await page.getByRole('button', { name: 'No reminder for 2 h' }).click();
  await page.locator('.notice.problem').waitFor();
  await page.evaluate('document.querySelector(".question-body").scrollTo(0, 9999)');
  const field = await page.locator('.question textarea').boundingBox();
  const notice = await page.locator('.notice.problem').boundingBox();
  expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThan(notice?.y ?? 0);
});
