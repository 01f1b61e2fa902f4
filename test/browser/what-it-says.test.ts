import { expect, it } from 'vitest';
import { anIssue } from '../builders/issue.js';
import { aQuestion } from '../builders/question.js';
import { aRepository, untilLocksAreFree } from '../scenarios/support/agentx.js';
import { letTimeRunOut, storeOf } from '../scenarios/support/runs.js';
import { aPerson, aPersonOutOfTime, eventually, holdRequests, says, textOf } from './support/people.js';
import { serveRepository } from './support/server.js';

const aRepo = () => aRepository({ issues: [{ title: 'Paint the shed' }] });
const NAME = { questions: [{ id: 'q1', text: 'Which name?' }] };

it('says that the same was not asked before only if the memory says so', async () => {
  const served = await serveRepository(await aRepo());
  await served.ask(NAME);
  const { page } = await aPerson(served, { address: 'about:blank' });
  const { letGo } = await holdRequests(page, '**/answered-before', (route) =>
    route.fulfill({ status: 500, body: '{}' }),
  );
  await page.goto(served.link);
  await says(page, 'Asking the memory.');
  letGo();
  await says(page, 'The memory could not be asked.');
  await page.unroute('**/answered-before');
  await page.reload();
  await says(page, 'Not as far as the memory knows.');
});

it('says nothing about agents before it knows what they do', async () => {
  const served = await serveRepository(await aRepo());
  const { page } = await aPerson(served, { address: 'about:blank' });
  await page.route('**/agents', (route) => route.fulfill({ status: 503, body: 'busy' }));
  await page.goto(served.link);
  await says(page, 'The server answered 503.');
  expect(await textOf(page, 'main')).toMatch(/^Nothing waits for you\. When agents/);
  await page.unroute('**/agents');
  await page.reload();
  await says(page, 'No agent is at work.');
});

it('shows issues whose column has a name of its own', async () => {
  const cwd = await aRepo();
  await storeOf(cwd).issues.create(anIssue({ title: 'Oil the hinges', status: 'Waiting for paint' }));
  await untilLocksAreFree();
  const served = await serveRepository(cwd);
  const { page } = await aPerson(served, { address: served.link.replace('/#', '/board#') });
  await says(page, 'Oil the hinges');
  const columns = await page.locator('.column h4').allInnerTexts();
  expect(columns.map((text) => text.replace(/\s+/g, ' '))).toEqual(['Backlog 1', 'Waiting for paint 1']);
});

it('sends what is written to a question that has ended with the same keys as an answer', async () => {
  const cwd = await aRepo();
  const served = await serveRepository(cwd);
  const { id } = await served.ask({ ...NAME, fallback: { text: 'Shed' } });
  const { page } = await aPerson(served);
  await says(page, 'Which name?');
  await letTimeRunOut(cwd, id);
  await says(page, /^Nobody answered in time\./);
  await page.locator('.question textarea').fill('Hut');
  await page.keyboard.press('Meta+Enter');
  await says(page, 'Your late answer is sent in five seconds');
  await eventually(async () => (await served.stored(id))?.lateResponses?.[0]?.responses[0]?.answer, 'Hut');
});

it('takes what is typed for no command when the field is gone in which it was to stand', async () => {
  const served = await serveRepository(await aRepo());
  const parts = ['Which name?', 'Which colour?'].map((text, index) => ({ id: `q${index + 1}`, text }));
  const { id } = await served.ask({ questions: parts });
  const page = await aPersonOutOfTime(served, 'Which name?');
  const field = page.locator('.question textarea').first();
  await field.fill('Hut');
  const responses = [{ questionId: 'q1', answer: 'Shed' }];
  await served.call('PATCH', `/notifications/${id}`, { revision: 1, responses });
  await says(page, /^Answered by/);
  await page.keyboard.type('xt');
  expect(await page.locator('.outgoing').count()).toBe(0);
  expect(await field.inputValue()).toBe('Hut');
  await page.clock.runFor(3_000);
  await page.keyboard.press('x');
  await says(page, 'Your refusal is sent in five seconds');
});

it('says why a question is no longer needed', async () => {
  const served = await serveRepository(await aRepo());
  const { id } = await served.ask(NAME);
  const { page } = await aPerson(served);
  await says(page, 'Which name?');
  await storeOf(served.cwd).questions.update(id, (question) => ({
    next: { ...question, status: 'resolved', outcome: 'superseded', reason: 'The issue was closed.', revision: 2 },
    result: undefined,
  }));
  await untilLocksAreFree();
  await says(page, 'No longer needed: The issue was closed.');
});

it('says of a draft that only the tab has it, where the browser may store nothing', async () => {
  const served = await serveRepository(await aRepo());
  await served.ask(NAME);
  const { page } = await aPerson(served, { address: 'about:blank', isNewcomer: true });
  await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(globalThis, name, { get() { throw new DOMException('denied', 'SecurityError'); } });
  }`);
  await page.goto(served.link);
  await says(page, 'Which name?');
  await page.route('**/draft', (route) => route.abort());
  await page.locator('.question textarea').fill('Hut');
  await says(page, 'draft kept in this tab until the server is back');
});

it('does not say that a server is silent which refuses a key for now', async () => {
  const served = await serveRepository(await aRepo());
  const { page } = await aPerson(served, { address: served.url });
  await says(page, 'This inbox opens with a link that only you have.');
  await page.route('**/api/v1/session', (route) => route.fulfill({ status: 503, body: 'busy' }));
  await page.getByRole('textbox').fill(served.link);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await says(page, 'The key could not be tried yet. The page tries it again by itself.');
  await says(page, 'The server answered 503.');
  await page.unroute('**/api/v1/session');
  await says(page, 'Nothing waits for you.');
});

it('keeps a person logged in for a month from the last visit', async () => {
  const served = await serveRepository(await aRepo());
  const { page } = await aPerson(served);
  await says(page, 'Nothing waits for you.');
  const context = page.context();
  const day = 86_400;
  const now = Date.now() / 1000;
  const [cookie] = await context.cookies();
  if (cookie === undefined) throw new Error('The browser has no cookie.');
  await context.addCookies([{ ...cookie, expires: now + day }]);
  await page.reload();
  await says(page, 'Nothing waits for you.');
  const [after] = await context.cookies();
  expect(after?.value).toBe(cookie.value);
  expect(after?.expires).toBeGreaterThan(now + 29 * day);
});

it('goes on showing a filter of the memory that makes no sense, and says what is wrong with it once', async () => {
  const cwd = await aRepo();
  const served = await serveRepository(cwd);
  const { page } = await aPerson(served, { address: served.link.replace('/#', '/memory#') });
  await page.getByRole('textbox', { name: 'Issue' }).fill('the shed');
  await says(page, 'An issue is a number, such as 42.');
  await page.locator('nav').getByText('Board').click();
  await says(page, 'Agents');
  await page.locator('nav').getByText('Memory').click();
  await says(page, 'An issue is a number, such as 42.');
  expect(await page.locator('.notice.problem').count()).toBe(0);
  await page.getByRole('textbox', { name: 'Issue' }).fill('1');
  await says(page, '0 found');
});

it('notifies a person of a question that came while the server was started anew', async () => {
  const before = await serveRepository(await aRepo());
  await before.ask(NAME);
  const { page } = await aPerson(before, { address: 'about:blank' });
  await page.addInitScript(`
    localStorage.setItem('agentx notes', 'yes');
    document.hasFocus = () => false;
    window.notes = [];
    window.Notification = class extends EventTarget {
      static permission = 'granted';
      constructor(title, { body }) { super(); window.notes.push(body); }
    };
  `);
  await page.goto(before.link);
  await says(page, 'Which name?');
  await before.stop();
  await says(page, 'offline');
  await storeOf(before.cwd).questions.create(aQuestion({ issueNumber: 1 }));
  await untilLocksAreFree();
  await serveRepository(before.cwd, { port: before.port });
  await says(page, '1 new');
  await eventually(() => page.evaluate('window.notes'), [aQuestion().questions[0]?.text]);
});
